#ifndef MEMPLAN_TESTS_REFERENCE_KERNELS_H_
#define MEMPLAN_TESTS_REFERENCE_KERNELS_H_

#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "onnx_frontend/node_context.h"
#include "tests/reference/tensor.h"

namespace memplan::reference {

// One node without bodies: its attributes, and its tensors by slot.
struct KernelCall {
  const NodeContext& node;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;

  const Tensor& input(size_t i) const;   // absent past the end
  const Tensor& output(size_t i) const;  // absent past the end
};

// Operators as ONNX defines them, as slow as they are short. Each writes an
// element of its output right where it computes it.
using Kernel = void (*)(const KernelCall& call);

struct KernelRow {
  std::string_view op_type;
  Kernel kernel;
  // An output may lie in an input's bytes: elementwise operators, views, parts.
  // All others find their outputs poisoned, whatever lies there.
  bool may_share = true;
};

absl::Span<const KernelRow> ElementwiseKernels();
absl::Span<const KernelRow> MovementKernels();
absl::Span<const KernelRow> ContractionKernels();
absl::Span<const KernelRow> PoolingKernels();

// Null where there is none.
const KernelRow* FindKernel(std::string_view op_type);

// An axis that may count from the end.
inline size_t Axis(int64_t axis, int64_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

// All elements of a small integer tensor.
std::vector<int64_t> Ints(const Tensor& tensor);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_KERNELS_H_
