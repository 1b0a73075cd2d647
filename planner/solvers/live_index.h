#ifndef MEMPLAN_PLANNER_SOLVERS_LIVE_INDEX_H_
#define MEMPLAN_PLANNER_SOLVERS_LIVE_INDEX_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "planner/solvers/slots.h"

namespace memplan {

// Finds the buffers that live during a range of slots: buffers by their first
// slot, and above them a binary tree of the latest end.
class LiveIndex {
 public:
  // Buffers with an empty range are never found. O(n log n).
  explicit LiveIndex(absl::Span<const SlotRange> ranges);

  // Appends who lives in at least one of the slots, ascending by first slot,
  // then by index. O((1 + e) log n + k) for k buffers, e of which live before.
  void Find(SlotRange slots, std::vector<int32_t>& found) const;

 private:
  void FindLater(size_t count, int32_t slot, std::vector<int32_t>& found) const;

  absl::Span<const SlotRange> ranges_;
  std::vector<int32_t> order_;        // buffers by first slot
  std::vector<int32_t> latest_ends_;  // heap order, leaves in order_'s order
  size_t leaves_ = 1;
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_LIVE_INDEX_H_
