#include "tests/test_paths.h"

#include <cstdlib>

namespace memplan {

std::string SourceDir() { return MEMPLAN_SOURCE_DIR; }

std::string SharedDir() {
  const char* const shared = std::getenv("MEMPLAN_SHARED");
  return shared != nullptr ? shared : SourceDir() + "/../shared";
}

}  // namespace memplan
