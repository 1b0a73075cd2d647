#ifndef MEMPLAN_PLANNER_SOLVERS_PORTFOLIO_H_
#define MEMPLAN_PLANNER_SOLVERS_PORTFOLIO_H_

#include <cstdint>
#include <functional>

#include "planner/problem.h"
#include "planner/solvers/search_state.h"
#include "planner/solvers/stop_condition.h"

namespace memplan {

struct PortfolioOptions {
  int64_t max_nodes = 0;  // in all
  int threads = 1;        // no influence on the result
  PruningRules rules;
  // Called now and then from several threads; true ends the search.
  StopCondition should_stop;
  // Called now and then from the calling thread.
  std::function<void(int64_t arena_size, int64_t lower_bound, int64_t nodes)>
      progress;
};

struct PortfolioResult {
  Solution solution;        // the best that is known
  int64_t lower_bound = 0;  // the best that is proved
  int64_t nodes = 0;
  bool was_stopped = false;  // by should_stop
};

// Lowers the arena of `start`, a plan of `problem`, until it is no larger than
// `goal` or than the lower bound, which rises as heights are refuted; or until
// the nodes are used up. All sums in the problem must be below 2^61.
PortfolioResult SearchPortfolio(const Problem& problem, const Solution& start,
                                int64_t lower_bound, int64_t goal,
                                const PortfolioOptions& options);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_PORTFOLIO_H_
