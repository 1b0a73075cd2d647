#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_CAST_PAIRS_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_CAST_PAIRS_H_

#include <vector>

#include "onnx_frontend/model_graph.h"

namespace memplan {

// Takes Casts that follow each other out of the graph, as ONNX Runtime does
// with every model that it loads, at each level of optimisation. A Cast back to
// the type that another Cast started from goes; so does the first of two where
// nobody else reads it. Not where that would give back precision that a Cast of
// the model takes; Casts that the runtime inserted (by their name) take none.
// Which nodes are gone, by node: they stand in no body any more.
// (core/optimizer/insert_cast_transformer.cc.)
std::vector<bool> RemoveCastPairs(ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_CAST_PAIRS_H_
