// A partial plan is a landscape: over each slot of time stands a floor, made of
// what is placed and of what is given up as waste. An item that is still to
// come can lie no lower than the highest floor in its slots; that is its `low`.
// And no slot's floor need be below the lowest `low` of the items to come in
// it.
//
//    bytes                 b's low is 3, the highest floor below it. If b is
//      4 |                 all that slots 0 and 1 still wait for, their floors
//        | [----b----)     are 3 as well: what lies below is waste.
//      2 |         +---+
//        +---+     | a |   A slot whose floor + all that it still waits for is
//        |   |     |   |   above the height that is tried is a dead end.
//      0 +---+-----+---+
//          0    1    2     slots
//
// Every change is written to a trail, so that the search can go back.
#include "planner/solvers/search_state.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "planner/bounds.h"
#include "planner/checked_math.h"
#include "planner/solvers/slots.h"

namespace memplan {
namespace {

auto TwinKey(const SearchItem& item) {
  return std::tie(item.begin, item.end, item.size, item.alignment);
}

void FindTwins(std::vector<SearchItem>& items) {
  std::vector<int32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return TwinKey(items[a]) < TwinKey(items[b]);
  });
  int32_t previous = -1;
  for (const int32_t i : order) {
    if (items[i].is_fixed) continue;
    if (previous >= 0 && TwinKey(items[previous]) == TwinKey(items[i])) {
      items[i].twin = previous;
    }
    previous = i;
  }
}

}  // namespace

SearchProblem MakeSearchProblem(const Problem& problem) {
  const Slots slots = MakeSlots(problem);
  SearchProblem result;
  result.num_slots = slots.count;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (CannotConflict(buffer)) continue;
    result.items.push_back(
        {slots.ranges[i].begin, slots.ranges[i].end, buffer.size,
         buffer.alignment, buffer.fixed_offset.has_value(),
         buffer.fixed_offset.value_or(0), static_cast<int32_t>(i), -1});
  }
  std::stable_sort(result.items.begin(), result.items.end(),
                   [](const SearchItem& a, const SearchItem& b) {
                     return a.begin < b.begin;
                   });
  FindTwins(result.items);
  result.first_item.assign(slots.count + 1, 0);
  result.slot_first.assign(slots.count + 1, 0);
  for (const SearchItem& item : result.items) {
    ++result.first_item[item.begin + 1];
    for (int32_t s = item.begin; s < item.end; ++s) ++result.slot_first[s + 1];
  }
  std::partial_sum(result.first_item.begin(), result.first_item.end(),
                   result.first_item.begin());
  std::partial_sum(result.slot_first.begin(), result.slot_first.end(),
                   result.slot_first.begin());
  result.slot_items.resize(result.slot_first.back());
  std::vector<int32_t> next(result.slot_first.begin(),
                            result.slot_first.end() - 1);
  for (size_t i = 0; i < result.items.size(); ++i) {
    const SearchItem& item = result.items[i];
    for (int32_t s = item.begin; s < item.end; ++s) {
      result.slot_items[next[s]++] = static_cast<int32_t>(i);
    }
  }
  return result;
}

SearchState::SearchState(const SearchProblem& problem, int64_t height,
                         const PruningRules& rules)
    : problem_(problem),
      height_(height),
      rules_(rules),
      slots_(problem.num_slots),
      to_come_(problem.items.size()),
      lows_(problem.items.size(), 0),
      is_placed_(problem.items.size(), 0),
      is_touched_(problem.num_slots, 0) {
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const SearchItem& item = problem.items[i];
    if (item.is_fixed) lows_[i] = item.fixed_offset;
    to_come_[i] = {lows_[i], lows_[i] + item.size};
    for (int32_t s = item.begin; s < item.end; ++s) {
      slots_[s].remaining += item.size;
      if (s > item.begin) ++slots_[s].crossing;
    }
  }
}

void SearchState::UndoTo(const Mark& mark) {
  for (; slot_trail_.size() > mark.slots; slot_trail_.pop_back()) {
    slots_[slot_trail_.back().first] = slot_trail_.back().second;
  }
  for (; low_trail_.size() > mark.lows; low_trail_.pop_back()) {
    const auto [i, low] = low_trail_.back();
    lows_[i] = low;
    to_come_[i] = {low, low + problem_.items[i].size};
  }
  for (; placed_trail_.size() > mark.placed; placed_trail_.pop_back()) {
    const int32_t i = placed_trail_.back();
    is_placed_[i] = 0;
    to_come_[i] = {lows_[i], lows_[i] + problem_.items[i].size};
  }
}

