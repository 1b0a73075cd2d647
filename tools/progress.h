#ifndef MEMPLAN_TOOLS_PROGRESS_H_
#define MEMPLAN_TOOLS_PROGRESS_H_

#include <functional>

#include "planner/solve.h"

namespace memplan {

// For SolveOptions::progress: where stderr is a terminal, one line that shows
// the best arena, the bound and the gap, from the second second on. Else empty.
std::function<void(const SolveProgress&)> ProgressOnTerminal();

// Takes that line away.
void ClearProgress();

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_PROGRESS_H_
