#include "tools/exit_code.h"

#include <iostream>

#include "planner/printable.h"
#include "planner/strings.h"
#include "planner/usage_error.h"

namespace memplan {

ExitCode ExitCodeFor(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kDone;
    case absl::StatusCode::kInvalidArgument:
      return IsUsageError(status) ? ExitCode::kUsage : ExitCode::kBadModel;
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kUnimplemented:
      return ExitCode::kBadModel;
    case absl::StatusCode::kFailedPrecondition:
      return ExitCode::kCheckFailed;
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kResourceExhausted:
      return ExitCode::kInputOutput;
    default:
      return ExitCode::kOwnFault;
  }
}

ExitCode Fail(const absl::Status& status) {
  const ExitCode code = ExitCodeFor(status);
  std::cerr << "memplan: " << Printable(AsStd(status.message())) << "\n";
  if (code == ExitCode::kOwnFault) {
    std::cerr << "memplan: this is a fault of memplan itself; please report it "
                 "with the model and the command line\n";
  }
  return code;
}

void Warn(std::string_view message) {
  std::cerr << "memplan: warning: " << Printable(message) << "\n";
}

}  // namespace memplan
