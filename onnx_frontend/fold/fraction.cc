#include "onnx_frontend/fold/fraction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "onnx_frontend/fold/number_format.h"

namespace memplan {
namespace {

constexpr int64_t kMaxBinaryDenominator = 64;
constexpr int64_t kMaxDenominator = 4096;

// A quotient by 3 is not exact in floating point. Rounding it down or up still
// gives what exact arithmetic does, but nothing else is safe to compute from
// it.
bool IsExact(const TensorValue& value) {
  return (value.denominator & (value.denominator - 1)) == 0;
}

// What is common to a and b; its elements are still to be filled in.
TensorValue Like(const TensorValue& a) {
  TensorValue result;
  result.element = a.element;
  result.shape = a.shape;
  result.denominator = a.denominator;
  result.ints.resize(a.ints.size());
  return result;
}

// Symbols keep their place only in types that hold the sizes of real tensors.
Dim IfExact(ElementType element, Dim numerator) {
  if (numerator.is_number()) {
    const int64_t limit = LargestExactInteger(element);
    const int64_t number = numerator.number();
    return -limit <= number && number <= limit ? numerator : Dim::Unknown();
  }
  const bool is_wide =
      element == ElementType::kFloat || element == ElementType::kDouble;
  return is_wide ? numerator : Dim::Unknown();
}

// `value` * denominator where that is a whole number.
Dim Numerator(ElementType element, double value, int64_t denominator) {
  const double scaled = value * static_cast<double>(denominator);
  if (!(std::abs(scaled) <= 0x1p53) || scaled != std::trunc(scaled)) {
    return Dim::Unknown();
  }
  return IfExact(element, static_cast<int64_t>(scaled));
}

// The smallest power of two that makes a whole number of it; 1 where none does.
int64_t BinaryDenominator(ElementType element, double value) {
  for (int64_t d = 1; d <= kMaxBinaryDenominator; d *= 2) {
    if (!Numerator(element, value, d).is_unknown()) return d;
  }
  return 1;
}

// Unknown elements where a denominator has no multiple in common with others.
void ScaleTo(TensorValue& value, int64_t denominator) {
  if (value.denominator == denominator) return;
  const bool is_multiple = denominator % value.denominator == 0;
  const Dim factor =
      is_multiple ? Dim(denominator / value.denominator) : Dim::Unknown();
  for (Dim& numerator : value.ints) {
    numerator = is_multiple ? numerator * factor : Dim::Unknown();
  }
  value.denominator = denominator;
}

void ShareDenominator(TensorValue& a, TensorValue& b) {
  const int64_t common = std::lcm(a.denominator, b.denominator);
  const int64_t shared = common <= kMaxDenominator ? common : a.denominator;
  ScaleTo(a, shared);
  ScaleTo(b, shared);
}

template <typename Operation>
TensorValue ByElement(TensorValue a, TensorValue b, Operation operation) {
  ShareDenominator(a, b);
  TensorValue result = Like(a);
  if (!IsExact(a)) return result;
  for (size_t i = 0; i < a.ints.size(); ++i) {
    result.ints[i] = IfExact(a.element, operation(a.ints[i], b.ints[i]));
  }
  return result;
}

TensorValue Rounded(const TensorValue& a,
                    Dim (*quotient)(const Dim&, const Dim&)) {
  TensorValue result = Like(a);
  result.denominator = 1;
  for (size_t i = 0; i < a.ints.size(); ++i) {
    result.ints[i] = quotient(a.ints[i], a.denominator);
  }
  return result;
}

// A denominator that all the quotients a.ints[i] / b.ints[i] have in common.
int64_t QuotientDenominator(const TensorValue& a, const TensorValue& b) {
  int64_t common = 1;
  for (const Dim& divisor : b.ints) {
    if (!divisor.is_number() || divisor.number() == 0) continue;
    const int64_t size = std::abs(divisor.number());
    if (size > kMaxDenominator) continue;
    const int64_t next = std::lcm(common, a.denominator * size);
    if (next <= kMaxDenominator) common = next;
  }
  return common;
}

}  // namespace

TensorValue AsFractions(const TensorValue& content) {
  if (!content.ints.empty()) return content;
  TensorValue result = Like(content);
  result.denominator = 1;
  for (double value : content.floats) {
    result.denominator =
        std::max(result.denominator, BinaryDenominator(content.element, value));
  }
  result.ints.reserve(content.floats.size());
  for (double value : content.floats) {
    result.ints.push_back(
        Numerator(content.element, value, result.denominator));
  }
  return result;
}

TensorValue Settled(TensorValue content) {
  if (!content.is_partly_known_float() || !IsExact(content)) return content;
  std::vector<double> floats;
  floats.reserve(content.ints.size());
  for (const Dim& numerator : content.ints) {
    if (!numerator.is_number()) return content;
    floats.push_back(static_cast<double>(numerator.number()) /
                     static_cast<double>(content.denominator));
  }
  content.floats = std::move(floats);
  content.ints.clear();
  content.denominator = 1;
  return content;
}

void AppendFractions(TensorValue more, TensorValue& joined) {
  ShareDenominator(joined, more);
  joined.ints.insert(joined.ints.end(), more.ints.begin(), more.ints.end());
}

TensorValue AddFractions(const TensorValue& a, const TensorValue& b) {
  return ByElement(a, b, [](const Dim& x, const Dim& y) { return x + y; });
}

TensorValue SubtractFractions(const TensorValue& a, const TensorValue& b) {
  return ByElement(a, b, [](const Dim& x, const Dim& y) { return x - y; });
}

TensorValue MinFractions(const TensorValue& a, const TensorValue& b) {
  return ByElement(a, b, Min);
}

TensorValue MaxFractions(const TensorValue& a, const TensorValue& b) {
  return ByElement(a, b, Max);
}

TensorValue MultiplyFractions(const TensorValue& a, const TensorValue& b) {
  TensorValue result = Like(a);
  const int64_t denominator = a.denominator * b.denominator;
  if (!IsExact(a) || !IsExact(b) || denominator > kMaxDenominator) {
    result.denominator = 1;
    return result;
  }
  result.denominator = denominator;
  for (size_t i = 0; i < a.ints.size(); ++i) {
    result.ints[i] = IfExact(a.element, a.ints[i] * b.ints[i]);
  }
  return result;
}

TensorValue DivideFractions(const TensorValue& a, const TensorValue& b) {
  TensorValue result = Like(a);
  result.denominator = 1;
  if (!IsExact(a) || !IsExact(b)) return result;
  result.denominator = QuotientDenominator(a, b);
  for (size_t i = 0; i < a.ints.size(); ++i) {
    // (x/p) / (y/q) = (x*q*d / (p*y)) / d, where that comes out even.
    const Dim dividend = a.ints[i] * b.denominator * result.denominator;
    const Dim divisor = b.ints[i] * a.denominator;
    const Dim quotient = FloorDiv(dividend, divisor);
    if (quotient.is_unknown() || !(quotient * divisor).Equals(dividend)) {
      continue;
    }
    result.ints[i] = IfExact(a.element, quotient);
  }
  return result;
}

TensorValue FloorFractions(const TensorValue& a) {
  return Rounded(a, FloorDiv);
}

TensorValue CeilFractions(const TensorValue& a) { return Rounded(a, CeilDiv); }

TensorValue FractionsToIntegers(const TensorValue& a, ElementType element) {
  TensorValue result = Rounded(a, TruncDiv);
  result.element = element;
  for (Dim& value : result.ints) value = IfItFits(element, std::move(value));
  return result;
}

TensorValue IntegersToFractions(const TensorValue& a, ElementType element) {
  TensorValue result = Like(a);
  result.element = element;
  result.denominator = 1;
  for (size_t i = 0; i < a.ints.size(); ++i) {
    result.ints[i] = IfExact(element, a.ints[i]);
  }
  return result;
}

}  // namespace memplan
