#ifndef MEMPLAN_PLANNER_SOLVERS_OCCUPANCY_H_
#define MEMPLAN_PLANNER_SOLVERS_OCCUPANCY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "planner/solvers/slots.h"

namespace memplan {

enum class Fit {
  kTightest,  // the smallest gap that is large enough, the lowest of equal ones
  kLowest,    // the lowest gap that is large enough
};

// Which bytes are taken during which slots of time, for placing buffers in any
// order. Slots are dense from 0; all ranges half-open.
class Occupancy {
 public:
  // For these ranges of slots alone, in any order.
  Occupancy(int32_t num_slots, absl::Span<const SlotRange> ranges);

  void Add(int32_t slot_begin, int32_t slot_end, int64_t byte_begin,
           int64_t byte_end);

  // Where `size` bytes are free during all of [slot_begin, slot_end), at a
  // multiple of `alignment`: a gap chosen by `fit`, else above everything that
  // is live then. O((log n) * g) where g is the number of gaps during those
  // slots up to the answer; g is small as long as bytes are packed densely.
  int64_t Find(int32_t slot_begin, int32_t slot_end, int64_t size,
               int64_t alignment, Fit fit);

  // How many lists and gaps the calls have looked at so far: a measure of time
  // that is the same on every machine.
  int64_t work() const { return work_; }

 private:
  struct Range {
    int64_t begin;
    int64_t end;
  };
  // Disjoint, ascending, no two touch.
  using Ranges = std::vector<Range>;
  struct Cursor {
    const Range* at;
    const Range* end;
  };

  static void Unite(Ranges& ranges, Range range);
  void Watch(const Ranges& ranges);
  void WatchAll(int32_t slot_begin, int32_t slot_end);
  int64_t FirstFree(int64_t from);
  int64_t FreeUntil() const;

  int32_t leaves_;
  // By tree node: its index in whole_ and any_. -1 where it is part of none of
  // the ranges: nobody will ask.
  std::vector<int32_t> index_;
  std::vector<Ranges> whole_;  // what covers all slots of the node
  std::vector<Ranges> any_;    // what covers at least one of them
  int64_t work_ = 0;
  std::vector<Cursor> cursors_;  // of the current call to Find
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_OCCUPANCY_H_
