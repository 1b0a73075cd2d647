#ifndef MEMPLAN_PLANNER_SOLVERS_STRATEGY_H_
#define MEMPLAN_PLANNER_SOLVERS_STRATEGY_H_

#include <cstdint>
#include <vector>

#include "planner/solvers/search_state.h"

namespace memplan {

// Which of the competing buffers is tried first.
enum class Preference { kDuration, kArea, kBreadth, kSize };
// Which slot is branched on, of those with the fewest options.
enum class SlotChoice {
  kLowestFloor,
  kLeastSlack,
  kAlwaysLowest,  // the lowest floor, however many options
};

// How a search goes about it. None changes the answer, but each is fast where
// others are lost.
struct Strategy {
  Preference preference = Preference::kDuration;
  SlotChoice slot_choice = SlotChoice::kLowestFloor;
  uint64_t seed = 0;  // not 0: the preference is shaken up by it

  friend bool operator==(const Strategy&, const Strategy&) = default;
};

// By item: its place in the strategy's order of preference, 0 first. `state`
// has nothing placed yet.
std::vector<int32_t> RankItems(const SearchProblem& problem,
                               const SearchState& state,
                               const Strategy& strategy);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_STRATEGY_H_
