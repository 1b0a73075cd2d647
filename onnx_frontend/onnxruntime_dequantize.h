#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_DEQUANTIZE_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_DEQUANTIZE_H_

#include <vector>

#include "onnx_frontend/model_graph.h"

namespace memplan {

// Gives each slot that reads a DequantizeLinear's output one of its own, as
// ONNX Runtime does when it loads a model. The first keeps the original, which
// is left to the user and to bodies where these read it, too. Returns for each
// new value, in their order, of which it is a copy.
// (core/optimizer/qdq_transformer/ensure_unique_dq_for_node_unit.cc.)
std::vector<ValueIndex> RepeatDequantize(ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_DEQUANTIZE_H_
