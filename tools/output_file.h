#ifndef MEMPLAN_TOOLS_OUTPUT_FILE_H_
#define MEMPLAN_TOOLS_OUTPUT_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace memplan {

// Writes all of `bytes` to the file `path`, "-" being stdout. A regular file is
// replaced as a whole: written beside it, synced, renamed, so that a crash or a
// full disk leaves the old one; its permissions stay. Devices and pipes are
// written to as they are. Errors: NotFound, PermissionDenied or Unavailable,
// with the path and what the system said.
absl::Status WriteOutput(const std::string& path, std::string_view bytes);

// All of the file `path`, "-" being stdin; at most 2 GiB. Errors: likewise.
absl::StatusOr<std::string> ReadInput(const std::string& path);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_OUTPUT_FILE_H_
