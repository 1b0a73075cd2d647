#include "onnx_frontend/from_proto.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "planner/checked_math.h"

namespace memplan {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

Dim DimFromProto(const onnx::TensorShapeProto::Dimension& proto) {
  if (proto.has_dim_value()) {
    return proto.dim_value() < 0 ? Dim::Unknown() : Dim(proto.dim_value());
  }
  if (proto.dim_param().empty()) return Dim::Unknown();
  return Dim::Symbol(proto.dim_param());
}

template <typename TensorTypeProto>
Type TensorTypeFromProto(const TensorTypeProto& proto, Type::Kind kind) {
  Type type;
  type.kind = kind;
  type.element = static_cast<ElementType>(proto.elem_type());
  if (proto.has_shape()) {
    Shape shape;
    shape.reserve(static_cast<size_t>(proto.shape().dim_size()));
    for (const auto& dim : proto.shape().dim()) {
      shape.push_back(DimFromProto(dim));
    }
    type.shape = std::move(shape);
  }
  return type;
}

// The number of elements; unset for dimensions below 0 or a product past
// int64_t.
std::optional<int64_t> CountElements(const TensorProto& proto) {
  int64_t count = 1;
  for (int64_t dim : proto.dims()) {
    if (dim < 0) return std::nullopt;
    const std::optional<int64_t> product = CheckedMul(count, dim);
    if (!product.has_value()) return std::nullopt;
    count = *product;
  }
  return count;
}

// Sign, exponent and fraction of a small floating-point format, as IEEE 754
// lays them out.
double DecodeFloat(uint32_t bits, int exponent_bits, int fraction_bits,
                   int bias) {
  const uint32_t fraction = bits & ((1U << fraction_bits) - 1);
  const uint32_t exponent =
      (bits >> fraction_bits) & ((1U << exponent_bits) - 1);
  const bool negative = ((bits >> (fraction_bits + exponent_bits)) & 1) != 0;
  const uint32_t all_ones = (1U << exponent_bits) - 1;
  double magnitude;
  if (exponent == all_ones) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
  } else {
    magnitude = std::ldexp(fraction | (1U << fraction_bits),
                           static_cast<int>(exponent) - bias - fraction_bits);
  }
  return negative ? -magnitude : magnitude;
}

double DecodeHalf(uint32_t bits) { return DecodeFloat(bits, 5, 10, 15); }
double DecodeBfloat16(uint32_t bits) { return DecodeFloat(bits, 8, 7, 127); }

// One element of raw_data, which is little-endian.
template <typename T>
T LoadRaw(const std::string& raw, int64_t i) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, raw.data() + static_cast<size_t>(i) * sizeof(T),
              sizeof(T));
  return value;
}

// Fills `count` integers of `bits` each (below 8), packed from the low end of
// each byte.
std::vector<Dim> UnpackSmallInts(const std::string& bytes, int64_t count,
                                 int bits, bool is_signed) {
  const int per_byte = 8 / bits;
  std::vector<Dim> ints;
  ints.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const auto byte =
        static_cast<unsigned char>(bytes[static_cast<size_t>(i / per_byte)]);
    int64_t value =
        (byte >> (bits * static_cast<int>(i % per_byte))) & ((1 << bits) - 1);
    if (is_signed && value >= (1 << (bits - 1))) value -= 1 << bits;
    ints.emplace_back(value);
  }
  return ints;
}

template <typename T>
std::vector<Dim> RawInts(const std::string& raw, int64_t count) {
  std::vector<Dim> ints;
  ints.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    ints.emplace_back(static_cast<int64_t>(LoadRaw<T>(raw, i)));
  }
  return ints;
}

std::optional<std::vector<Dim>> IntsFromRaw(const std::string& raw,
                                            ElementType element,
                                            int64_t count) {
  if (static_cast<int64_t>(raw.size()) != TensorBytes(element, count)) {
    return std::nullopt;
  }
  switch (element) {
    case ElementType::kBool:
    case ElementType::kUint8:
      return RawInts<uint8_t>(raw, count);
    case ElementType::kInt8:
      return RawInts<int8_t>(raw, count);
    case ElementType::kUint16:
      return RawInts<uint16_t>(raw, count);
    case ElementType::kInt16:
      return RawInts<int16_t>(raw, count);
    case ElementType::kUint32:
      return RawInts<uint32_t>(raw, count);
    case ElementType::kInt32:
      return RawInts<int32_t>(raw, count);
    case ElementType::kUint64:
    case ElementType::kInt64:
      return RawInts<int64_t>(raw, count);
    case ElementType::kUint4:
    case ElementType::kUint2:
      return UnpackSmallInts(raw, count, ElementBits(element), false);
    case ElementType::kInt4:
    case ElementType::kInt2:
      return UnpackSmallInts(raw, count, ElementBits(element), true);
    default:
      return std::nullopt;
  }
}

