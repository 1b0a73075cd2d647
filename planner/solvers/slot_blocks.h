#ifndef MEMPLAN_PLANNER_SOLVERS_SLOT_BLOCKS_H_
#define MEMPLAN_PLANNER_SOLVERS_SLOT_BLOCKS_H_

#include <algorithm>
#include <cstdint>

namespace memplan {

// Slots in blocks of 16, so that a walk over a long range takes whole blocks:
//
//   slots   |................|................|................|
//   range         ==================================
//   pieces        one by one |     a block    | one by one
constexpr int32_t kSlotsPerBlock = 16;

inline int32_t BlockOf(int32_t slot) { return slot / kSlotsPerBlock; }

// Calls `on_slot` for the slots of [begin, end) at the edges and `on_block` for
// the blocks between.
template <typename OnSlot, typename OnBlock>
void ForSlotsAndBlocks(int32_t begin, int32_t end, const OnSlot& on_slot,
                       const OnBlock& on_block) {
  const int32_t first_block = BlockOf(begin + kSlotsPerBlock - 1);
  const int32_t last_block = std::max(BlockOf(end), first_block);
  const int32_t blocks_begin = std::min(first_block * kSlotsPerBlock, end);
  for (int32_t s = begin; s < blocks_begin; ++s) on_slot(s);
  for (int32_t b = first_block; b < last_block; ++b) on_block(b);
  for (int32_t s = std::max(blocks_begin, last_block * kSlotsPerBlock); s < end;
       ++s) {
    on_slot(s);
  }
}

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_SLOT_BLOCKS_H_
