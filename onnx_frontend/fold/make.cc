// Evaluators of operators that make tensors from a few numbers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"
#include "onnx_frontend/fold/number_format.h"

namespace memplan {
namespace {

// `value` (0 or 1 or so) of the type, as one element.
TensorValue Number(ElementType element, double value) {
  TensorValue number;
  number.element = element;
  if (IsFloatingPoint(element)) {
    number.floats = {RoundToType(element, value)};
  } else {
    number.ints = {ToInteger(element, value)};
  }
  return number;
}

void PublishFilled(NodeContext& node, const TensorValue& fill) {
  const auto shape = SmallOutputShape(node, 0);
  if (!shape || fill.size() != 1) return;
  const auto count = static_cast<size_t>(*SmallCount(*shape));
  Publish(node, 0, Take(fill, *shape, Positions(count, 0)));
}

void EvaluateConstantOfShape(NodeContext& node) {
  const TensorAttribute* given = node.Tensor("value");
  if (given == nullptr) {
    return PublishFilled(node, Number(ElementType::kFloat, 0));
  }
  if (given->value) PublishFilled(node, *given->value);
}

// Experimental, gone since ONNX 1.4 (docs/Operators.md there): attribute
// "value" is a float, "dtype" its type.
void EvaluateConstantFill(NodeContext& node) {
  const auto element = static_cast<ElementType>(node.Int("dtype", 1));
  if (!HasFloatArithmetic(element) && !IsInteger(element)) return;
  PublishFilled(node,
                Number(element, static_cast<double>(node.Float("value", 0))));
}

void RangeOfFloats(NodeContext& node, double start, double limit,
                   double delta) {
  const ElementType element = node.element(0);
  const double count = std::max(0.0, std::ceil((limit - start) / delta));
  if (!(count <= static_cast<double>(kMaxKnownElements))) return;
  TensorValue range;
  range.element = element;
  range.shape = {static_cast<int64_t>(count)};
  for (int64_t i = 0; i < range.shape[0]; ++i) {
    range.floats.push_back(RoundToType(
        element, start + RoundToType(element, static_cast<double>(i) * delta)));
  }
  Publish(node, 0, std::move(range));
}

// The start may be symbolic, as long as the length is not.
void EvaluateRange(NodeContext& node) {
  const TensorValue* parts[3];
  for (size_t i = 0; i < 3; ++i) {
    parts[i] = node.value(i);
    if (parts[i] == nullptr || parts[i]->size() != 1) return;
  }
  if (parts[0]->is_float()) {
    for (const TensorValue* part : parts) {
      if (part->floats.size() != 1) return;
    }
    return RangeOfFloats(node, parts[0]->floats[0], parts[1]->floats[0],
                         parts[2]->floats[0]);
  }
  for (const TensorValue* part : parts) {
    if (part->ints.size() != 1) return;
  }
  const Dim& start = parts[0]->ints[0];
  const Dim& delta = parts[2]->ints[0];
  const Dim count = Max(CeilDiv(parts[1]->ints[0] - start, delta), 0);
  if (!count.is_number() || count.number() > kMaxKnownElements) return;
  TensorValue range;
  range.element = parts[0]->element;
  range.shape = {count.number()};
  for (int64_t i = 0; i < count.number(); ++i) {
    range.ints.push_back(IfItFits(range.element, start + delta * i));
  }
  Publish(node, 0, std::move(range));
}

// Publishes ones where `is_one(row, column)`.
template <typename Predicate>
TensorValue Matrix(ElementType element, const KnownShape& shape,
                   Predicate is_one) {
  const TensorValue zero = Number(element, 0), one = Number(element, 1);
  Positions positions;
  for (int64_t row = 0; row < shape[0]; ++row) {
    for (int64_t column = 0; column < shape[1]; ++column) {
      positions.push_back(is_one(row, column) ? 1 : 0);
    }
  }
  return Take(Joined({&zero, &one}), shape, positions);
}

bool IsSmallOffset(int64_t offset) {
  return offset >= -kMaxKnownElements && offset <= kMaxKnownElements;
}

void EvaluateEyeLike(NodeContext& node) {
  const auto shape = SmallOutputShape(node, 0);
  const ElementType element = node.output(0).element;
  const int64_t k = node.Int("k", 0);
  if (!shape || shape->size() != 2 || !IsSmallOffset(k)) return;
  if (!HasFloatArithmetic(element) && !IsInteger(element)) return;
  if (*SmallCount(*shape) == 0) return;
  Publish(node, 0, Matrix(element, *shape, [k](int64_t row, int64_t column) {
            return column - row == k;
          }));
}

void EvaluateTrilu(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr || content->shape.size() < 2) return;
  const auto k = node.HasInput(1) ? IntOf(node, 1) : std::optional<int64_t>(0);
  if (!k || !IsSmallOffset(*k)) return;
  const bool upper = node.Int("upper", 1) != 0;
  const TensorValue zero = Number(content->element, 0);
  const Lanes rows = LanesOf(content->shape, content->shape.size() - 2);
  Positions positions(static_cast<size_t>(content->size()));
  for (int64_t i = 0; i < content->size(); ++i) {
    const int64_t column = i % rows.inner, row = i / rows.inner % rows.length;
    const bool keeps = upper ? column >= row + *k : column <= row + *k;
    positions[static_cast<size_t>(i)] = keeps ? i : content->size();
  }
  Publish(node, 0, Take(Joined({content, &zero}), content->shape, positions));
}

void EvaluateOneHot(NodeContext& node) {
  const TensorValue* indices = ContentOf(node, 0);
  const TensorValue* values = ContentOf(node, 2);
  const auto depth = IntOf(node, 1);
  const auto shape = SmallOutputShape(node, 0);
  if (indices == nullptr || values == nullptr || !depth || !shape) return;
  if (indices->is_float() || values->size() != 2 || *depth < 1) return;
  const auto axis = NormalAxis(node.Int("axis", -1), shape->size());
  if (!axis || (*shape)[*axis] != *depth) return;
  const Lanes lanes = LanesOf(*shape, *axis);
  if (lanes.outer * lanes.inner != indices->size()) return;
  Positions positions(static_cast<size_t>(*SmallCount(*shape)), kNowhere);
  for (int64_t lane = 0; lane < indices->size(); ++lane) {
    const Dim& index = indices->ints[static_cast<size_t>(lane)];
    if (!index.is_number()) continue;
    const int64_t hot =
        index.number() < 0 ? index.number() + *depth : index.number();
    for (int64_t i = 0; i < *depth; ++i) {
      positions[static_cast<size_t>(
          lanes.At(lane / lanes.inner, i, lane % lanes.inner))] = i == hot;
    }
  }
  Publish(node, 0, Take(*values, *shape, positions));
}

constexpr EvaluatorRow kRows[] = {
    {"", "ConstantFill", EvaluateConstantFill},
    {"", "ConstantOfShape", EvaluateConstantOfShape},
    {"", "EyeLike", EvaluateEyeLike},
    {"", "OneHot", EvaluateOneHot},
    {"", "Range", EvaluateRange},
    {"", "Trilu", EvaluateTrilu},
    {"com.microsoft", "Range", EvaluateRange},
    {"com.microsoft", "Trilu", EvaluateTrilu},
};

}  // namespace

absl::Span<const EvaluatorRow> MakeEvaluators() { return kRows; }

}  // namespace memplan
