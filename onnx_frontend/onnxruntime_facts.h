#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_FACTS_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_FACTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/expansion.h"
#include "onnx_frontend/model_graph.h"
#include "onnx_frontend/read_model.h"
#include "planner/onnxruntime_rules.h"

namespace memplan {

// What ONNX Runtime knows of the model when it loads it: shapes without the
// numbers that the user gives for symbols, and what its CPU kernels declare of
// aliases and in-place. Indices agree with the graph that is built with these
// expansions.
absl::StatusOr<OnnxRuntimeFacts> OnnxRuntimeFactsOf(
    const Model& model, const Expansions& expansions = {});

// What the node's CPU kernel declares.
std::vector<ShareRule> OnnxRuntimeRulesOf(const ModelNode& node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_FACTS_H_
