#include <optional>
#include <string>
#include <vector>

#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Optimizers step several tensors at once: R, T, then all of X, all of their
// gradients, and all of each state. Outputs: all new X, and all of each new
// state.
// https://github.com/onnx/onnx/blob/main/docs/Operators.md#ai.onnx.preview.training

template <size_t kStates>
absl::Status Optimizer(NodeContext& node) {
  constexpr size_t kGroups = kStates + 2;
  const size_t tensors = node.num_inputs() < 2 ? 0 : node.num_inputs() - 2;
  if (tensors == 0 || tensors % kGroups != 0) {
    return node.Error("the number of inputs does not fit");
  }
  const size_t count = tensors / kGroups;
  for (size_t i = 0; i < count; ++i) {
    SetLike(node, i, 2 + i);
    for (size_t state = 0; state < kStates; ++state) {
      const size_t output = (1 + state) * count + i;
      SetLike(node, output, 2 + (2 + state) * count + i);
    }
  }
  return absl::OkStatus();
}

// The derivative of y by each of the first inputs, which attribute `xs` names.
absl::Status Gradient(NodeContext& node) {
  const size_t count =
      node.Strings("xs").value_or(std::vector<std::string>()).size();
  for (size_t i = 0; i < count; ++i) SetLike(node, i, i);
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"ai.onnx.preview.training", "Adagrad", 1, Optimizer<1>,
     "Operators.md#ai.onnx.preview.training.Adagrad"},
    {"ai.onnx.preview.training", "Adam", 1, Optimizer<2>,
     "Operators.md#ai.onnx.preview.training.Adam"},
    {"ai.onnx.preview.training", "Gradient", 1, Gradient,
     "Operators.md#ai.onnx.preview.training.Gradient"},
    {"ai.onnx.preview.training", "Momentum", 1, Optimizer<1>,
     "Operators.md#ai.onnx.preview.training.Momentum"},
};

}  // namespace

absl::Span<const RuleRow> PreviewTrainingRules() { return kRows; }

}  // namespace memplan
