#include "onnx_frontend/fold/elementwise.h"

#include <algorithm>

#include "onnx_frontend/fold/fraction.h"
#include "onnx_frontend/fold/number_format.h"

namespace memplan {
namespace {

// Add-6 and its like: b's dimensions stand from `axis` on, so that it
// broadcasts as if it had ones behind.
void AlignToAxis(const NodeContext& node, size_t rank, TensorValue& b) {
  if (node.opset() >= 7 || node.Int("broadcast", 0) == 0) return;
  if (!node.HasAttribute("axis")) return;
  const auto axis = NormalAxis(node.Int("axis", 0), rank);
  if (!axis || *axis + b.shape.size() > rank) return;
  b.shape.resize(rank - *axis, 1);
}

}  // namespace

std::optional<std::pair<TensorValue, TensorValue>> Broadcast(
    const TensorValue& a, const TensorValue& b) {
  if (a.shape == b.shape) return std::pair(a, b);
  const auto shape = BroadcastShapes(a.shape, b.shape);
  if (!shape) return std::nullopt;
  const auto a_positions = BroadcastPositions(a.shape, *shape);
  const auto b_positions = BroadcastPositions(b.shape, *shape);
  if (!a_positions || !b_positions) return std::nullopt;
  return std::pair(Take(a, *shape, *a_positions),
                   Take(b, *shape, *b_positions));
}

std::optional<std::pair<TensorValue, TensorValue>> BroadcastInputs(
    const NodeContext& node, size_t a, size_t b) {
  if (ContentOf(node, a) == nullptr && ContentOf(node, b) == nullptr) {
    return std::nullopt;
  }
  const auto left = ContentOrUnknown(node, a);
  auto right = ContentOrUnknown(node, b);
  if (!left || !right || left->element != right->element) return std::nullopt;
  AlignToAxis(node, left->shape.size(), *right);
  return Broadcast(*left, *right);
}

TensorValue Combine(const TensorValue& a, const TensorValue& b,
                    const BinaryOperation& operation) {
  TensorValue result;
  result.element = a.element;
  result.shape = a.shape;
  if (a.is_float()) {
    if (a.is_partly_known_float() || b.is_partly_known_float()) {
      if (operation.fractions == nullptr) {
        return UnknownContent(a.element, a.shape);
      }
      return operation.fractions(AsFractions(a), AsFractions(b));
    }
    if (operation.floats == nullptr || !HasFloatArithmetic(a.element)) {
      return UnknownContent(a.element, a.shape);
    }
    result.floats.reserve(a.floats.size());
    for (size_t i = 0; i < a.floats.size(); ++i) {
      result.floats.push_back(
          RoundToType(a.element, operation.floats(a.floats[i], b.floats[i])));
    }
    return result;
  }
  if (operation.ints == nullptr) return UnknownContent(a.element, a.shape);
  result.ints.reserve(a.ints.size());
  for (size_t i = 0; i < a.ints.size(); ++i) {
    result.ints.push_back(
        IfItFits(a.element, operation.ints(a.ints[i], b.ints[i])));
  }
  return result;
}

}  // namespace memplan
