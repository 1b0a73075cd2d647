// The reader of problems: any text; what it takes comes back as it was.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "planner/problem_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto problem = memplan::ReadProblemCsv(
      std::string_view(reinterpret_cast<const char*>(data), size));
  if (!problem.ok()) return 0;
  (void)memplan::CheckProblem(problem->problem);
  for (const std::string& id : problem->ids) {
    if (id.find('\r') != std::string::npos) return 0;  // written as a blank
  }
  const auto again =
      memplan::ReadProblemCsv(memplan::WriteProblemCsv(*problem));
  if (!again.ok() || again->ids != problem->ids ||
      again->problem != problem->problem) {
    std::abort();
  }
  return 0;
}
