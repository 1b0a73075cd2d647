#ifndef MEMPLAN_TOOLS_INTERRUPT_H_
#define MEMPLAN_TOOLS_INTERRUPT_H_

#include <atomic>

namespace memplan {

// A flag that the first Ctrl-C (or SIGTERM) sets, for SolveOptions::cancel: the
// search then ends with the best that it has. The second one ends the program
// as usual.
const std::atomic<bool>* CancelOnInterrupt();

// Models are read where they are mapped: where another program cuts the file
// meanwhile, say so and end with the code for input, rather than by a signal.
void EndWhereAFileIsCut();

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_INTERRUPT_H_
