#ifndef MEMPLAN_PLANNER_SOLVERS_GREEDY_H_
#define MEMPLAN_PLANNER_SOLVERS_GREEDY_H_

#include <cstdint>
#include <vector>

#include "planner/problem.h"
#include "planner/solvers/occupancy.h"
#include "planner/solvers/slots.h"

namespace memplan {

// Places the buffers one after the other in the given order (indices; those
// that cannot conflict may be left out), each into a gap chosen by `fit`. Fixed
// buffers are placed before all others. Usually O(n log n).
Solution PlaceInOrder(const Problem& problem, const Slots& slots,
                      const std::vector<int32_t>& order, Fit fit);

// Tries the orders that are known to do well (size, area, duration, time,
// breadth...) with both fits, and keeps the lowest arena, the first of equals.
// Stops at one that reaches the lower bound. Fewer orders for many buffers.
Solution SolveGreedy(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_GREEDY_H_
