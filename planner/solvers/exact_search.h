#ifndef MEMPLAN_PLANNER_SOLVERS_EXACT_SEARCH_H_
#define MEMPLAN_PLANNER_SOLVERS_EXACT_SEARCH_H_

#include <cstdint>
#include <functional>
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

struct SearchOutcome {
  enum class Kind {
    kFound,       // `offsets` is a plan within the height
    kImpossible,  // proved: there is none
    kGivenUp,     // the nodes were used up, or `stop` said so
  };
  Kind kind = Kind::kGivenUp;
  std::vector<int64_t> offsets;  // by item
  // kImpossible: no plan is lower than this; kNever: there is no plan at all.
  int64_t next_height = kNever;
  int64_t nodes = 0;
};

// Is there a plan of at most `height` bytes? Complete: with enough nodes it
// finds one or proves that there is none. Visits at most `max_nodes` nodes;
// `stop` is called every 256 nodes with their number and ends the search by
// returning true. All sums in the problem must be below 2^61.
SearchOutcome SearchAt(const SearchProblem& problem, int64_t height,
                       const Strategy& strategy, const PruningRules& rules,
                       int64_t max_nodes,
                       const std::function<bool(int64_t nodes)>& stop);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_EXACT_SEARCH_H_
