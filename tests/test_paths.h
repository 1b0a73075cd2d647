#ifndef MEMPLAN_TESTS_TEST_PATHS_H_
#define MEMPLAN_TESTS_TEST_PATHS_H_

#include <string>

namespace memplan {

// The root of the sources.
std::string SourceDir();

// The folder of cases and models that stands beside the project:
// $MEMPLAN_SHARED, else
// ../shared. It is no part of the project; tests that need it skip where it is
// missing.
std::string SharedDir();

}  // namespace memplan

#endif  // MEMPLAN_TESTS_TEST_PATHS_H_
