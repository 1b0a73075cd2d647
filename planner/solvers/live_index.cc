#include "planner/solvers/live_index.h"

#include <algorithm>

namespace memplan {

LiveIndex::LiveIndex(absl::Span<const SlotRange> ranges) : ranges_(ranges) {
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].begin < ranges[i].end) {
      order_.push_back(static_cast<int32_t>(i));
    }
  }
  std::stable_sort(order_.begin(), order_.end(), [&](int32_t a, int32_t b) {
    return ranges[a].begin < ranges[b].begin;
  });
  while (leaves_ < order_.size()) leaves_ *= 2;
  latest_ends_.assign(2 * leaves_, 0);
  for (size_t k = 0; k < order_.size(); ++k) {
    latest_ends_[leaves_ + k] = ranges[order_[k]].end;
  }
  for (size_t node = leaves_ - 1; node > 0; --node) {
    latest_ends_[node] =
        std::max(latest_ends_[2 * node], latest_ends_[2 * node + 1]);
  }
}

void LiveIndex::Find(SlotRange slots, std::vector<int32_t>& found) const {
  const auto first_not_before = [&](int32_t slot) {
    return std::partition_point(order_.begin(), order_.end(), [&](int32_t i) {
      return ranges_[i].begin < slot;
    });
  };
  const auto begins = first_not_before(slots.begin);
  const auto end = first_not_before(slots.end);
  FindLater(static_cast<size_t>(begins - order_.begin()), slots.begin, found);
  found.insert(found.end(), begins, end);
}

// Appends which of the first `count` in order_ end after `slot`.
void LiveIndex::FindLater(size_t count, int32_t slot,
                          std::vector<int32_t>& found) const {
  // Depth first, left before right, until the way back up ends at the root.
  size_t node = 1;
  size_t first_leaf = 0;   // of the node
  size_t width = leaves_;  // leaves of the node
  while (true) {
    const bool is_hit = first_leaf < count && latest_ends_[node] > slot;
    if (is_hit && width > 1) {
      node *= 2;
      width /= 2;
      continue;
    }
    if (is_hit) found.push_back(order_[first_leaf]);
    for (; node % 2 == 1; node /= 2, width *= 2) {
      if (node == 1) return;
      first_leaf -= width;
    }
    first_leaf += width;
    ++node;
  }
}

}  // namespace memplan
