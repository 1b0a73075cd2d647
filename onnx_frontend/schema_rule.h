#ifndef MEMPLAN_ONNX_FRONTEND_SCHEMA_RULE_H_
#define MEMPLAN_ONNX_FRONTEND_SCHEMA_RULE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "onnx_frontend/node_context.h"

namespace onnx {
class OpSchema;
}  // namespace onnx

namespace memplan {

// Null where the linked ONNX library does not know the operator at this opset:
// of a newer opset it may know an older, different operator, which is worse
// than none. It may throw.
const onnx::OpSchema* FindSchema(const std::string& domain,
                                 const std::string& op, int64_t opset);

// The rule of the linked ONNX library, for operators that our own table lacks.
// Unset where it has none.
std::optional<absl::Status> ApplySchemaRule(NodeContext& node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_SCHEMA_RULE_H_
