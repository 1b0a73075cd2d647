#include "tests/reference/tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace memplan::reference {
namespace {

template <typename T>
T Load(const uint8_t* bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes + static_cast<size_t>(i) * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void Store(uint8_t* bytes, int64_t i, T value) {
  std::memcpy(bytes + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
}

template <typename T>
T Clamped(double value) {
  if (std::isnan(value)) return 0;
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::lowest());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<T>::max());
  if (value <= kLow) return std::numeric_limits<T>::lowest();
  if (value >= kHigh) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

// Half precision without infinities and subnormals: the top bits of a float
// with the exponent clamped. Not IEEE, but the same bits each time.
uint16_t ToHalf(double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  const int exponent = static_cast<int>((bits >> 23) & 0xff) - 127 + 15;
  const uint32_t sign = (bits >> 16) & 0x8000;
  if (exponent <= 0) return static_cast<uint16_t>(sign);
  if (exponent >= 31) return static_cast<uint16_t>(sign | 0x7bff);
  return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent) << 10 |
                               ((bits >> 13) & 0x3ff));
}

double FromHalf(uint16_t half) {
  const int exponent = (half >> 10) & 0x1f;
  if (exponent == 0) return 0;
  const double fraction = 1.0 + (half & 0x3ff) / 1024.0;
  return (half & 0x8000 ? -1 : 1) * std::ldexp(fraction, exponent - 15);
}

// Two in a byte, the first in the low half (onnx.proto, TensorProto).
double LoadNibble(const uint8_t* bytes, int64_t i, bool is_signed) {
  const int nibble = bytes[i / 2] >> (i % 2 * 4) & 0xf;
  return is_signed && nibble >= 8 ? nibble - 16 : nibble;
}

void StoreNibble(uint8_t* bytes, int64_t i, double value, bool is_signed) {
  const double low = is_signed ? -8 : 0;
  const double high = is_signed ? 7 : 15;
  const int number =
      std::isnan(value) ? 0 : static_cast<int>(std::clamp(value, low, high));
  const int shift = static_cast<int>(i % 2 * 4);
  const int kept = bytes[i / 2] & ~(0xf << shift);
  bytes[i / 2] = static_cast<uint8_t>(kept | (number & 0xf) << shift);
}

}  // namespace

int64_t Tensor::size() const {
  int64_t elements = 1;
  for (const int64_t dim : shape) elements *= dim;
  return elements;
}

int64_t Tensor::ByteSize() const {
  return TensorBytes(element, size()).value_or(0);
}

double Tensor::Get(int64_t i) const {
  switch (element) {
    case ElementType::kFloat:
      return Load<float>(bytes, i);
    case ElementType::kDouble:
      return Load<double>(bytes, i);
    case ElementType::kFloat16:
      return FromHalf(Load<uint16_t>(bytes, i));
    case ElementType::kInt64:
      return static_cast<double>(Load<int64_t>(bytes, i));
    case ElementType::kInt32:
      return Load<int32_t>(bytes, i);
    case ElementType::kInt8:
      return Load<int8_t>(bytes, i);
    case ElementType::kUint8:
      return Load<uint8_t>(bytes, i);
    case ElementType::kBool:
      return Load<uint8_t>(bytes, i) != 0;
    case ElementType::kInt4:
      return LoadNibble(bytes, i, true);
    case ElementType::kUint4:
      return LoadNibble(bytes, i, false);
    default:
      return 0;
  }
}

void Tensor::Set(int64_t i, double value) const {
  switch (element) {
    case ElementType::kFloat:
      return Store(bytes, i, static_cast<float>(value));
    case ElementType::kDouble:
      return Store(bytes, i, value);
    case ElementType::kFloat16:
      return Store(bytes, i, ToHalf(value));
    case ElementType::kInt64:
      return Store(bytes, i, Clamped<int64_t>(value));
    case ElementType::kInt32:
      return Store(bytes, i, Clamped<int32_t>(value));
    case ElementType::kInt8:
      return Store(bytes, i, Clamped<int8_t>(value));
    case ElementType::kUint8:
      return Store(bytes, i, Clamped<uint8_t>(value));
    case ElementType::kBool:
      return Store<uint8_t>(bytes, i, value != 0);
    case ElementType::kInt4:
      return StoreNibble(bytes, i, value, true);
    case ElementType::kUint4:
      return StoreNibble(bytes, i, value, false);
    default:
      return;
  }
}

int64_t Tensor::Offset(const Index& index) const {
  int64_t offset = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    offset = offset * shape[axis] + index[axis];
  }
  return offset;
}

Index FirstIndex(const std::vector<int64_t>& shape) {
  return Index(shape.size(), 0);
}

bool NextIndex(const std::vector<int64_t>& shape, Index& index) {
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

int64_t BroadcastOffset(const Tensor& operand, const Index& index) {
  const size_t missing = index.size() - operand.shape.size();
  int64_t offset = 0;
  for (size_t axis = 0; axis < operand.shape.size(); ++axis) {
    const int64_t dim = operand.shape[axis];
    offset = offset * dim + (dim == 1 ? 0 : index[missing + axis]);
  }
  return offset;
}

void CopyElements(const Tensor& from, const Tensor& to) {
  if (from.bytes == to.bytes) return;
  for (int64_t i = 0; i < to.size(); ++i) to.Set(i, from.Get(i));
}

}  // namespace memplan::reference
