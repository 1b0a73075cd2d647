#include "planner/solvers/placed_list.h"

#include <algorithm>

#include "planner/checked_math.h"

namespace memplan {

void PlacedList::Add(SlotRange slots, int64_t byte_begin, int64_t byte_end) {
  const auto above = std::upper_bound(
      placed_.begin(), placed_.end(), byte_begin,
      [](int64_t begin, const Placed& p) { return begin < p.byte_begin; });
  placed_.insert(above, {byte_begin, byte_end, slots});
}

int64_t PlacedList::FindLowest(SlotRange slots, int64_t size,
                               int64_t alignment) const {
  // Without branches that depend on who lives when: those cannot be predicted.
  int64_t taken = 0;  // up to here, as far as has been looked at
  for (const Placed& placed : placed_) {
    const bool conflicts =
        (placed.slots.begin < slots.end) & (placed.slots.end > slots.begin);
    if (conflicts & (placed.byte_begin - taken >= size)) {
      const int64_t offset = AlignUp(taken, alignment);
      if (placed.byte_begin - offset >= size) return offset;
    }
    const int64_t end = conflicts ? placed.byte_end : 0;
    taken = std::max(taken, end);
  }
  return AlignUp(taken, alignment);
}

}  // namespace memplan
