#include "planner/solvers/strategy.h"

#include <algorithm>

#include "planner/solvers/noise.h"

namespace memplan {

std::vector<int32_t> RankItems(const SearchProblem& problem,
                               const SearchState& state,
                               const Strategy& strategy) {
  struct Keyed {
    double key;
    int64_t tie;
    int32_t item;
  };
  std::vector<Keyed> keyed;
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const SearchItem& item = problem.items[i];
    const double size = static_cast<double>(item.size);
    const double duration = item.end - item.begin;
    int64_t breadth = 0;
    if (strategy.preference == Preference::kBreadth) {
      for (int32_t s = item.begin; s < item.end; ++s) {
        breadth = std::max(breadth, state.slot(s).remaining);
      }
    }
    double key = 0;
    switch (strategy.preference) {
      case Preference::kDuration:
        key = duration;
        break;
      case Preference::kArea:
        key = duration * size;
        break;
      case Preference::kBreadth:
        key = static_cast<double>(breadth);
        break;
      case Preference::kSize:
        key = size;
        break;
    }
    if (strategy.seed != 0) {
      // A factor from [0.75, 1.25).
      key *= 0.75 + 0.5 * Noise(strategy.seed * 0x10001 + i);
    }
    const int64_t tie = strategy.preference == Preference::kBreadth
                            ? item.end - item.begin
                            : item.size;
    keyed.push_back({key, tie, static_cast<int32_t>(i)});
  }
  std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
    if (a.key != b.key) return a.key > b.key;
    return a.tie != b.tie ? a.tie > b.tie : a.item < b.item;
  });
  std::vector<int32_t> ranks(problem.items.size());
  for (size_t i = 0; i < keyed.size(); ++i) {
    ranks[keyed[i].item] = static_cast<int32_t>(i);
  }
  return ranks;
}

}  // namespace memplan
