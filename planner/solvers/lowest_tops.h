#ifndef MEMPLAN_PLANNER_SOLVERS_LOWEST_TOPS_H_
#define MEMPLAN_PLANNER_SOLVERS_LOWEST_TOPS_H_

#include <algorithm>
#include <cstdint>
#include <limits>

namespace memplan {

// Of some items, each with a top (the lowest offset that it can still have,
// plus its size): the lowest top, whose it is, and the lowest of the others. So
// each item can be told, at once, the lowest top but its own.
struct LowestTops {
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  int64_t first = kNone;
  int64_t second = kNone;
  int32_t owner = -1;

  // Without branches: which is lower cannot be foretold.
  void Add(int32_t item, int64_t top) {
    second = std::min(second, std::max(first, top));
    owner = top < first ? item : owner;
    first = std::min(first, top);
  }

  // The items of both. An item may be in both, with the same top.
  void Add(const LowestTops& other) {
    if (other.owner == owner) {
      second = std::min(second, other.second);
    } else if (other.first < first) {
      second = std::min(first, other.second);
      first = other.first;
      owner = other.owner;
    } else {
      second = std::min(second, other.first);
    }
  }

  int64_t Without(int32_t item) const { return owner == item ? second : first; }
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_LOWEST_TOPS_H_
