#ifndef MEMPLAN_PLANNER_SOLVERS_OCCUPANCY_H_
#define MEMPLAN_PLANNER_SOLVERS_OCCUPANCY_H_

#include <cstdint>
#include <vector>

namespace memplan {

enum class Fit {
  kTightest,  // the smallest gap that is large enough, the lowest of equal ones
  kLowest,    // the lowest gap that is large enough
};

// Which bytes are taken during which slots of time, for placing buffers in any
// order. Slots are dense from 0; all ranges half-open.
class Occupancy {
 public:
  explicit Occupancy(int32_t num_slots);

  void Add(int32_t slot_begin, int32_t slot_end, int64_t byte_begin,
           int64_t byte_end);

  // Where `size` bytes are free during all of [slot_begin, slot_end), at a
  // multiple of `alignment`: a gap chosen by `fit`, else above everything that
  // is live then. O((log n) * g) where g is the number of gaps during those
  // slots up to the answer; g is small as long as bytes are packed densely.
  int64_t Find(int32_t slot_begin, int32_t slot_end, int64_t size,
               int64_t alignment, Fit fit);

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
  std::vector<Ranges> whole_;    // by tree node: what covers all of its slots
  std::vector<Ranges> any_;      // by tree node: what covers one of its slots
  std::vector<Cursor> cursors_;  // of the current call to Find
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_OCCUPANCY_H_
