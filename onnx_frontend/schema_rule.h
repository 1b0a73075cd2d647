#ifndef MEMPLAN_ONNX_FRONTEND_SCHEMA_RULE_H_
#define MEMPLAN_ONNX_FRONTEND_SCHEMA_RULE_H_

#include <optional>

#include "absl/status/status.h"
#include "onnx_frontend/node_context.h"

namespace memplan {

// The rule of the linked ONNX library, for operators that our own table lacks.
// Unset where the library does not know the operator at the model's opset: of a
// newer opset it may know an older, different rule, which is worse than none.
std::optional<absl::Status> ApplySchemaRule(NodeContext& node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_SCHEMA_RULE_H_
