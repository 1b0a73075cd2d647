#ifndef MEMPLAN_PLANNER_SOLVERS_PLACED_LIST_H_
#define MEMPLAN_PLANNER_SOLVERS_PLACED_LIST_H_

#include <cstdint>
#include <vector>

#include "planner/solvers/slots.h"

namespace memplan {

// Which bytes are taken during which slots, as one list by offset. A call looks
// at the whole list: for up to some ten thousand buffers that is faster than
// a tree (see Occupancy, for any number of them).
class PlacedList {
 public:
  void Add(SlotRange slots, int64_t byte_begin, int64_t byte_end);

  // The lowest offset at which `size` bytes are free during all of the slots.
  int64_t FindLowest(SlotRange slots, int64_t size, int64_t alignment) const;

  size_t size() const { return placed_.size(); }

 private:
  struct Placed {
    int64_t byte_begin;
    int64_t byte_end;
    SlotRange slots;
  };

  std::vector<Placed> placed_;  // by byte_begin
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_PLACED_LIST_H_
