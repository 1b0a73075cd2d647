#ifndef MEMPLAN_PLANNER_SWEEP_H_
#define MEMPLAN_PLANNER_SWEEP_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "planner/problem.h"

namespace memplan {

// A buffer begins to live, or is live no more.
struct SweepEvent {
  int64_t step;
  int32_t index;  // of the buffer in the problem
  bool is_begin;

  friend bool operator==(const SweepEvent&, const SweepEvent&) = default;
};

// The begins and ends of the buffers that `keep` lets pass, in the order of
// time; at one step the ends come first, and buffers by their index. Those that
// cannot conflict (bounds.h) are left out. O(n) for many buffers whose steps
// span little more than their number.
std::vector<SweepEvent> Sweep(const Problem& problem,
                              absl::FunctionRef<bool(const Buffer&)> keep);
std::vector<SweepEvent> Sweep(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SWEEP_H_
