// Into and out of quantized element types. The shapes stay.

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// The type: output_dtype (from opset 21 on), else the zero point's, else uint8.
absl::Status QuantizeLinear(NodeContext& node) {
  const ElementType otherwise =
      node.HasInput(2) ? node.element(2) : ElementType::kUint8;
  node.SetTensor(0, ElementAttribute(node, "output_dtype", otherwise),
                 node.input(0).shape);
  return absl::OkStatus();
}

// Until opset 18, the scale is float; then the output has its type, unless
// output_dtype (from opset 23 on) says another.
absl::Status DequantizeLinear(NodeContext& node) {
  const ElementType scale =
      node.opset() >= 19 ? node.element(1) : ElementType::kFloat;
  node.SetTensor(0, ElementAttribute(node, "output_dtype", scale),
                 node.input(0).shape);
  return absl::OkStatus();
}

// Outputs: y, its scale, its zero point.
absl::Status DynamicQuantizeLinear(NodeContext& node) {
  node.SetTensor(0, ElementType::kUint8, node.input(0).shape);
  node.SetTensor(1, ElementType::kFloat, Shape{});
  node.SetTensor(2, ElementType::kUint8, Shape{});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "DequantizeLinear", 10, DequantizeLinear,
     "Operators.md#DequantizeLinear"},
    {"", "DynamicQuantizeLinear", 11, DynamicQuantizeLinear,
     "Operators.md#DynamicQuantizeLinear"},
    {"", "QuantizeLinear", 10, QuantizeLinear, "Operators.md#QuantizeLinear"},
};

}  // namespace

absl::Span<const RuleRow> QuantizationRules() { return kRows; }

}  // namespace memplan
