#include "onnx_frontend/schema_function.h"

#include <exception>
#include <utility>

#include "onnx/defs/schema.h"
#include "onnx_frontend/schema_rule.h"

namespace memplan {

std::optional<SchemaFunction> FindSchemaFunction(const std::string& domain,
                                                 const std::string& op,
                                                 int64_t opset) {
  try {
    const onnx::OpSchema* schema = FindSchema(domain, op, opset);
    if (schema == nullptr || !schema->HasFunction() ||
        schema->has_type_and_shape_inference_function()) {
      return std::nullopt;
    }
    SchemaFunction function;
    function.body = schema->GetFunction();
    if (function.body == nullptr) return std::nullopt;
    for (const auto& [name, attribute] : schema->attributes()) {
      if (!attribute.default_value.has_name()) continue;
      function.defaults.push_back(attribute.default_value);
    }
    return function;
  } catch (const std::exception&) {
    return std::nullopt;  // the node is then one that nobody knows
  }
}

}  // namespace memplan
