#ifndef MEMPLAN_PLANNER_SOLVERS_EXACT_SEARCH_H_
#define MEMPLAN_PLANNER_SOLVERS_EXACT_SEARCH_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "planner/solvers/search_state.h"
#include "planner/solvers/strategy.h"

namespace memplan {

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