bool SearchState::IsPossible() {
  for (int32_t s = 0; s < problem_.num_slots; ++s) Touch(s);
  bool is_possible = Settle();
  for (size_t i = 0; i < problem_.items.size(); ++i) {
    const int64_t end = lows_[i] + problem_.items[i].size;
    if (end <= height_) continue;
    FailedFor(end);
    is_possible = false;
  }
  return is_possible;
}

bool SearchState::Place(int32_t i) {
  const SearchItem& item = problem_.items[i];
  const int64_t top = lows_[i] + item.size;
  is_placed_[i] = 1;
  to_come_[i] = {kNever, kNever};
  placed_trail_.push_back(i);
  for (int32_t s = item.begin; s < item.end; ++s) {
    Touch(s);
    slots_[s].floor = top;
    slots_[s].remaining -= item.size;
    if (s > item.begin) --slots_[s].crossing;
  }
  // Whoever is live with it begins in one of its slots, or lives in its first.
  bool is_possible = true;
  for (int32_t other = problem_.first_item[item.begin];
       other < problem_.first_item[item.end]; ++other) {
    is_possible = Raise(other, top) && is_possible;
  }
  for (const int32_t other : problem_.ItemsAt(item.begin)) {
    is_possible = Raise(other, top) && is_possible;
  }
  return Settle() && is_possible;
}

bool SearchState::Lift(int32_t slot, int64_t floor) {
  Touch(slot);
  slots_[slot].floor = floor;
  bool is_possible = true;
  for (const int32_t item : problem_.ItemsAt(slot)) {
    is_possible = Raise(item, floor) && is_possible;
  }
  return Settle() && is_possible;
}

void SearchState::FailedFor(int64_t needed) {
  next_height_ = std::min(next_height_, needed);
}

void SearchState::Touch(int32_t slot) {
  if (is_touched_[slot]) return;
  is_touched_[slot] = 1;
  touched_.push_back(slot);
  slot_trail_.push_back({slot, slots_[slot]});
}

// An item to come must lie at `low` or above. Only slots in which it was the
// lowest in some way need another look.
bool SearchState::Raise(int32_t i, int64_t low) {
  const int64_t old_low = lows_[i];
  if (is_placed_[i] || old_low >= low) return true;
  const SearchItem& item = problem_.items[i];
  if (item.is_fixed) return false;
  low_trail_.push_back({i, old_low});
  lows_[i] = AlignUp(low, item.alignment);
  to_come_[i] = {lows_[i], lows_[i] + item.size};
  const int64_t old_top = old_low + item.size;
  for (int32_t s = item.begin; s < item.end; ++s) {
    const SlotState& slot = slots_[s];
    if (old_low <= slot.lowest || old_top <= slot.tops.second) Touch(s);
  }
  const int64_t top = lows_[i] + item.size;
  if (top <= height_) return true;
  FailedFor(top);
  return false;
}

bool SearchState::Settle() {
  bool is_possible = true;
  for (const int32_t s : touched_) {
    is_touched_[s] = 0;
    Recompute(s);
    SlotState& slot = slots_[s];
    if (slot.remaining == 0) continue;
    if (rules_.lift_floors) slot.floor = std::max(slot.floor, slot.lowest);
    const int64_t needed = slot.floor + slot.remaining;
    if (needed <= height_) continue;
    FailedFor(needed);
    is_possible = false;
  }
  touched_.clear();
  return is_possible;
}

void SearchState::Recompute(int32_t s) {
  int64_t lowest = kNever;
  LowestTops tops;
  if (slots_[s].remaining > 0) {
    for (const int32_t i : problem_.ItemsAt(s)) {
      const Range& range = to_come_[i];
      lowest = std::min(lowest, range.low);
      tops.Add(i, range.top);
    }
  }
  slots_[s].lowest = lowest;
  slots_[s].tops = tops;
}

}  // namespace memplan
