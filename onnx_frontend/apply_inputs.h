#ifndef MEMPLAN_ONNX_FRONTEND_APPLY_INPUTS_H_
#define MEMPLAN_ONNX_FRONTEND_APPLY_INPUTS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/model_graph.h"

namespace memplan {

// What binding the inputs came to.
struct BoundInputs {
  std::map<std::string, int64_t> dims;  // every symbol that has a number now
  // The user gave an input another shape than the model declares: what else it
  // declares need not hold, either.
  bool contradicts_model = false;
};

// Gives the main graph's inputs their types and contents, from what the model
// declares and the user says, and every declared type of the model the symbols'
// numbers. Errors (UsageError): unknown names, with the nearest one; a symbol
// with two numbers; ranks, element counts or types that do not fit the model.
absl::StatusOr<BoundInputs> ApplyInputs(const InputOptions& options,
                                        ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_APPLY_INPUTS_H_
