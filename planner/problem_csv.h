#ifndef MEMPLAN_PLANNER_PROBLEM_CSV_H_
#define MEMPLAN_PLANNER_PROBLEM_CSV_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "planner/problem.h"

namespace memplan {

// A problem with the names of its buffers, as it stands in a file.
struct CsvProblem {
  std::vector<std::string> ids;  // by buffer
  Problem problem;
  // The file's last step belonged to the lifespan (MiniMalloc: a column named
  // "end"). The problem's lifespans are half-open all the same.
  bool inclusive_end = false;

  friend bool operator==(const CsvProblem&, const CsvProblem&) = default;
};

// Reads MiniMalloc's problem format: a header, then a row for each buffer.
//
//   id      or buffer, buffer_id
//   lower   or start, begin: the first step
//   upper   one past the last step; or `end`: the last step
//   size    bytes
//   alignment, offset (a fixed one; empty: free) are optional; hint is ignored.
//
// Columns in any order. Fields may be quoted, lines may end in CR LF. Errors:
// InvalidArgument, with the line and what is wrong with it; the numbers
// themselves are left to CheckCsvProblem. O(n log n).
absl::StatusOr<CsvProblem> ReadProblemCsv(std::string_view text);

// CheckProblem; the error names buffers by id.
absl::Status CheckCsvProblem(const CsvProblem& problem);

// Writes id,lower,upper,size[,alignment][,offset]: what ReadProblemCsv and
// MiniMalloc read. `offset` stands where a solution is given (its offsets) or
// where the problem has fixed ones.
std::string WriteProblemCsv(const CsvProblem& problem,
                            const Solution* solution = nullptr);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_PROBLEM_CSV_H_
