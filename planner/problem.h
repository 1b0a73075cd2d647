#ifndef MEMPLAN_PLANNER_PROBLEM_H_
#define MEMPLAN_PLANNER_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace memplan {

// A position on the timeline is a step; a lifespan is half-open, [begin, end):
// the bytes must stay put from the step `begin` up to, not including, `end`.
struct Lifespan {
  int64_t begin = 0;
  int64_t end = 0;

  friend bool operator==(const Lifespan&, const Lifespan&) = default;
};

inline bool Overlaps(const Lifespan& a, const Lifespan& b) {
  return a.begin < b.end && b.begin < a.end;
}

// A rectangle to place: `size` bytes for the steps of `lifespan`.
struct Buffer {
  int64_t size = 0;       // bytes, >= 0; a buffer of size 0 never conflicts
  Lifespan lifespan;      // begin <= end; an empty one never conflicts
  int64_t alignment = 1;  // its offset is a multiple of this, >= 1
  std::optional<int64_t> fixed_offset =
      std::nullopt;  // the user's choice; solvers keep it

  friend bool operator==(const Buffer&, const Buffer&) = default;
};

// Place all buffers so that no two that are live at one step share a byte.
// Known in the literature as dynamic storage allocation (DSA).
struct Problem {
  std::vector<Buffer> buffers;

  friend bool operator==(const Problem&, const Problem&) = default;
};

// Where each buffer lies. `arena_size` is the largest offset + size (0 without
// buffers).
struct Solution {
  std::vector<int64_t> offsets;  // bytes, one for each buffer of the problem
  int64_t arena_size = 0;        // bytes

  friend bool operator==(const Solution&, const Solution&) = default;
};

// Says whether the numbers of the problem can be worked with: sizes, alignments
// and lifespans in range, fixed offsets aligned and free of conflict, and a sum
// of all (aligned) sizes and fixed ends that fits int64_t, so that no solver
// can overflow. The error names the buffer; without `name`, by its index.
// O(n log n).
using BufferName = std::function<std::string(size_t index)>;
absl::Status CheckProblem(const Problem& problem,
                          const BufferName& name = nullptr);

// The largest sum of live sizes at any step, each size rounded up to its own
// alignment: no plan of this problem can have a lower arena when the sizes are
// rounded so. With mixed alignments the last buffer of a stack needs no
// padding, so the bound counts exact sizes where rounding would overstate it
// (see bounds.h for stronger ones). O(n log n).
int64_t MaxLiveBytes(const Problem& problem);

// The arena that `offsets` need: the largest offset + size.
int64_t ArenaSize(const Problem& problem, const std::vector<int64_t>& offsets);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_PROBLEM_H_
