#ifndef MEMPLAN_PLANNER_SOLVERS_SLOTS_H_
#define MEMPLAN_PLANNER_SOLVERS_SLOTS_H_

#include <cstdint>
#include <vector>

#include "planner/problem.h"

namespace memplan {

// A range of slots, half-open; empty for a buffer that cannot conflict.
struct SlotRange {
  int32_t begin = 0;
  int32_t end = 0;

  friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

// Time with all that does not matter taken out. A slot stands for the steps
// from one at which a buffer begins up to the next such step: two buffers are
// live at once exactly if they share a slot.
//
//   steps   0  1  2  3  4  5  6
//           [--a-----)               a: slots [0, 2)
//              [---b----)            b: slots [1, 2)
//                       [--c--)      c: slots [2, 3)
//   slots   0  1........2.....
struct Slots {
  std::vector<SlotRange> ranges;  // by buffer
  int32_t count = 0;
};

// O(n log n).
Slots MakeSlots(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_SLOTS_H_
