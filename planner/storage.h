#ifndef MEMPLAN_PLANNER_STORAGE_H_
#define MEMPLAN_PLANNER_STORAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "planner/graph.h"
#include "planner/problem.h"
#include "planner/timeline.h"

namespace memplan {

enum class InPlaceMode {
  kOff,    // no two values share
  kViews,  // views share
  kSafe,   // views, and outputs that may overwrite an input that nobody reads
           // any more
  kAggressive,  // also parts: a Concat's inputs laid side by side in its
                // output, ...
};

struct StorageOptions {
  InPlaceMode in_place = InPlaceMode::kSafe;
  bool place_inputs = false;   // put graph inputs into the arena
  bool place_outputs = false;  // put graph outputs into the arena
  // Bytes, >= 1: a part shares only where its own offset is a multiple of this.
  // The alignment that BuildProblem is given.
  int64_t alignment = 64;
};

// Where one value's bytes are: in the storage of `root` (itself where it has
// its own), at `offset_in_root`.
struct ValueStorage {
  ValueIndex root = 0;
  int64_t offset_in_root = 0;  // bytes; 0 but for SharingKind::kPart
  SharingKind sharing = SharingKind::kNone;
  ValueIndex shares_with =
      0;                // the value that it was laid upon; itself for kNone
  bool placed = false;  // in the arena; false for inputs, initializers, unknown
                        // sizes, ...
  std::string why_not;  // where a user would expect sharing: "read later by
                        // node 'Add_17'"

  friend bool operator==(const ValueStorage&, const ValueStorage&) = default;
};

// Decides who shares. By value. With kAggressive, parts share only where that
// does not raise the live bytes. Rules and their sources: the table in
// storage.cc.
std::vector<ValueStorage> AssignStorage(const Graph& graph,
                                        const Timeline& timeline,
                                        const std::vector<Lifespan>& lifespans,
                                        const StorageOptions& options);

// The problem to solve: a buffer for each storage that is placed, its size
// rounded up to `alignment`, its lifespan the union of its values'.
struct PlacementProblem {
  Problem problem;
  std::vector<ValueIndex>
      buffer_roots;  // buffer -> the value that is its root, ascending by index
};

absl::StatusOr<PlacementProblem> BuildProblem(
    const Graph& graph, const std::vector<ValueStorage>& storage,
    const std::vector<Lifespan>& lifespans, int64_t alignment);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_STORAGE_H_
