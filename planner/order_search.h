#ifndef MEMPLAN_PLANNER_ORDER_SEARCH_H_
#define MEMPLAN_PLANNER_ORDER_SEARCH_H_

#include <cstdint>
#include <vector>

#include "planner/order_problem.h"

namespace memplan {

// A good order of one body's steps.
struct FoundOrder {
  std::vector<int32_t> order;  // all steps
  int64_t peak = 0;            // the most live bytes at any of them
  bool proved = false;         // no order has less
};

// Searches from the file's order on, and from another one, whichever is better:
// exactly where that is within reach, else by beam and by exact search in
// windows around the worst steps. Takes its search nodes from `effort` (and
// stops at 0); the same effort always gives the same order. Never worse than
// either. See order_search.cc.
FoundOrder SearchOrder(const OrderProblem& problem,
                       const std::vector<int32_t>& other, int64_t& effort);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_ORDER_SEARCH_H_
