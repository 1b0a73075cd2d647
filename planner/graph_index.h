#ifndef MEMPLAN_PLANNER_GRAPH_INDEX_H_
#define MEMPLAN_PLANNER_GRAPH_INDEX_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/graph.h"

namespace memplan {

// The graph read backwards: who produces a value, who encloses a node.
struct GraphIndex {
  std::vector<std::optional<NodeIndex>> producer;  // by value
  // By value: the body that produces or receives it. Graph inputs, initializers
  // (a body's, too) and values that nobody produces count as the main graph's.
  std::vector<BodyIndex> home;
  std::vector<BodyIndex> body_of;               // by node
  std::vector<std::optional<NodeIndex>> owner;  // by body; unset for the main
  std::vector<int32_t> depth;                   // by body; the main graph has 0
};

// `graph` must have passed CheckGraph. O(size of the graph), no recursion.
GraphIndex IndexGraph(const Graph& graph);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_GRAPH_INDEX_H_
