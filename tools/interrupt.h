#ifndef MEMPLAN_TOOLS_INTERRUPT_H_
#define MEMPLAN_TOOLS_INTERRUPT_H_

#include <atomic>

namespace memplan {

// A flag that the first Ctrl-C (or SIGTERM) sets, for SolveOptions::cancel: the
// search then ends with the best that it has. The second one ends the program
// as usual.
const std::atomic<bool>* CancelOnInterrupt();

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_INTERRUPT_H_
