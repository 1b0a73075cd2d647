// ONNX Runtime keeps the live blocks in a list and walks it for each call. Two
// indices give the same answer without the walk: the live blocks as a ring in
// the order of their offsets, so that a freed block finds its neighbours at
// once, and the gaps between them ordered by size, then offset, so that the
// first gap that is large enough is the tightest one, and the lowest of those.
//
//      ring     head <-> [ A ] <-> [ B ] <-> [ C ] <-> head
//      bytes    0 ....... AAA ..... BBB CCC ......|H
//      gaps     {size 5, below B}, {size 7, below A};  the tail up to H is not
//                                                      in the set
#include "planner/solvers/best_fit_arena.h"

#include <algorithm>
#include <limits>

#include "planner/checked_math.h"

namespace memplan {

BestFitArena::BestFitArena() { blocks_.emplace_back(); }

std::optional<BestFitArena::Block> BestFitArena::Allocate(int64_t size) {
  const int64_t last_end = blocks_[blocks_[0].previous].end;
  const int64_t tail = high_water_mark_ - last_end;
  const auto gap =
      gaps_.lower_bound({size, std::numeric_limits<int64_t>::min(), 0});
  const bool tail_fits = tail >= size;
  if (gap != gaps_.end() && !(tail_fits && tail < gap->size)) {
    const auto [gap_size, offset, above] = *gap;
    gaps_.erase(gap);
    return Insert(offset, size, above);
  }
  const std::optional<int64_t> end = CheckedAdd(last_end, size);
  if (!end) return std::nullopt;
  high_water_mark_ = std::max(high_water_mark_, *end);
  return Insert(last_end, size, 0);
}

BestFitArena::Block BestFitArena::Reserve(int64_t offset, int64_t size) {
  const Block block = Insert(offset, size, 0);
  AddGapBelow(block);
  return block;
}

void BestFitArena::Free(Block block) {
  const Node node = blocks_[block];
  RemoveGapBelow(block);
  RemoveGapBelow(node.next);
  blocks_[node.previous].next = node.next;
  blocks_[node.next].previous = node.previous;
  AddGapBelow(node.next);
  unused_.push_back(block);
}

// Puts a block into the ring, just below `above`; what is left of the gap is
// then the gap below `above`.
BestFitArena::Block BestFitArena::Insert(int64_t offset, int64_t size,
                                         Block above) {
  Block block = static_cast<Block>(blocks_.size());
  if (unused_.empty()) {
    blocks_.emplace_back();
  } else {
    block = unused_.back();
    unused_.pop_back();
  }
  const Block below = blocks_[above].previous;
  blocks_[block] = {offset, offset + size, below, above};
  blocks_[below].next = block;
  blocks_[above].previous = block;
  AddGapBelow(above);
  return block;
}

void BestFitArena::AddGapBelow(Block block) {
  if (block == 0) return;  // above the last block is the tail, not a gap
  const Node& node = blocks_[block];
  const int64_t begin = blocks_[node.previous].end;
  if (begin < node.offset) gaps_.insert({node.offset - begin, begin, block});
}

void BestFitArena::RemoveGapBelow(Block block) {
  if (block == 0) return;
  const Node& node = blocks_[block];
  const int64_t begin = blocks_[node.previous].end;
  if (begin < node.offset) gaps_.erase({node.offset - begin, begin, block});
}

}  // namespace memplan
