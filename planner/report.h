#ifndef MEMPLAN_PLANNER_REPORT_H_
#define MEMPLAN_PLANNER_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "planner/memory_pattern.h"

namespace memplan {

// What the pattern itself does not say of one of its tensors; each may be "".
struct TensorNote {
  std::string type;    // "float32"
  std::string shape;   // "1x64x112x112"
  std::string remark;  // "read later by node 'Add_17'"
};

// The tensors of the pattern as a table, one a line, by first step: tensor,
// type, shape, size, offset, lifespan, what it shares bytes with. `notes`
// stands beside pattern.tensors, or is empty; columns that would be empty are
// left out.
std::string TensorTable(const MemoryPattern& pattern,
                        const std::vector<TensorNote>& notes);

// What several tensors live in together: one place in the arena, for as long
// as one of them needs it.
struct PatternStorage {
  int32_t root = 0;  // index into pattern.tensors
  int64_t offset = 0;
  int64_t size = 0;
  Lifespan lifespan;
  int64_t num_tensors = 1;
};

// The storages of the pattern, by first step. A chain of `shares_with` that
// goes round in a circle (in a damaged file) ends where it began. O(n log n).
std::vector<PatternStorage> StoragesOf(const MemoryPattern& pattern);

// The first step at which most bytes are live.
struct PatternPeak {
  int64_t step = 0;
  int64_t bytes = 0;
};
PatternPeak PeakOf(const std::vector<PatternStorage>& storages);

// The arena, the bound, how good the plan is: some lines for people.
std::string PatternTotals(const MemoryPattern& pattern);

// Who is live at the (first) step where most bytes are, the largest first, at
// most `max_rows` of them.
std::string LiveAtPeak(const MemoryPattern& pattern, size_t max_rows = 8);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_REPORT_H_
