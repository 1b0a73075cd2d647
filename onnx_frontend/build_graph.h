#ifndef MEMPLAN_ONNX_FRONTEND_BUILD_GRAPH_H_
#define MEMPLAN_ONNX_FRONTEND_BUILD_GRAPH_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "onnx_frontend/expansion.h"
#include "onnx_frontend/model_graph.h"
#include "onnx_frontend/read_model.h"

namespace memplan {

// Resolves the model's names: functions inlined by scope, bodies nested,
// Constant nodes turned into initializers, nodes stably sorted (with a warning
// where the file is not). Checks the graph; errors (InvalidArgument) name the
// place: an input that nobody produces, a value with two producers, a cycle,
// functions that call themselves, nesting past a limit. O(size of the model).
absl::StatusOr<ModelGraph> BuildGraph(const Model& model);

// Whether the operator's outputs can be inferred from its inputs as it is. One
// that the specification defines by a function, and that has no rule, is
// expanded to the function's nodes, as runtimes do that lack a kernel.
using HasRule = std::function<bool(const std::string& domain,
                                   const std::string& op, int64_t opset)>;

// The same, with other rules than ours.
absl::StatusOr<ModelGraph> BuildGraph(const Model& model,
                                      const HasRule& has_rule);

// The same, with our rules, and with these nodes expanded. The new nodes, and
// those of the model's functions, count as behind all others of the body, in
// the order of the calls: so a runtime numbers them that adds them to a graph.
absl::StatusOr<ModelGraph> BuildGraph(const Model& model,
                                      const Expansions& expansions);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_BUILD_GRAPH_H_
