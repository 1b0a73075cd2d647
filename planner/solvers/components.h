#ifndef MEMPLAN_PLANNER_SOLVERS_COMPONENTS_H_
#define MEMPLAN_PLANNER_SOLVERS_COMPONENTS_H_

#include <cstdint>
#include <vector>

#include "planner/problem.h"

namespace memplan {

// Splits a problem where no buffer lives across: each part can be placed
// without a look at the others, and the arena is the largest of theirs. Buffers
// that cannot conflict are in no part. Indices ascend within a part; parts are
// in the order of time. O(n log n).
//
//    [--0--)  [--2--)   |  [--3---)      parts {0, 1, 2} and {3, 4}
//        [---1---)      |     [--4--)
std::vector<std::vector<int32_t>> SplitInTime(const Problem& problem);

// The buffers of a part, in its order.
Problem SubProblem(const Problem& problem, const std::vector<int32_t>& part);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_COMPONENTS_H_
