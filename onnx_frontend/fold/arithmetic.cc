// Evaluators of arithmetic on elements.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "onnx_frontend/fold/elementwise.h"
#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fraction.h"
#include "onnx_frontend/fold/number_format.h"

namespace memplan {
namespace {

// A NaN on either side is the result, as in the runtimes.
double MinFloat(double a, double b) { return a < b || std::isnan(a) ? a : b; }
double MaxFloat(double a, double b) { return a > b || std::isnan(a) ? a : b; }

// The sign of the divisor (fmod = 0 is for integers alone, but runtimes take it
// on floats as well).
double FloorModFloat(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

constexpr int64_t kMaxExponent = 63;

// Unknown for negative exponents: a fraction, rounded toward zero in one
// runtime and an error in another.
Dim Power(const Dim& base, const Dim& exponent) {
  if (base.is_number() && base.number() == 1) return 1;
  if (!exponent.is_number() || exponent.number() < 0) return Dim::Unknown();
  if (base.is_number() && base.number() == 0) return exponent.number() == 0;
  if (exponent.number() > kMaxExponent) return Dim::Unknown();
  Dim power(1);
  for (int64_t i = 0; i < exponent.number(); ++i) power = power * base;
  return power;
}

constexpr BinaryOperation kAdd = {
    [](const Dim& a, const Dim& b) { return a + b; },
    [](double a, double b) { return a + b; }, AddFractions};
constexpr BinaryOperation kSub = {
    [](const Dim& a, const Dim& b) { return a - b; },
    [](double a, double b) { return a - b; }, SubtractFractions};
constexpr BinaryOperation kMul = {
    [](const Dim& a, const Dim& b) { return a * b; },
    [](double a, double b) { return a * b; }, MultiplyFractions};
constexpr BinaryOperation kDiv = {
    TruncDiv, [](double a, double b) { return a / b; }, DivideFractions};
constexpr BinaryOperation kMin = {Min, MinFloat, MinFractions};
constexpr BinaryOperation kMax = {Max, MaxFloat, MaxFractions};
constexpr BinaryOperation kFloorMod = {FloorMod, FloorModFloat, nullptr};
constexpr BinaryOperation kTruncMod = {
    TruncMod, [](double a, double b) { return std::fmod(a, b); }, nullptr};
constexpr BinaryOperation kPow = {
    Power, [](double a, double b) { return std::pow(a, b); }, nullptr};

// All inputs, from the left. Where opset 1's Pow and the like broadcast by
// attribute, there are two of them.
std::optional<TensorValue> CombineInputs(const NodeContext& node,
                                         const BinaryOperation& operation) {
  if (node.num_inputs() == 1) return ContentOrUnknown(node, 0);
  auto pair = BroadcastInputs(node, 0, 1);
  if (!pair) return std::nullopt;
  TensorValue result = Combine(pair->first, pair->second, operation);
  for (size_t i = 2; i < node.num_inputs(); ++i) {
    const auto next = ContentOrUnknown(node, i);
    if (!next || next->element != result.element) return std::nullopt;
    pair = Broadcast(result, *next);
    if (!pair) return std::nullopt;
    result = Combine(pair->first, pair->second, operation);
  }
  return result;
}

template <const BinaryOperation& kOperation>
void EvaluateBinary(NodeContext& node) {
  if (auto result = CombineInputs(node, kOperation)) {
    Publish(node, 0, *std::move(result));
  }
}

void EvaluateMean(NodeContext& node) {
  auto sum = CombineInputs(node, kAdd);
  if (!sum || !sum->is_float() || sum->is_partly_known_float()) return;
  const auto count = static_cast<double>(node.num_inputs());
  for (double& value : sum->floats) {
    value = RoundToType(sum->element, value / count);
  }
  Publish(node, 0, *std::move(sum));
}

void EvaluateMod(NodeContext& node) {
  const bool truncates = node.Int("fmod", 0) != 0;
  if (auto result = CombineInputs(node, truncates ? kTruncMod : kFloorMod)) {
    Publish(node, 0, *std::move(result));
  }
}

// The exponent may have a type of its own; the result has that of the base.
void EvaluatePow(NodeContext& node) {
  if (node.element(0) == node.element(1)) return EvaluateBinary<kPow>(node);
  const TensorValue* base = ContentOf(node, 0);
  const TensorValue* exponent = ContentOf(node, 1);
  if (base == nullptr || exponent == nullptr) return;
  TensorValue converted;
  converted.element = base->element;
  converted.shape = exponent->shape;
  if (base->is_float() == exponent->is_float()) {
    converted.ints = exponent->ints;
    converted.floats = exponent->floats;
    converted.denominator = exponent->denominator;
  } else if (base->is_float()) {
    for (const Dim& value : exponent->ints) {
      if (!value.is_number()) return;
      converted.floats.push_back(static_cast<double>(value.number()));
    }
  } else {
    for (double value : exponent->floats) {
      if (value != std::trunc(value)) return;
      converted.ints.push_back(ToInteger(ElementType::kInt64, value));
    }
  }
  if (SmallCount(converted.shape) != converted.size()) return;
  const auto pair = Broadcast(*base, converted);
  if (pair) Publish(node, 0, Combine(pair->first, pair->second, kPow));
}

// Clip-11 took its limits from attributes before; either may be absent.
std::optional<TensorValue> ClipLimit(const NodeContext& node, size_t i,
                                     const char* attribute) {
  if (node.opset() >= 11) return ContentOrUnknown(node, i);
  TensorValue limit;
  limit.element = node.element(0);
  limit.floats = {static_cast<double>(node.Float(attribute, 0))};
  return limit;
}

void EvaluateClip(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr) return;
  TensorValue result = *content;
  const BinaryOperation* operations[] = {&kMax, &kMin};
  constexpr std::array<const char*, 2> kNames = {"min", "max"};
  for (size_t i = 0; i < kNames.size(); ++i) {
    const bool is_given = node.opset() >= 11 ? node.HasInput(i + 1)
                                             : node.HasAttribute(kNames[i]);
    if (!is_given) continue;
    const auto limit = ClipLimit(node, i + 1, kNames[i]);
    if (!limit || limit->element != result.element) return;
    const auto pair = Broadcast(result, *limit);
    if (!pair) return;
    result = Combine(pair->first, pair->second, *operations[i]);
  }
  Publish(node, 0, std::move(result));
}

struct UnaryOperation {
  Dim (*ints)(const Dim&) = nullptr;
  double (*floats)(double) = nullptr;
  TensorValue (*fractions)(const TensorValue&) = nullptr;
};

Dim AbsInt(const Dim& a) { return Max(a, Dim(0) - a); }

Dim SignInt(const Dim& a) {
  if (a.is_number()) return (a.number() > 0) - (a.number() < 0);
  return IsNonNegative(a - 1) ? Dim(1) : Dim::Unknown();
}

double SignFloat(double a) {
  return std::isnan(a) ? a : static_cast<double>((a > 0) - (a < 0));
}

TensorValue ReluFractions(const TensorValue& a) {
  TensorValue zero = a;
  std::fill(zero.ints.begin(), zero.ints.end(), Dim(0));
  return MaxFractions(a, zero);
}

TensorValue NegateFractions(const TensorValue& a) {
  TensorValue zero = a;
  std::fill(zero.ints.begin(), zero.ints.end(), Dim(0));
  return SubtractFractions(zero, a);
}

// std::nearbyint rounds halves to even, as Round does.
constexpr UnaryOperation kNeg = {[](const Dim& a) { return Dim(0) - a; },
                                 [](double a) { return -a; }, NegateFractions};
constexpr UnaryOperation kAbs = {AbsInt, [](double a) { return std::abs(a); },
                                 nullptr};
constexpr UnaryOperation kRelu = {[](const Dim& a) { return Max(a, 0); },
                                  [](double a) { return MaxFloat(a, 0); },
                                  ReluFractions};
constexpr UnaryOperation kSign = {SignInt, SignFloat, nullptr};
constexpr UnaryOperation kFloor = {
    nullptr, [](double a) { return std::floor(a); }, FloorFractions};
constexpr UnaryOperation kCeil = {
    nullptr, [](double a) { return std::ceil(a); }, CeilFractions};
constexpr UnaryOperation kRound = {
    nullptr, [](double a) { return std::nearbyint(a); }, nullptr};
constexpr UnaryOperation kSqrt = {
    nullptr, [](double a) { return std::sqrt(a); }, nullptr};
constexpr UnaryOperation kExp = {nullptr, [](double a) { return std::exp(a); },
                                 nullptr};
constexpr UnaryOperation kLog = {nullptr, [](double a) { return std::log(a); },
                                 nullptr};
constexpr UnaryOperation kReciprocal = {
    nullptr, [](double a) { return 1.0 / a; }, nullptr};

template <const UnaryOperation& kOperation>
void EvaluateUnary(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr) return;
  if (content->is_partly_known_float()) {
    if (kOperation.fractions == nullptr) return;
    return Publish(node, 0, kOperation.fractions(*content));
  }
  TensorValue result = *content;
  if (content->is_float()) {
    if (!HasFloatArithmetic(content->element)) return;
    for (double& value : result.floats) {
      value = RoundToType(result.element, kOperation.floats(value));
    }
  } else {
    if (kOperation.ints == nullptr) return;
    for (Dim& value : result.ints) {
      value = IfItFits(result.element, kOperation.ints(value));
    }
  }
  Publish(node, 0, std::move(result));
}

constexpr EvaluatorRow kRows[] = {
    {"", "Abs", EvaluateUnary<kAbs>},
    {"", "Add", EvaluateBinary<kAdd>},
    {"", "Ceil", EvaluateUnary<kCeil>},
    {"", "Clip", EvaluateClip},
    {"", "Div", EvaluateBinary<kDiv>},
    {"", "Exp", EvaluateUnary<kExp>},
    {"", "Floor", EvaluateUnary<kFloor>},
    {"", "Log", EvaluateUnary<kLog>},
    {"", "Max", EvaluateBinary<kMax>},
    {"", "Mean", EvaluateMean},
    {"", "Min", EvaluateBinary<kMin>},
    {"", "Mod", EvaluateMod},
    {"", "Mul", EvaluateBinary<kMul>},
    {"", "Neg", EvaluateUnary<kNeg>},
    {"", "Pow", EvaluatePow},
    {"", "Reciprocal", EvaluateUnary<kReciprocal>},
    {"", "Relu", EvaluateUnary<kRelu>},
    {"", "Round", EvaluateUnary<kRound>},
    {"", "Sign", EvaluateUnary<kSign>},
    {"", "Sqrt", EvaluateUnary<kSqrt>},
    {"", "Sub", EvaluateBinary<kSub>},
    {"", "Sum", EvaluateBinary<kAdd>},
};

}  // namespace

absl::Span<const EvaluatorRow> ArithmeticEvaluators() { return kRows; }

}  // namespace memplan
