#ifndef MEMPLAN_PLANNER_SOLVERS_GREEDY_H_
#define MEMPLAN_PLANNER_SOLVERS_GREEDY_H_

#include "planner/problem.h"

namespace memplan {

// Tries the orders that are known to do well (size, area, duration, time,
// breadth...) with both fits, and keeps the lowest arena, the first of equals.
// Stops at one that reaches the lower bound. Fewer orders for many buffers.
Solution SolveGreedy(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_GREEDY_H_
