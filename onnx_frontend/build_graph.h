#ifndef MEMPLAN_ONNX_FRONTEND_BUILD_GRAPH_H_
#define MEMPLAN_ONNX_FRONTEND_BUILD_GRAPH_H_

#include "absl/status/statusor.h"
#include "onnx_frontend/model_graph.h"
#include "onnx_frontend/read_model.h"

namespace memplan {

// Resolves the model's names: functions inlined by scope, bodies nested,
// Constant nodes turned into initializers, nodes stably sorted (with a warning
// where the file is not). Checks the graph; errors (InvalidArgument) name the
// place: an input that nobody produces, a value with two producers, a cycle,
// functions that call themselves, nesting past a limit. O(size of the model).
absl::StatusOr<ModelGraph> BuildGraph(const Model& model);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_BUILD_GRAPH_H_
