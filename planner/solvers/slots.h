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

// Time with all that does not matter taken out. A slot is a moment at which
// the live buffers are as many as they get: some have just begun, and the next
// event is an end. Two buffers are live at once exactly if they share a slot;
// what is live in a slot is no subset of what is live in another.
//
//   steps   0  1  2  3  4  5  6
//           [--a-----)               a: slots [0, 1)
//              [---b-------)         b: slots [0, 2)
//                    [--c--)         c: slots [1, 2)
//   slots      0     1
struct Slots {
  std::vector<SlotRange> ranges;  // by buffer
  int32_t count = 0;
};

// O(n log n).
Slots MakeSlots(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_SLOTS_H_
