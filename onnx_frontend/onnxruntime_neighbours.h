#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_NEIGHBOURS_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_NEIGHBOURS_H_

#include <vector>

#include "onnx_frontend/model_graph.h"
#include "planner/graph_index.h"
#include "planner/timeline.h"

namespace memplan {

// Who makes and reads what, as ONNX Runtime's graph has it: edges lie within
// one body; what a body captures is read by the node around it.
struct Neighbours {
  GraphIndex index;
  Schedule schedule;                                 // OnnxRuntimeOrder
  std::vector<std::vector<NodeIndex>> by_file_slot;  // by body
  std::vector<std::vector<NodeIndex>> readers;  // by value: of its own body
  std::vector<bool> is_output;                  // by value: of any body
};

// O(n log n).
Neighbours NeighboursOf(const ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_NEIGHBOURS_H_
