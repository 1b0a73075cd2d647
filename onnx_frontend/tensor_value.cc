#include "onnx_frontend/tensor_value.h"

#include <utility>

namespace memplan {

TensorValue TensorValue::Scalar(ElementType element, Dim value) {
  TensorValue scalar;
  scalar.element = element;
  scalar.ints.push_back(std::move(value));
  return scalar;
}

TensorValue TensorValue::Vector(ElementType element, std::vector<Dim> values) {
  TensorValue vector;
  vector.element = element;
  vector.shape = {static_cast<int64_t>(values.size())};
  vector.ints = std::move(values);
  return vector;
}

std::optional<std::vector<int64_t>> KnownInts(const TensorValue& value) {
  if (value.is_float()) return std::nullopt;
  std::vector<int64_t> numbers;
  numbers.reserve(value.ints.size());
  for (const Dim& element : value.ints) {
    if (!element.is_number()) return std::nullopt;
    numbers.push_back(element.number());
  }
  return numbers;
}

}  // namespace memplan
