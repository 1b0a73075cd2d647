#ifndef MEMPLAN_ONNX_FRONTEND_TENSOR_VALUE_H_
#define MEMPLAN_ONNX_FRONTEND_TENSOR_VALUE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "onnx_frontend/dim.h"
#include "onnx_frontend/type.h"

namespace memplan {

// Tensors with more elements than this are not evaluated: shapes are computed
// from small ones.
inline constexpr int64_t kMaxKnownElements = 16384;

// The content of a small tensor that shapes are computed from, as far as it is
// known. Integers and booleans (0, 1) are in `ints`, each maybe symbolic or
// unknown: a partly known vector stays partly known. Floating point is in
// `floats` where all of it is known; else `floats` is empty and element i is
// ints[i] / denominator, so that dimensions stay symbolic through a float
// ("floor(0.5 * height)").
struct TensorValue {
  ElementType element = ElementType::kInt64;
  std::vector<int64_t> shape;  // known, unlike the elements
  std::vector<Dim> ints;       // row-major
  std::vector<double> floats;  // row-major
  int64_t denominator = 1;     // > 0; of `ints` of floating-point tensors

  bool is_float() const { return IsFloatingPoint(element); }
  // Floating point, but not all of it known.
  bool is_partly_known_float() const { return is_float() && !ints.empty(); }
  int64_t size() const {
    return static_cast<int64_t>(ints.empty() ? floats.size() : ints.size());
  }

  static TensorValue Scalar(ElementType element, Dim value);
  static TensorValue Vector(ElementType element, std::vector<Dim> values);

  friend bool operator==(const TensorValue&, const TensorValue&) = default;
};

// All elements as numbers; unset where one is not a known integer.
std::optional<std::vector<int64_t>> KnownInts(const TensorValue& value);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_TENSOR_VALUE_H_