template <typename Field>
std::optional<std::vector<Dim>> IntsFromField(const Field& field,
                                              int64_t count) {
  if (field.size() != count) return std::nullopt;
  std::vector<Dim> ints;
  ints.reserve(static_cast<size_t>(count));
  for (const auto value : field) ints.emplace_back(static_cast<int64_t>(value));
  return ints;
}

std::optional<std::vector<Dim>> IntsOf(const TensorProto& proto,
                                       ElementType element, int64_t count) {
  if (proto.has_raw_data())
    return IntsFromRaw(proto.raw_data(), element, count);
  switch (element) {
    case ElementType::kInt64:
      return IntsFromField(proto.int64_data(), count);
    case ElementType::kUint32:
    case ElementType::kUint64:
      return IntsFromField(proto.uint64_data(), count);
    default:
      break;
  }
  if (ElementBits(element) >= 8)
    return IntsFromField(proto.int32_data(), count);
  std::string packed;  // below 8 bits, each int32 holds one packed byte
  for (int32_t byte : proto.int32_data()) {
    packed.push_back(static_cast<char>(byte));
  }
  return IntsFromRaw(packed, element, count);
}

std::optional<std::vector<double>> FloatsFromRaw(const std::string& raw,
                                                 ElementType element,
                                                 int64_t count) {
  if (static_cast<int64_t>(raw.size()) != TensorBytes(element, count)) {
    return std::nullopt;
  }
  std::vector<double> floats;
  floats.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    switch (element) {
      case ElementType::kFloat:
        floats.push_back(LoadRaw<float>(raw, i));
        break;
      case ElementType::kDouble:
        floats.push_back(LoadRaw<double>(raw, i));
        break;
      case ElementType::kFloat16:
        floats.push_back(DecodeHalf(LoadRaw<uint16_t>(raw, i)));
        break;
      case ElementType::kBfloat16:
        floats.push_back(DecodeBfloat16(LoadRaw<uint16_t>(raw, i)));
        break;
      default:
        return std::nullopt;  // no shape is computed from 8 bits of floating
                              // point
    }
  }
  return floats;
}

std::optional<std::vector<double>> FloatsOf(const TensorProto& proto,
                                            ElementType element,
                                            int64_t count) {
  if (proto.has_raw_data()) {
    return FloatsFromRaw(proto.raw_data(), element, count);
  }
  std::vector<double> floats;
  switch (element) {
    case ElementType::kFloat:
      floats.assign(proto.float_data().begin(), proto.float_data().end());
      break;
    case ElementType::kDouble:
      floats.assign(proto.double_data().begin(), proto.double_data().end());
      break;
    case ElementType::kFloat16:
      for (int32_t bits : proto.int32_data()) {
        floats.push_back(DecodeHalf(static_cast<uint32_t>(bits) & 0xFFFF));
      }
      break;
    case ElementType::kBfloat16:
      for (int32_t bits : proto.int32_data()) {
        floats.push_back(DecodeBfloat16(static_cast<uint32_t>(bits) & 0xFFFF));
      }
      break;
    default:
      return std::nullopt;
  }
  if (static_cast<int64_t>(floats.size()) != count) return std::nullopt;
  return floats;
}

}  // namespace

Type TypeFromProto(const onnx::TypeProto& proto) {
  switch (proto.value_case()) {
    case onnx::TypeProto::kTensorType:
      return TensorTypeFromProto(proto.tensor_type(), Type::Kind::kTensor);
    case onnx::TypeProto::kSparseTensorType:
      return TensorTypeFromProto(proto.sparse_tensor_type(),
                                 Type::Kind::kSparseTensor);
    case onnx::TypeProto::kSequenceType:
      return Type::Sequence(TypeFromProto(proto.sequence_type().elem_type()));
    case onnx::TypeProto::kOptionalType:
      return Type::Optional(TypeFromProto(proto.optional_type().elem_type()));
    case onnx::TypeProto::kMapType:
      return Type::Map(static_cast<ElementType>(proto.map_type().key_type()),
                       TypeFromProto(proto.map_type().value_type()));
    default:
      return Type();
  }
}

Type TypeOfTensor(const TensorProto& proto) {
  Type type = Type::Tensor(static_cast<ElementType>(proto.data_type()));
  Shape shape;
  for (int64_t dim : proto.dims()) {
    if (dim < 0) return type;
    shape.emplace_back(dim);
  }
  type.shape = std::move(shape);
  return type;
}

Type TypeOfSparseTensor(const onnx::SparseTensorProto& proto) {
  Type type =
      Type::Tensor(static_cast<ElementType>(proto.values().data_type()));
  Shape shape;
  for (int64_t dim : proto.dims()) {
    if (dim < 0) return type;
    shape.emplace_back(dim);
  }
  type.shape = std::move(shape);
  return type;
}

