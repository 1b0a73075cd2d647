#ifndef MEMPLAN_PLANNER_SOLVERS_SEARCH_STATE_H_
#define MEMPLAN_PLANNER_SOLVERS_SEARCH_STATE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "planner/problem.h"
#include "planner/solvers/lowest_tops.h"

namespace memplan {

// Each may be switched off, to test that it does not change an answer.
struct PruningRules {
  bool lift_floors = true;  // what lies below every buffer to come is waste
  bool remember_failures = true;  // do not search the same rest twice
  bool skip_twins = true;         // equal buffers go in the order of indices
  bool split = true;              // search parts that share no step apart
  bool fewest_options = true;     // branch where the fewest buffers compete
};

constexpr int64_t kNever = LowestTops::kNone;

// A buffer that takes part in the search.
struct SearchItem {
  int32_t begin = 0;  // slots
  int32_t end = 0;
  int64_t size = 0;
  int64_t alignment = 1;
  bool is_fixed = false;
  int64_t fixed_offset = 0;
  int32_t buffer = 0;  // index in the problem
  // The previous item with the same slots, size and alignment; -1: none.
  int32_t twin = -1;
};

// A problem as the search wants it: items by their first slot, and each slot's
// items. Built once, shared by searches on several threads.
struct SearchProblem {
  std::vector<SearchItem> items;
  std::vector<int32_t> first_item;  // by slot: items that begin at it or later
  std::vector<int32_t> slot_first;  // by slot: range of slot_items
  std::vector<int32_t> slot_items;
  int32_t num_slots = 0;

  absl::Span<const int32_t> ItemsAt(int32_t slot) const {
    return absl::MakeConstSpan(slot_items)
        .subspan(slot_first[slot], slot_first[slot + 1] - slot_first[slot]);
  }
};

SearchProblem MakeSearchProblem(const Problem& problem);

// What the search knows of a slot.
struct SlotState {
  int64_t floor = 0;      // bytes below belong to placed items or are waste
  int64_t remaining = 0;  // sum of the sizes of the items still to place
  int64_t lowest = 0;     // the lowest `low` of these
  LowestTops tops;        // of these
  int32_t crossing = 0;   // items to place that are live here and a slot before
};

// A partial plan: items are placed from the bottom up, each at its `low`, the
// lowest offset that the floors of its slots allow.
class SearchState {
 public:
  SearchState(const SearchProblem& problem, int64_t height,
              const PruningRules& rules);

  // How far to undo.
  struct Mark {
    size_t slots, lows, placed;
  };
  Mark Now() const {
    return {slot_trail_.size(), low_trail_.size(), placed_trail_.size()};
  }
  void UndoTo(const Mark& mark);

  // Whether the empty plan passes the checks that the other calls make.
  bool IsPossible();

  // Places an item at its low. False: no plan within the height can follow.
  bool Place(int32_t item);

  // Says that no item to come lies below `floor` in a slot. False: as above.
  bool Lift(int32_t slot, int64_t floor);

  const SlotState& slot(int32_t s) const { return slots_[s]; }
  int64_t low(int32_t item) const { return lows_[item]; }
  bool is_placed(int32_t item) const { return is_placed_[item] != 0; }
  int64_t height() const { return height_; }

  // The least height above `height` at which one of the failures so far would
  // not have been one; kNever: no height would help.
  int64_t next_height() const { return next_height_; }
  // Also for failures that the caller finds.
  void FailedFor(int64_t needed);

 private:
  void Touch(int32_t slot);
  bool Raise(int32_t item, int64_t low);
  bool Settle();
  void Recompute(int32_t slot);

  const SearchProblem& problem_;
  const int64_t height_;
  const PruningRules rules_;
  int64_t next_height_ = kNever;
  std::vector<SlotState> slots_;
  // By item: the lowest offset it can have and the end it has there; kNever
  // once it is placed, so that it is never the lowest.
  struct Range {
    int64_t low = 0;
    int64_t top = 0;
  };
  std::vector<Range> to_come_;
  std::vector<int64_t> lows_;     // by item
  std::vector<char> is_placed_;   // by item
  std::vector<char> is_touched_;  // by slot, within one call
  std::vector<int32_t> touched_;
  std::vector<std::pair<int32_t, SlotState>> slot_trail_;
  std::vector<std::pair<int32_t, int64_t>> low_trail_;
  std::vector<int32_t> placed_trail_;
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_SEARCH_STATE_H_
