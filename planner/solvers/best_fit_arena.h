#ifndef MEMPLAN_PLANNER_SOLVERS_BEST_FIT_ARENA_H_
#define MEMPLAN_PLANNER_SOLVERS_BEST_FIT_ARENA_H_

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/container/btree_set.h"

namespace memplan {

// An arena that serves allocations one after the other, as ONNX Runtime's
// memory pattern planner does (facts read in its source, 1.30): the tightest
// gap between live blocks, the lowest of equal ones; the gap between the last
// live block and the high-water mark only where it is strictly tighter; else
// above the last live block. O(log n) for each call.
class BestFitArena {
 public:
  using Block = int32_t;

  BestFitArena();

  // Places `size` > 0 bytes. Unset where the arena would pass 2^63 bytes.
  std::optional<Block> Allocate(int64_t size);

  // Takes [offset, offset + size) as a live block. It must lie at or above the
  // end of every live block, and does not move the high-water mark.
  Block Reserve(int64_t offset, int64_t size);

  void Free(Block block);

  int64_t offset(Block block) const { return blocks_[block].offset; }
  int64_t high_water_mark() const { return high_water_mark_; }

 private:
  // Live blocks form a ring by offset; blocks_[0] is its head, empty at 0.
  struct Node {
    int64_t offset = 0;
    int64_t end = 0;
    Block previous = 0;
    Block next = 0;
  };
  // The free bytes just below a live block.
  struct Gap {
    int64_t size;
    int64_t offset;
    Block above;

    friend bool operator<(const Gap& a, const Gap& b) {
      return std::tie(a.size, a.offset) < std::tie(b.size, b.offset);
    }
  };

  Block Insert(int64_t offset, int64_t size, Block above);
  void AddGapBelow(Block block);
  void RemoveGapBelow(Block block);

  std::vector<Node> blocks_;
  std::vector<Block> unused_;
  absl::btree_set<Gap> gaps_;
  int64_t high_water_mark_ = 0;
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_BEST_FIT_ARENA_H_
