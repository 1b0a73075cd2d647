// Evaluators of Cast and CastLike.
#include <cmath>
#include <utility>

#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"
#include "onnx_frontend/fold/fraction.h"
#include "onnx_frontend/fold/number_format.h"

namespace memplan {
namespace {

// Whatever is not zero is true, NaN too.
Dim ToBool(const Dim& value) {
  if (value.is_number()) return value.number() != 0;
  const bool is_positive = IsNonNegative(value - 1);
  return is_positive ? Dim(1) : Dim::Unknown();
}

TensorValue FromIntegers(const TensorValue& content, ElementType to) {
  TensorValue result;
  result.element = to;
  result.shape = content.shape;
  if (to == ElementType::kBool) {
    for (const Dim& value : content.ints) result.ints.push_back(ToBool(value));
    return result;
  }
  if (!IsFloatingPoint(to)) {
    for (const Dim& value : content.ints) {
      result.ints.push_back(IfItFits(to, value));
    }
    return result;
  }
  for (const Dim& value : content.ints) {
    if (!value.is_number()) return IntegersToFractions(content, to);
    result.floats.push_back(
        RoundToType(to, static_cast<double>(value.number())));
  }
  return result;
}

TensorValue FromFloats(const TensorValue& content, ElementType to) {
  TensorValue result;
  result.element = to;
  result.shape = content.shape;
  for (double value : content.floats) {
    if (IsFloatingPoint(to)) {
      result.floats.push_back(RoundToType(to, value));
    } else if (to == ElementType::kBool) {
      result.ints.emplace_back(value != 0);
    } else {
      result.ints.push_back(ToInteger(to, value));
    }
  }
  return result;
}

TensorValue FromFractions(const TensorValue& content, ElementType to) {
  if (IsInteger(to)) return FractionsToIntegers(content, to);
  const bool is_wide = to == ElementType::kFloat || to == ElementType::kDouble;
  if (!is_wide) return UnknownContent(to, content.shape);
  TensorValue result = content;
  result.element = to;
  return result;
}

void CastTo(NodeContext& node, ElementType to) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr) return;
  const bool can_hold =
      HasFloatArithmetic(to) || IsInteger(to) || to == ElementType::kBool;
  if (!can_hold) return;
  if (content->is_partly_known_float()) {
    Publish(node, 0, FromFractions(*content, to));
  } else if (content->is_float()) {
    Publish(node, 0, FromFloats(*content, to));
  } else {
    Publish(node, 0, FromIntegers(*content, to));
  }
}

// Cast-1 to Cast-5 name the type: "to" is a string there.
void EvaluateCast(NodeContext& node) { CastTo(node, node.output(0).element); }

constexpr EvaluatorRow kRows[] = {
    {"", "Cast", EvaluateCast},
    {"", "CastLike", EvaluateCast},
};

}  // namespace

absl::Span<const EvaluatorRow> CastEvaluators() { return kRows; }

}  // namespace memplan
