#ifndef MEMPLAN_PLANNER_SOLVERS_STOP_CONDITION_H_
#define MEMPLAN_PLANNER_SOLVERS_STOP_CONDITION_H_

#include <functional>

namespace memplan {

// True once the user's time is up or the user has had enough. Empty: never. May
// be called from several threads.
using StopCondition = std::function<bool()>;

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_STOP_CONDITION_H_
