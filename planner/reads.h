#ifndef MEMPLAN_PLANNER_READS_H_
#define MEMPLAN_PLANNER_READS_H_

#include <cstdint>
#include <vector>

#include "planner/graph.h"
#include "planner/graph_index.h"

namespace memplan {

// By node: what it reads of the values that stand in its own body (or, in the
// main graph, come from outside): its inputs, then what its bodies capture,
// however deep; each value once, in the order of the file. O(size of the
// graph); `graph` must have passed CheckGraph.
std::vector<std::vector<ValueIndex>> ReadsByNode(const Graph& graph,
                                                 const GraphIndex& index);

// The captured ones alone, also those that are among the node's inputs.
std::vector<std::vector<ValueIndex>> CapturesByNode(const Graph& graph,
                                                    const GraphIndex& index);

enum class KeptOrder {
  kNone,          // data alone decides
  kAmongKeepers,  // nodes that keep their order (or enclose one that does) stay
                  // in file order among each other
};

// By body, by position in its file order: the positions of the nodes that must
// run before this one. Sorted, each once. O(size of the graph).
std::vector<std::vector<std::vector<int32_t>>> Predecessors(
    const Graph& graph, const GraphIndex& index, KeptOrder kept);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_READS_H_
