#ifndef MEMPLAN_TESTS_REFERENCE_TENSOR_H_
#define MEMPLAN_TESTS_REFERENCE_TENSOR_H_

#include <cstdint>
#include <vector>

#include "onnx_frontend/type.h"

namespace memplan::reference {

using Index = std::vector<int64_t>;  // one coordinate an axis

// A tensor whose bytes belong to somebody else: the arena, or the caller.
// Elements are read and written as double, whatever their type; what does not
// fit a type is clamped to it. So each kernel is written once.
struct Tensor {
  ElementType element = ElementType::kUndefined;
  std::vector<int64_t> shape;
  uint8_t* bytes = nullptr;  // null: the node has no such input or output

  bool present() const { return bytes != nullptr; }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t size() const;  // elements
  int64_t ByteSize() const;

  double Get(int64_t i) const;  // row-major
  void Set(int64_t i, double value) const;

  int64_t Offset(const Index& index) const;  // of an element, row-major
  double At(const Index& index) const { return Get(Offset(index)); }
};

// The first index of a shape, and the next one in row-major order; false past
// the last.
Index FirstIndex(const std::vector<int64_t>& shape);
bool NextIndex(const std::vector<int64_t>& shape, Index& index);

// Where the element `index` of a broadcast result is read in `operand`.
int64_t BroadcastOffset(const Tensor& operand, const Index& index);

// Copies all elements; the shapes may differ, the number of elements not.
void CopyElements(const Tensor& from, const Tensor& to);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_TENSOR_H_
