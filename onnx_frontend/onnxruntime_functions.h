#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_FUNCTIONS_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_FUNCTIONS_H_

#include "absl/status/statusor.h"
#include "onnx_frontend/expansion.h"
#include "onnx_frontend/model_graph.h"
#include "onnx_frontend/read_model.h"

namespace memplan {

// The operators of the model for which ONNX Runtime (1.30, CPU) has no kernel,
// and runs the nodes of the function that defines them: of the specification,
// or, for its own operators, of contrib_defs.cc. The same operator may have a
// kernel for float32 alone. Nodes that the call of another function holds are
// found as well. Errors: those of BuildGraph.
absl::StatusOr<Expansions> OnnxRuntimeExpansions(const Model& model);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_FUNCTIONS_H_
