#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/labels.h"
#include "planner/storage.h"

namespace memplan {

absl::StatusOr<PlacementProblem> BuildProblem(
    const Graph& graph, const std::vector<ValueStorage>& storage,
    const std::vector<Lifespan>& lifespans, int64_t alignment) {
  if (alignment < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("alignment ", alignment, " is not positive"));
  }
  // The union of the lifespans of all that live in a root's bytes, by root.
  std::vector<Lifespan> united = lifespans;
  for (size_t v = 0; v < storage.size(); ++v) {
    Lifespan& root = united[static_cast<size_t>(storage[v].root)];
    root.begin = std::min(root.begin, lifespans[v].begin);
    root.end = std::max(root.end, lifespans[v].end);
  }

  PlacementProblem placement;
  for (size_t v = 0; v < storage.size(); ++v) {
    const ValueIndex index = static_cast<ValueIndex>(v);
    if (!storage[v].placed || storage[v].root != index) continue;
    const int64_t size = *graph.values[v].size;
    const std::optional<int64_t> rounded = CheckedAlignUp(size, alignment);
    if (!rounded) {
      return absl::InvalidArgumentError(
          absl::StrCat(ValueLabel(graph, index), ": ", size,
                       " bytes, rounded up to ", alignment, ", do not fit"));
    }
    placement.problem.buffers.push_back({.size = *rounded,
                                         .lifespan = united[v],
                                         .alignment = alignment,
                                         .fixed_offset = std::nullopt});
    placement.buffer_roots.push_back(index);
  }
  return placement;
}

}  // namespace memplan
