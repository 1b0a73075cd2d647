#ifndef MEMPLAN_PLANNER_ORDER_ONNXRUNTIME_H_
#define MEMPLAN_PLANNER_ORDER_ONNXRUNTIME_H_

#include "planner/graph.h"
#include "planner/reads.h"
#include "planner/timeline.h"

namespace memplan {

// The order in which ONNX Runtime runs the nodes by default, for a graph that
// it does not optimise: depth first from the nodes that nobody reads back to
// what they read. The leaf with the highest position in the file comes first,
// and so does, of a node's producers, the one with the highest position; a node
// runs once all of them have. What a body captures counts as read by the node
// around it. The runtime knows no side effects; with kAmongKeepers, nodes that
// keep their order do so. O(size of the graph), no recursion; `graph` must have
// passed CheckGraph.
Schedule OnnxRuntimeOrder(const Graph& graph,
                          KeptOrder kept = KeptOrder::kNone);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_ORDER_ONNXRUNTIME_H_
