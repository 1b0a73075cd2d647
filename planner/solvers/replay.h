#ifndef MEMPLAN_PLANNER_SOLVERS_REPLAY_H_
#define MEMPLAN_PLANNER_SOLVERS_REPLAY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "planner/problem.h"

namespace memplan {

// One call that a runtime made to its allocator.
struct TraceOp {
  enum class Kind { kAllocate, kFree };
  Kind kind = Kind::kAllocate;
  int64_t id = 0;
  int64_t size = 0;  // bytes; of an allocation

  friend bool operator==(const TraceOp&, const TraceOp&) = default;
};

struct TraceResult {
  std::vector<int64_t> offsets;  // bytes, one for each op; 0 for a free
  int64_t arena_size = 0;        // bytes, the high-water mark

  friend bool operator==(const TraceResult&, const TraceResult&) = default;
};

// What ONNX Runtime's memory pattern planner makes of a trace. Its habits are
// kept: a size of 0 gets offset 0 and is never live; freeing what is not live
// does nothing; an id that is allocated again while live has two blocks, and a
// free drops the lower one. Sizes are taken as they are (the runtime rounds
// them up to 256 before). Errors: InvalidArgument for a negative size or an
// arena of 2^63 bytes or more, with the op's index. O(log n) for each op.
absl::StatusOr<TraceResult> ReplayTrace(absl::Span<const TraceOp> ops);

// The same policy for a problem: at each step what ends is freed, then what
// begins is allocated, each in the order of the problem. Sizes are rounded up
// to the least common multiple of the alignments. Fixed buffers hold their
// bytes from the start, as an online allocator cannot look ahead.
// O(n log n).
Solution SolveReplay(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_REPLAY_H_
