#ifndef MEMPLAN_PLANNER_ORDER_PROBLEM_H_
#define MEMPLAN_PLANNER_ORDER_PROBLEM_H_

#include <cstdint>
#include <vector>

#include "planner/graph.h"
#include "planner/storage.h"

namespace memplan {

// The order of one body's nodes as a puzzle of its own. Views are united with
// their base beforehand (which views share does not depend on the order), so
// that what is live after a set of steps depends on the set alone, not on the
// order within it: the property that the exact search rests on.
struct OrderProblem {
  // Bytes that several values share as views.
  struct Group {
    int64_t size = 0;              // rounded up to the alignment, > 0
    std::vector<int32_t> readers;  // steps, each once, ascending
    bool stays = false;            // to the end of the body
  };
  // Output `write` may overwrite `read`, if no step still has to read that.
  struct InPlace {
    int32_t write = 0;
    int32_t read = 0;
  };
  struct Step {
    NodeIndex node = 0;
    std::vector<int32_t> before;    // steps that must come earlier
    std::vector<int32_t> after;     // the other direction
    std::vector<int32_t> reads;     // groups, each once
    std::vector<int32_t> writes;    // groups that begin here
    std::vector<InPlace> in_place;  // preferred first
    int64_t inside = 0;             // bytes that its bodies need at most
  };

  std::vector<Step> steps;  // in file order: 0, 1, 2, ... is an order
  std::vector<Group> groups;
  int64_t live_at_start = 0;  // groups that no step writes
};

// What is live when the steps run in some order from the start: while each of
// them runs, and after it.
struct OrderTrace {
  std::vector<int64_t> during;
  std::vector<int64_t> after;
  int64_t peak = 0;
};
OrderTrace TraceOrder(const OrderProblem& problem,
                      const std::vector<int32_t>& order);

// The puzzle of each body, `inside` still 0. O(size of the graph).
std::vector<OrderProblem> MakeOrderProblems(const Graph& graph,
                                            const StorageOptions& storage,
                                            int64_t alignment);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_ORDER_PROBLEM_H_
