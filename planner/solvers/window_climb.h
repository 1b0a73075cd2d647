#ifndef MEMPLAN_PLANNER_SOLVERS_WINDOW_CLIMB_H_
#define MEMPLAN_PLANNER_SOLVERS_WINDOW_CLIMB_H_

#include "planner/problem.h"
#include "planner/solvers/hill_climb.h"

namespace memplan {

// Lowers the arena as ClimbDown does, with another kind of step: all that lives
// around the bottleneck is placed anew. It helps where few but large buffers
// are live, whose chains of pushing out would go on for ever. A failure is
// followed by a try with other orders.
ClimbResult ClimbByWindows(const Problem& problem, Solution start,
                           const ClimbOptions& options);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_WINDOW_CLIMB_H_
