#ifndef MEMPLAN_PLANNER_USAGE_ERROR_H_
#define MEMPLAN_PLANNER_USAGE_ERROR_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "planner/strings.h"

namespace memplan {

// An InvalidArgument where not the model is at fault but what the user said of
// it (an unknown name, a shape that contradicts it): the command answers it
// with the exit code for usage.
inline constexpr std::string_view kUsageErrorUrl = "memplan.dev/usage";

inline absl::Status UsageError(std::string_view message) {
  absl::Status status = absl::InvalidArgumentError(AsAbsl(message));
  status.SetPayload(AsAbsl(kUsageErrorUrl), absl::Cord());
  return status;
}

inline bool IsUsageError(const absl::Status& status) {
  return status.GetPayload(AsAbsl(kUsageErrorUrl)).has_value();
}

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_USAGE_ERROR_H_
