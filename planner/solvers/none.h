#ifndef MEMPLAN_PLANNER_SOLVERS_NONE_H_
#define MEMPLAN_PLANNER_SOLVERS_NONE_H_

#include "planner/problem.h"

namespace memplan {

// Reuses nothing: every buffer above the one before. What a runtime without a
// planner would need at least. O(n).
Solution SolveNone(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_NONE_H_
