#ifndef MEMPLAN_ONNX_FRONTEND_SORT_NODES_H_
#define MEMPLAN_ONNX_FRONTEND_SORT_NODES_H_

#include "absl/status/status.h"
#include "onnx_frontend/model_graph.h"

namespace memplan {

// Puts each body's nodes into an order that can run: the file's where it can,
// else the one that stays closest to it (of the nodes that are ready, always
// the first in the file), with a warning. What a body inside a node reads from
// around it counts as read by the node. Errors (InvalidArgument): a cycle,
// named. O(n log n).
absl::Status SortNodes(ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_SORT_NODES_H_
