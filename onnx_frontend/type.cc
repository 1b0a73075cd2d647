#include "onnx_frontend/type.h"

#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"

namespace memplan {
namespace {

enum class Family { kOther, kFloat, kInteger };

struct ElementRow {
  std::string_view name;
  int bits;
  Family family;
};

// By TensorProto.DataType. Widths: onnx.proto's comments on the enum; packing
// of 4-bit elements: docs/docsgen/source/technical/int4.md; 2-bit ones, four to
// a byte, likewise.
constexpr std::array<ElementRow, 27> kElements = {{
    {"undefined", 0, Family::kOther},      {"float32", 32, Family::kFloat},
    {"uint8", 8, Family::kInteger},        {"int8", 8, Family::kInteger},
    {"uint16", 16, Family::kInteger},      {"int16", 16, Family::kInteger},
    {"int32", 32, Family::kInteger},       {"int64", 64, Family::kInteger},
    {"string", 0, Family::kOther},         {"bool", 8, Family::kOther},
    {"float16", 16, Family::kFloat},       {"float64", 64, Family::kFloat},
    {"uint32", 32, Family::kInteger},      {"uint64", 64, Family::kInteger},
    {"complex64", 64, Family::kOther},     {"complex128", 128, Family::kOther},
    {"bfloat16", 16, Family::kFloat},      {"float8e4m3fn", 8, Family::kFloat},
    {"float8e4m3fnuz", 8, Family::kFloat}, {"float8e5m2", 8, Family::kFloat},
    {"float8e5m2fnuz", 8, Family::kFloat}, {"uint4", 4, Family::kInteger},
    {"int4", 4, Family::kInteger},         {"float4e2m1", 4, Family::kFloat},
    {"float8e8m0", 8, Family::kFloat},     {"uint2", 2, Family::kInteger},
    {"int2", 2, Family::kInteger},
}};

const ElementRow& RowOf(ElementType type) {
  const auto index = static_cast<size_t>(type);  // negative: past the end
  return kElements[index < kElements.size() ? index : 0];
}

template <typename T>
bool SamePointee(const std::shared_ptr<const T>& a,
                 const std::shared_ptr<const T>& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return *a == *b;
}

std::string InnerToString(const Type& type) {
  return type.inner == nullptr ? "?" : ToString(*type.inner);
}

Type Holding(Type::Kind kind, Type inner) {
  Type type;
  type.kind = kind;
  type.inner = std::make_shared<const Type>(std::move(inner));
  return type;
}

}  // namespace

int ElementBits(ElementType type) { return RowOf(type).bits; }

std::string_view ElementTypeName(ElementType type) { return RowOf(type).name; }

bool IsFloatingPoint(ElementType type) {
  return RowOf(type).family == Family::kFloat;
}

bool IsInteger(ElementType type) {
  return RowOf(type).family == Family::kInteger;
}

Type Type::Tensor(ElementType element, std::optional<Shape> shape) {
  Type type;
  type.kind = Kind::kTensor;
  type.element = element;
  type.shape = std::move(shape);
  return type;
}

Type Type::Sequence(Type inner) {
  return Holding(Kind::kSequence, std::move(inner));
}

Type Type::Optional(Type inner) {
  return Holding(Kind::kOptional, std::move(inner));
}

Type Type::Map(ElementType key, Type inner) {
  Type type = Holding(Kind::kMap, std::move(inner));
  type.element = key;
  return type;
}

bool operator==(const Type& a, const Type& b) {
  return a.kind == b.kind && a.element == b.element && a.shape == b.shape &&
         SamePointee(a.inner, b.inner) && SamePointee(a.elements, b.elements);
}

std::string ToString(const Type& type) {
  const std::string element(ElementTypeName(type.element));
  switch (type.kind) {
    case Type::Kind::kTensor:
    case Type::Kind::kSparseTensor: {
      const std::string tensor = absl::StrCat(
          element, type.shape.has_value() ? ToString(*type.shape) : "[...]");
      return type.is_tensor() ? tensor : absl::StrCat("sparse(", tensor, ")");
    }
    case Type::Kind::kSequence:
      return absl::StrCat("sequence(", InnerToString(type), ")");
    case Type::Kind::kOptional:
      return absl::StrCat("optional(", InnerToString(type), ")");
    case Type::Kind::kMap:
      return absl::StrCat("map(", element, ", ", InnerToString(type), ")");
    default:
      return "unknown";
  }
}

std::string ToString(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", shape[i].ToString());
  }
  return text + "]";
}

Dim NumElements(const Shape& shape) {
  for (const Dim& dim : shape) {
    if (dim.is_number() && dim.number() == 0) return Dim(0);
  }
  Dim product(1);
  for (const Dim& dim : shape) product = product * dim;
  return product;
}

std::optional<int64_t> TensorBytes(ElementType element, int64_t elements) {
  const int bits = ElementBits(element);
  if (bits == 0) return std::nullopt;
  if (bits >= 8) return CheckedMul(elements, bits / 8);
  const int per_byte = 8 / bits;
  return elements / per_byte + (elements % per_byte != 0 ? 1 : 0);
}

}  // namespace memplan
