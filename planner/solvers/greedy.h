#ifndef MEMPLAN_PLANNER_SOLVERS_GREEDY_H_
#define MEMPLAN_PLANNER_SOLVERS_GREEDY_H_

#include "planner/problem.h"
#include "planner/solvers/stop_condition.h"

namespace memplan {

// Tries the orders that are known to do well (size, area, duration, time,
// breadth...) with both fits, and keeps the lowest arena, the first of equals.
// Stops at one that reaches the lower bound. Fewer orders for many buffers.
// Once it should stop, no more is tried, and online best fit is the least it
// gives.
Solution SolveGreedy(const Problem& problem, const StopCondition& should_stop);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_GREEDY_H_
