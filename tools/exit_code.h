#ifndef MEMPLAN_TOOLS_EXIT_CODE_H_
#define MEMPLAN_TOOLS_EXIT_CODE_H_

#include <string_view>

#include "absl/status/status.h"

namespace memplan {

// What the command returns to the shell (docs/design.md, section 6).
enum class ExitCode {
  kDone = 0,
  kCheckFailed = 1,  // or the capacity is exceeded
  kUsage = 2,
  kBadModel = 3,    // or a bad problem file
  kIncomplete = 4,  // the plan has holes, and --require-complete was given
  kInfeasible = 5,  // proved: no plan keeps the capacity
  kStale = 6,       // the embedded plan was made for another graph
  kInputOutput = 7,
  kOwnFault = 8,
};

// The one mapping from what the libraries say to what the shell gets.
ExitCode ExitCodeFor(const absl::Status& status);

// Prints "memplan: <message>" on stderr and returns the code for it.
ExitCode Fail(const absl::Status& status);

// Prints "memplan: warning: <message>" on stderr.
void Warn(std::string_view message);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_EXIT_CODE_H_
