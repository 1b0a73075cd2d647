#ifndef MEMPLAN_ONNX_FRONTEND_TYPE_H_
#define MEMPLAN_ONNX_FRONTEND_TYPE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_frontend/dim.h"

namespace memplan {

// ONNX's element types, with TensorProto.DataType's numbers (onnx.proto; 17 and
// up: IR 9 to 13).
enum class ElementType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};

// Bits of one element: 4 for int4, 8 for bool; 0 for strings and unknown types.
int ElementBits(ElementType type);
// "float32", "int4", "bfloat16", "float8e4m3fn", "undefined".
std::string_view ElementTypeName(ElementType type);
bool IsFloatingPoint(ElementType type);  // also 16, 8 and 4 bits
bool IsInteger(ElementType type);        // also 4 and 2 bits; not bool

// A shape of known rank. Each dimension may still be symbolic or unknown.
using Shape = std::vector<Dim>;

// The type of a value as far as it is known.
struct Type {
  enum class Kind {
    kUnknown,
    kTensor,
    kSparseTensor,
    kSequence,
    kOptional,
    kMap
  };

  Kind kind = Kind::kUnknown;
  ElementType element =
      ElementType::kUndefined;  // tensors; of a map: its key's
  std::optional<Shape> shape;   // tensors; unset: not even the rank is known
  std::shared_ptr<const Type>
      inner;  // of a sequence, optional or map: what it holds; may be null
  // Of a sequence, or of an optional (none or one): the type of each element,
  // where their number is known and small; else null. `inner` is then what they
  // have in common.
  std::shared_ptr<const std::vector<Type>> elements;

  static Type Tensor(ElementType element,
                     std::optional<Shape> shape = std::nullopt);
  static Type Sequence(Type inner);
  static Type Optional(Type inner);
  static Type Map(ElementType key, Type inner);

  bool is_tensor() const { return kind == Kind::kTensor; }
  bool has_shape() const { return is_tensor() && shape.has_value(); }

  friend bool operator==(const Type& a, const Type& b);
};

// "float32[1, batch, ?]", "sequence(int64[?])", "unknown".
std::string ToString(const Type& type);
// "[1, batch, ?]".
std::string ToString(const Shape& shape);

// The number of elements: 1 for rank 0; 0 if any dimension is 0, even beside
// unknowns.
Dim NumElements(const Shape& shape);

// Elements x bits, rounded up to whole bytes. Unset where the type has no fixed
// width or the bytes overflow int64_t. `elements` >= 0.
std::optional<int64_t> TensorBytes(ElementType element, int64_t elements);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_TYPE_H_
