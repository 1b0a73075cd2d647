#ifndef MEMPLAN_ONNX_FRONTEND_SCHEMA_FUNCTION_H_
#define MEMPLAN_ONNX_FRONTEND_SCHEMA_FUNCTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"

namespace memplan {

// An operator that the specification defines by a function of others.
struct SchemaFunction {
  const onnx::FunctionProto* body = nullptr;   // the library's
  std::vector<onnx::AttributeProto> defaults;  // of the operator's attributes
};

// What the linked ONNX library knows of the operator at this opset. Unset where
// it has inference for the operator, where the operator is no function, or one
// whose body depends on the types of its inputs.
std::optional<SchemaFunction> FindSchemaFunction(const std::string& domain,
                                                 const std::string& op,
                                                 int64_t opset);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_SCHEMA_FUNCTION_H_
