// A binary tree over time whose nodes remember bytes. A buffer that is placed
// for some slots of time is entered
// - as "whole" in the few nodes that make up exactly those slots,
// - as "any" in these nodes and all above them.
//
//                 any: union of all
//              [0,4)
//             /      \             a buffer during [1,4):
//         [0,2)      [2,4) whole     whole in [1,2) and [2,4),
//         /  \       /  \            any in those, [0,2) and [0,4)
//      [0)  [1)    [2)  [3)
//           whole
//
// The bytes taken during a range of slots are then the "any" of the nodes that
// make it up and the "whole" of all nodes above those: O(log n) sorted lists,
// however many buffers are live. Each list keeps the union only, and packed
// buffers have a union of few ranges: near the root, where most buffers add
// up, usually one.
#include "planner/solvers/occupancy.h"

#include <algorithm>
#include <limits>

#include "planner/checked_math.h"

namespace memplan {
namespace {

constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

// Calls f for the tree nodes that together are exactly the slots. Nodes are
// numbered as in a heap: the root is 1, the leaf of slot i is leaves + i.
template <typename F>
void ForEachPart(int32_t leaves, int32_t slot_begin, int32_t slot_end, F f) {
  int32_t left = slot_begin + leaves;
  int32_t right = slot_end + leaves;
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2 == 1) f(left++);
    if (right % 2 == 1) f(--right);
  }
}

// Calls f for the nodes that have some of the slots, but others too: those
// above the first slot that do not begin with it, and those above the last
// that do not end with it.
template <typename F>
void ForEachAbove(int32_t leaves, int32_t slot_begin, int32_t slot_end, F f) {
  const int32_t left = slot_begin + leaves;
  const int32_t right = slot_end + leaves;
  for (int32_t level = 1; (leaves >> level) > 0; ++level) {
    const int32_t first = left >> level;
    const int32_t last = (right - 1) >> level;
    const bool cuts_left = (first << level) != left;
    const bool cuts_right = ((last + 1) << level) != right;
    if (cuts_left) f(first);
    if (cuts_right && !(cuts_left && first == last)) f(last);
  }
}

}  // namespace

Occupancy::Occupancy(int32_t num_slots, absl::Span<const SlotRange> ranges)
    : leaves_(1) {
  while (leaves_ < num_slots) leaves_ *= 2;
  index_.assign(2 * static_cast<size_t>(leaves_), -1);
  int32_t count = 0;
  for (const SlotRange& range : ranges) {
    ForEachPart(leaves_, range.begin, range.end, [&](int32_t node) {
      if (index_[node] < 0) index_[node] = count++;
    });
  }
  whole_.resize(count);
  any_.resize(count);
}

void Occupancy::Add(int32_t slot_begin, int32_t slot_end, int64_t byte_begin,
                    int64_t byte_end) {
  const Range range = {byte_begin, byte_end};
  ForEachPart(leaves_, slot_begin, slot_end, [&](int32_t node) {
    Unite(whole_[index_[node]], range);
    Unite(any_[index_[node]], range);
    work_ += 2;
  });
  ForEachAbove(leaves_, slot_begin, slot_end, [&](int32_t node) {
    if (index_[node] < 0) return;
    Unite(any_[index_[node]], range);
    ++work_;
  });
}

int64_t Occupancy::Find(int32_t slot_begin, int32_t slot_end, int64_t size,
                        int64_t alignment, Fit fit) {
  WatchAll(slot_begin, slot_end);
  int64_t best_offset = -1;
  int64_t best_size = kForever;
  int64_t free_begin = FirstFree(0);
  while (true) {
    const int64_t free_end = FreeUntil();
    const int64_t offset = AlignUp(free_begin, alignment);
    if (free_end == kForever) return best_offset >= 0 ? best_offset : offset;
    if (free_end - offset >= size && free_end - free_begin < best_size) {
      best_offset = offset;
      best_size = free_end - free_begin;
      if (fit == Fit::kLowest || best_size == size) return best_offset;
    }
    free_begin = FirstFree(free_end);
  }
}

// Adds a range, joined with those that it overlaps or touches.
void Occupancy::Unite(Ranges& ranges, Range range) {
  const auto first = std::lower_bound(
      ranges.begin(), ranges.end(), range.begin,
      [](const Range& r, int64_t begin) { return r.end < begin; });
  auto last = first;
  while (last != ranges.end() && last->begin <= range.end) {
    range.begin = std::min(range.begin, last->begin);
    range.end = std::max(range.end, last->end);
    ++last;
  }
  if (first == last) {
    ranges.insert(first, range);
    return;
  }
  *first = range;
  ranges.erase(first + 1, last);
}

void Occupancy::Watch(const Ranges& ranges) {
  if (ranges.empty()) return;
  cursors_.push_back({ranges.data(), ranges.data() + ranges.size()});
}

void Occupancy::WatchAll(int32_t slot_begin, int32_t slot_end) {
  cursors_.clear();
  ForEachPart(leaves_, slot_begin, slot_end,
              [&](int32_t node) { Watch(any_[index_[node]]); });
  ForEachAbove(leaves_, slot_begin, slot_end, [&](int32_t node) {
    if (index_[node] >= 0) Watch(whole_[index_[node]]);
  });
}

// The lowest byte from `from` on that no list has.
int64_t Occupancy::FirstFree(int64_t from) {
  bool moved = true;
  while (moved) {
    moved = false;
    work_ += static_cast<int64_t>(cursors_.size());
    for (Cursor& cursor : cursors_) {
      while (cursor.at != cursor.end && cursor.at->end <= from) {
        ++cursor.at;
        ++work_;
      }
      if (cursor.at == cursor.end || cursor.at->begin > from) continue;
      from = cursor.at->end;
      moved = true;
    }
  }
  return from;
}

// Where the free bytes that begin at `from` end, once FirstFree has moved every
// cursor to the first range that ends above it.
int64_t Occupancy::FreeUntil() const {
  int64_t until = kForever;
  for (const Cursor& cursor : cursors_) {
    if (cursor.at != cursor.end) until = std::min(until, cursor.at->begin);
  }
  return until;
}

}  // namespace memplan
