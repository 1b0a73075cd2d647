#ifndef MEMPLAN_PLANNER_SOLVERS_SMALL_APART_H_
#define MEMPLAN_PLANNER_SOLVERS_SMALL_APART_H_

#include <cstdint>
#include <vector>

#include "planner/problem.h"

namespace memplan {

// The buffers of a problem in two kinds, each by index, ascending.
struct SizeSplit {
  // With all that are fixed, without bytes, or oddly aligned.
  std::vector<int32_t> large;
  std::vector<int32_t> small;
};

// Parts off as many small buffers as it takes for the others to make about
// `max_pairs` pairs that live at once, as long as they have at most a hundredth
// of all bytes x steps. None where there are not too many pairs. O(n log n).
SizeSplit SplitBySize(const Problem& problem, int64_t max_pairs);

// The plan of the large ones, and the plan of the small ones above it.
Solution StackSmall(const Problem& problem, const SizeSplit& split,
                    const Solution& large, const Solution& small);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_SMALL_APART_H_
