#ifndef MEMPLAN_TESTS_PLANNER_SHARED_CASES_H_
#define MEMPLAN_TESTS_PLANNER_SHARED_CASES_H_

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "tests/test_paths.h"

namespace memplan {

// The folder of cases that stands beside the project; it is not part of it, so
// tests that need it are skipped where it is missing.
inline std::string SharedPath(const std::string& name) {
  return SharedDir() + "/" + name;
}

inline std::optional<std::string> ReadShared(const std::string& name) {
  std::ifstream file(SharedPath(name), std::ios::binary);
  if (!file) return std::nullopt;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace memplan

#define MEMPLAN_SHARED_OR_SKIP(text, name)                                  \
  const std::optional<std::string> text##_read = memplan::ReadShared(name); \
  if (!text##_read) {                                                       \
    GTEST_SKIP() << memplan::SharedPath(name) << " is not there";           \
  }                                                                         \
  const std::string& text = *text##_read

#endif  // MEMPLAN_TESTS_PLANNER_SHARED_CASES_H_