std::optional<TensorValue> ValueOfTensor(const TensorProto& proto) {
  const std::optional<int64_t> count = CountElements(proto);
  if (!count.has_value() || *count > kMaxKnownElements) return std::nullopt;
  if (proto.data_location() == TensorProto::EXTERNAL) return std::nullopt;
  TensorValue value;
  value.element = static_cast<ElementType>(proto.data_type());
  value.shape.assign(proto.dims().begin(), proto.dims().end());
  if (value.is_float()) {
    std::optional<std::vector<double>> floats =
        FloatsOf(proto, value.element, *count);
    if (!floats.has_value()) return std::nullopt;
    value.floats = std::move(*floats);
    return value;
  }
  if (!IsInteger(value.element) && value.element != ElementType::kBool) {
    return std::nullopt;
  }
  std::optional<std::vector<Dim>> ints = IntsOf(proto, value.element, *count);
  if (!ints.has_value()) return std::nullopt;
  value.ints = std::move(*ints);
  return value;
}

AttributeProto::AttributeType KindOfAttribute(const AttributeProto& proto) {
  if (proto.type() != AttributeProto::UNDEFINED) return proto.type();
  if (proto.has_f()) return AttributeProto::FLOAT;
  if (proto.has_i()) return AttributeProto::INT;
  if (proto.has_s()) return AttributeProto::STRING;
  if (proto.has_t()) return AttributeProto::TENSOR;
  if (proto.has_g()) return AttributeProto::GRAPH;
  if (proto.floats_size() > 0) return AttributeProto::FLOATS;
  if (proto.ints_size() > 0) return AttributeProto::INTS;
  if (proto.strings_size() > 0) return AttributeProto::STRINGS;
  if (proto.tensors_size() > 0) return AttributeProto::TENSORS;
  if (proto.graphs_size() > 0) return AttributeProto::GRAPHS;
  return AttributeProto::UNDEFINED;
}

std::optional<AttributeValue> ValueOfAttribute(const AttributeProto& proto) {
  switch (KindOfAttribute(proto)) {
    case AttributeProto::FLOAT:
      return proto.f();
    case AttributeProto::INT:
      return static_cast<int64_t>(proto.i());
    case AttributeProto::STRING:
      return proto.s();
    case AttributeProto::FLOATS:
      return std::vector<float>(proto.floats().begin(), proto.floats().end());
    case AttributeProto::INTS:
      return std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
    case AttributeProto::STRINGS:
      return std::vector<std::string>(proto.strings().begin(),
                                      proto.strings().end());
    case AttributeProto::TENSOR:
      return TensorAttribute{TypeOfTensor(proto.t()), ValueOfTensor(proto.t())};
    case AttributeProto::SPARSE_TENSOR:
      return TensorAttribute{TypeOfSparseTensor(proto.sparse_tensor()),
                             std::nullopt};
    case AttributeProto::TYPE_PROTO:
      return TypeFromProto(proto.tp());
    default:
      return std::nullopt;
  }
}

std::pair<Type, std::optional<TensorValue>> ConstantFromAttribute(
    const AttributeProto& proto) {
  const std::optional<AttributeValue> held = ValueOfAttribute(proto);
  if (!held.has_value()) return {};
  if (const auto* tensor = std::get_if<TensorAttribute>(&*held)) {
    return {tensor->type, tensor->value};
  }
  if (std::holds_alternative<std::string>(*held)) {
    return {Type::Tensor(ElementType::kString, Shape{}), std::nullopt};
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&*held)) {
    const auto count = static_cast<int64_t>(texts->size());
    return {Type::Tensor(ElementType::kString, Shape{count}), std::nullopt};
  }
  TensorValue value;
  if (const auto* number = std::get_if<int64_t>(&*held)) {
    value = TensorValue::Scalar(ElementType::kInt64, *number);
  } else if (const auto* numbers = std::get_if<std::vector<int64_t>>(&*held)) {
    value =
        TensorValue::Vector(ElementType::kInt64,
                            std::vector<Dim>(numbers->begin(), numbers->end()));
  } else if (const auto* real = std::get_if<float>(&*held)) {
    value = {ElementType::kFloat, {}, {}, {*real}};
  } else if (const auto* reals = std::get_if<std::vector<float>>(&*held)) {
    value = {ElementType::kFloat,
             {static_cast<int64_t>(reals->size())},
             {},
             {reals->begin(), reals->end()}};
  } else {
    return {};
  }
  Type type = Type::Tensor(value.element,
                           Shape(value.shape.begin(), value.shape.end()));
  if (value.size() > kMaxKnownElements) return {std::move(type), std::nullopt};
  return {std::move(type), std::move(value)};
}

}  // namespace memplan
