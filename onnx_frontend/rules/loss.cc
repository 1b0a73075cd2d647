// Losses.

#include <optional>
#include <utility>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// Inputs: scores [N, C, D1..Dn], labels [N, D1..Dn]. Unreduced, the loss has
// the labels' shape.
absl::Status SetLoss(NodeContext& node) {
  const Shape* scores = node.shape(0);
  std::optional<Shape> result = Shape{};
  if (node.String("reduction", "mean") == "none") {
    result = node.input(1).shape;
    if (!result.has_value() && scores != nullptr && scores->size() > 1) {
      result = *scores;
      result->erase(result->begin() + 1);
    }
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Output 1: the logarithms of the probabilities.
absl::Status SoftmaxCrossEntropyLoss(NodeContext& node) {
  node.SetOutput(1, node.input(0));
  return SetLoss(node);
}

constexpr RuleRow kRows[] = {
    {"", "NegativeLogLikelihoodLoss", 12, SetLoss,
     "Operators.md#NegativeLogLikelihoodLoss"},
    {"", "SoftmaxCrossEntropyLoss", 12, SoftmaxCrossEntropyLoss,
     "Operators.md#SoftmaxCrossEntropyLoss"},
};

}  // namespace

absl::Span<const RuleRow> LossRules() { return kRows; }

}  // namespace memplan
