// Evaluators of comparisons, truth values, bits, and choices by them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "onnx_frontend/fold/elementwise.h"
#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/number_format.h"

namespace memplan {
namespace {

// a < b for any values of the symbols; unknown where that depends on them.
Dim LessInt(const Dim& a, const Dim& b) {
  const Dim difference = b - a;
  if (IsNonNegative(difference - 1)) return 1;
  if (IsNonNegative(Dim(0) - difference)) return 0;
  return Dim::Unknown();
}

Dim NotInt(const Dim& a) {
  return a.is_number() ? Dim(a.number() == 0) : Dim::Unknown();
}

Dim EqualInt(const Dim& a, const Dim& b) {
  if (a.Equals(b)) return 1;
  const Dim difference = a - b;
  const bool differ =
      IsNonNegative(difference - 1) || IsNonNegative(Dim(-1) - difference);
  return differ ? Dim(0) : Dim::Unknown();
}

Dim GreaterInt(const Dim& a, const Dim& b) { return LessInt(b, a); }
Dim LessOrEqualInt(const Dim& a, const Dim& b) { return NotInt(LessInt(b, a)); }
Dim GreaterOrEqualInt(const Dim& a, const Dim& b) {
  return NotInt(LessInt(a, b));
}

// A false decides an And and a true an Or, whatever the other side is.
Dim AndInt(const Dim& a, const Dim& b) { return a * b; }
Dim OrInt(const Dim& a, const Dim& b) {
  return NotInt(AndInt(NotInt(a), NotInt(b)));
}
Dim XorInt(const Dim& a, const Dim& b) { return NotInt(EqualInt(a, b)); }

struct Comparison {
  Dim (*ints)(const Dim&, const Dim&) = nullptr;
  bool (*floats)(double, double) = nullptr;
};

constexpr Comparison kEqual = {EqualInt,
                               [](double a, double b) { return a == b; }};
constexpr Comparison kLess = {LessInt,
                              [](double a, double b) { return a < b; }};
constexpr Comparison kGreater = {GreaterInt,
                                 [](double a, double b) { return a > b; }};
constexpr Comparison kLessOrEqual = {LessOrEqualInt,
                                     [](double a, double b) { return a <= b; }};
constexpr Comparison kGreaterOrEqual = {
    GreaterOrEqualInt, [](double a, double b) { return a >= b; }};
constexpr Comparison kAnd = {AndInt, nullptr};
constexpr Comparison kOr = {OrInt, nullptr};
constexpr Comparison kXor = {XorInt, nullptr};

template <const Comparison& kComparison>
void EvaluateComparison(NodeContext& node) {
  const auto pair = BroadcastInputs(node, 0, 1);
  if (!pair) return;
  const auto& [a, b] = *pair;
  TensorValue result;
  result.element = ElementType::kBool;
  result.shape = a.shape;
  if (!a.is_float()) {
    for (size_t i = 0; i < a.ints.size(); ++i) {
      result.ints.push_back(kComparison.ints(a.ints[i], b.ints[i]));
    }
  } else {
    if (a.is_partly_known_float() || b.is_partly_known_float()) return;
    if (kComparison.floats == nullptr) return;
    for (size_t i = 0; i < a.floats.size(); ++i) {
      result.ints.emplace_back(kComparison.floats(a.floats[i], b.floats[i]));
    }
  }
  Publish(node, 0, std::move(result));
}

void EvaluateNot(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr || content->is_float()) return;
  TensorValue result = *content;
  for (Dim& value : result.ints) value = NotInt(value);
  Publish(node, 0, std::move(result));
}

void EvaluateFloatTest(NodeContext& node, bool (*test)(double)) {
  const TensorValue* content = node.value(0);
  if (content == nullptr || !content->is_float()) return;
  TensorValue result;
  result.element = ElementType::kBool;
  result.shape = content->shape;
  for (double value : content->floats) result.ints.emplace_back(test(value));
  Publish(node, 0, std::move(result));
}

void EvaluateIsNaN(NodeContext& node) {
  EvaluateFloatTest(node, [](double value) { return std::isnan(value); });
}

void EvaluateIsInf(NodeContext& node) {
  const bool positive = node.Int("detect_positive", 1) != 0;
  const bool negative = node.Int("detect_negative", 1) != 0;
  if (positive && negative) {
    return EvaluateFloatTest(node,
                             [](double value) { return std::isinf(value); });
  }
  if (positive) {
    return EvaluateFloatTest(
        node, [](double value) { return std::isinf(value) && value > 0; });
  }
  EvaluateFloatTest(
      node, [](double value) { return std::isinf(value) && value < 0; });
}

// Bits of numbers; in two's complement, which int64_t continues for narrower
// signed types.
template <typename Operation>
Dim OnBits(const Dim& a, const Dim& b, Operation operation) {
  if (!a.is_number() || !b.is_number()) return Dim::Unknown();
  return operation(a.number(), b.number());
}

constexpr BinaryOperation kBitwiseAnd = {[](const Dim& a, const Dim& b) {
  return OnBits(a, b, [](int64_t x, int64_t y) { return x & y; });
}};
constexpr BinaryOperation kBitwiseOr = {[](const Dim& a, const Dim& b) {
  return OnBits(a, b, [](int64_t x, int64_t y) { return x | y; });
}};
constexpr BinaryOperation kBitwiseXor = {[](const Dim& a, const Dim& b) {
  return OnBits(a, b, [](int64_t x, int64_t y) { return x ^ y; });
}};
// Shifts are of unsigned types; bits that leave to the left are lost, which
// makes the result unknown here.
constexpr BinaryOperation kShiftLeft = {[](const Dim& a, const Dim& b) {
  if (!b.is_number() || b.number() < 0 || b.number() > 62) {
    return Dim::Unknown();
  }
  return a * Dim(int64_t{1} << b.number());
}};
constexpr BinaryOperation kShiftRight = {[](const Dim& a, const Dim& b) {
  if (!b.is_number() || b.number() < 0) return Dim::Unknown();
  if (b.number() > 62) return Dim::Unknown();
  return FloorDiv(a, Dim(int64_t{1} << b.number()));
}};

template <const BinaryOperation& kOperation>
void EvaluateBits(NodeContext& node) {
  const auto pair = BroadcastInputs(node, 0, 1);
  if (pair) Publish(node, 0, Combine(pair->first, pair->second, kOperation));
}

void EvaluateBitShift(NodeContext& node) {
  if (node.String("direction", "") == "LEFT") {
    return EvaluateBits<kShiftLeft>(node);
  }
  EvaluateBits<kShiftRight>(node);
}

void EvaluateBitwiseNot(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr || content->is_float()) return;
  TensorValue result = *content;
  const bool is_unsigned = ElementTypeName(content->element).front() == 'u';
  const int bits = ElementBits(content->element);
  for (Dim& value : result.ints) {
    // ~x is -1 - x; without a sign it is the largest number - x.
    const bool is_wide = is_unsigned && bits > 62;
    const Dim ones =
        is_unsigned ? Dim((int64_t{1} << (bits % 63)) - 1) : Dim(-1);
    value = is_wide ? Dim::Unknown() : IfItFits(content->element, ones - value);
  }
  Publish(node, 0, std::move(result));
}

