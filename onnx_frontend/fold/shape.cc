// Evaluators that turn shapes into values.
#include <algorithm>
#include <cstdint>

#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"

namespace memplan {
namespace {

// "Negative value means counting dimensions from the back", and both ends are
// clamped: Operators.md#Shape.
int64_t ClampAxis(int64_t axis, int64_t rank) {
  return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
}

void EvaluateShape(NodeContext& node) {
  const Shape* shape = node.shape(0);
  if (shape == nullptr) return;
  const auto rank = static_cast<int64_t>(shape->size());
  const int64_t start = ClampAxis(node.Int("start", 0), rank);
  const int64_t end = std::max(start, ClampAxis(node.Int("end", rank), rank));
  node.SetValue(
      0, TensorValue::Vector(ElementType::kInt64, Shape(shape->begin() + start,
                                                        shape->begin() + end)));
}

void EvaluateSize(NodeContext& node) {
  const Shape* shape = node.shape(0);
  if (shape == nullptr) return;
  Publish(node, 0,
          TensorValue::Scalar(ElementType::kInt64, NumElements(*shape)));
}

constexpr EvaluatorRow kRows[] = {
    {"", "Shape", EvaluateShape},
    {"", "Size", EvaluateSize},
};

}  // namespace

absl::Span<const EvaluatorRow> ShapeEvaluators() { return kRows; }

}  // namespace memplan
