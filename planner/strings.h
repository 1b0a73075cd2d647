#ifndef MEMPLAN_PLANNER_STRINGS_H_
#define MEMPLAN_PLANNER_STRINGS_H_

#include <string_view>

#include "absl/strings/string_view.h"

namespace memplan {

// Our interfaces speak std::string_view; Debian builds Abseil with a
// string_view of its own, so its functions need this one step.
inline absl::string_view AsAbsl(std::string_view s) {
  return absl::string_view(s.data(), s.size());
}

// The way back, for what Abseil returns.
inline std::string_view AsStd(absl::string_view s) {
  return std::string_view(s.data(), s.size());
}

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_STRINGS_H_