// A known condition chooses; an unknown one does not matter where both sides
// are the same.
int64_t Choose(const Dim& condition, const TensorValue& joined, int64_t i,
               int64_t count) {
  if (condition.is_number()) return condition.number() != 0 ? i : count + i;
  if (joined.ints.empty()) return kNowhere;
  const Dim& a = joined.ints[static_cast<size_t>(i)];
  const Dim& b = joined.ints[static_cast<size_t>(count + i)];
  return a.Equals(b) ? i : kNowhere;
}

void EvaluateWhere(NodeContext& node) {
  const auto condition = ContentOrUnknown(node, 0);
  const auto sides = BroadcastInputs(node, 1, 2);
  if (!condition || condition->is_float() || !sides) return;
  const auto shape = BroadcastShapes(condition->shape, sides->first.shape);
  if (!shape) return;
  const auto condition_at = BroadcastPositions(condition->shape, *shape);
  const auto side_at = BroadcastPositions(sides->first.shape, *shape);
  if (!condition_at || !side_at) return;
  const TensorValue joined = Joined({&sides->first, &sides->second});
  const int64_t count = sides->first.size();
  Positions positions(side_at->size());
  for (size_t i = 0; i < positions.size(); ++i) {
    const auto at = static_cast<size_t>((*condition_at)[i]);
    positions[i] = Choose(condition->ints[at], joined, (*side_at)[i], count);
  }
  Publish(node, 0, Take(joined, *shape, positions));
}

constexpr EvaluatorRow kRows[] = {
    {"", "And", EvaluateComparison<kAnd>},
    {"", "BitShift", EvaluateBitShift},
    {"", "BitwiseAnd", EvaluateBits<kBitwiseAnd>},
    {"", "BitwiseNot", EvaluateBitwiseNot},
    {"", "BitwiseOr", EvaluateBits<kBitwiseOr>},
    {"", "BitwiseXor", EvaluateBits<kBitwiseXor>},
    {"", "Equal", EvaluateComparison<kEqual>},
    {"", "Greater", EvaluateComparison<kGreater>},
    {"", "GreaterOrEqual", EvaluateComparison<kGreaterOrEqual>},
    {"", "IsInf", EvaluateIsInf},
    {"", "IsNaN", EvaluateIsNaN},
    {"", "Less", EvaluateComparison<kLess>},
    {"", "LessOrEqual", EvaluateComparison<kLessOrEqual>},
    {"", "Not", EvaluateNot},
    {"", "Or", EvaluateComparison<kOr>},
    {"", "Where", EvaluateWhere},
    {"", "Xor", EvaluateComparison<kXor>},
};

}  // namespace

absl::Span<const EvaluatorRow> LogicEvaluators() { return kRows; }

}  // namespace memplan
