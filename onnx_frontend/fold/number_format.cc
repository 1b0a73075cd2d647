#include "onnx_frontend/fold/number_format.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <utility>

namespace memplan {
namespace {

struct FloatFormat {
  int precision;     // bits of the significand, the hidden one included
  int min_exponent;  // of the smallest normal number, as frexp counts
  double largest;
};

constexpr FloatFormat kFloat32 = {24, -125, FLT_MAX};
constexpr FloatFormat kFloat16 = {11, -13, 65504.0};
constexpr FloatFormat kBfloat16 = {8, -125, 0x1.FEp127};

double RoundTo(const FloatFormat& format, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int last_bit =
      std::max(exponent, format.min_exponent) - format.precision;
  const double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, -last_bit)), last_bit);
  if (std::abs(rounded) <= format.largest) return rounded;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

}  // namespace

bool HasFloatArithmetic(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kDouble ||
         type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

double RoundToType(ElementType type, double value) {
  switch (type) {
    case ElementType::kFloat:
      return RoundTo(kFloat32, value);
    case ElementType::kFloat16:
      return RoundTo(kFloat16, value);
    case ElementType::kBfloat16:
      return RoundTo(kBfloat16, value);
    default:
      return value;
  }
}

int64_t LargestExactInteger(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return int64_t{1} << kFloat32.precision;
    case ElementType::kFloat16:
      return int64_t{1} << kFloat16.precision;
    case ElementType::kBfloat16:
      return int64_t{1} << kBfloat16.precision;
    default:
      return int64_t{1} << DBL_MANT_DIG;
  }
}

Dim IfItFits(ElementType type, Dim value) {
  if (!value.is_number()) return value;
  int64_t low = 0, high = 1;  // bool
  if (IsInteger(type)) {
    const int bits = std::min(ElementBits(type), 63);
    const bool is_unsigned = ElementTypeName(type).front() == 'u';
    high = is_unsigned || bits == 63
               ? static_cast<int64_t>((uint64_t{1} << bits) - 1)
               : (int64_t{1} << (bits - 1)) - 1;
    low = is_unsigned ? 0 : -high - 1;
  }
  const int64_t number = value.number();
  return low <= number && number <= high ? value : Dim::Unknown();
}

Dim ToInteger(ElementType type, double value) {
  constexpr double kTwoTo63 = 0x1p63;
  if (!(value > -kTwoTo63 && value < kTwoTo63)) return Dim::Unknown();
  return IfItFits(type, static_cast<int64_t>(value));
}

}  // namespace memplan
