#include "tests/reference/kernels.h"

namespace memplan::reference {
namespace {

const Tensor& Slot(const std::vector<Tensor>& tensors, size_t i) {
  static const Tensor absent;
  return i < tensors.size() ? tensors[i] : absent;
}

}  // namespace

const Tensor& KernelCall::input(size_t i) const { return Slot(inputs, i); }
const Tensor& KernelCall::output(size_t i) const { return Slot(outputs, i); }

const KernelRow* FindKernel(std::string_view op_type) {
  for (const auto kernels : {ElementwiseKernels(), MovementKernels(),
                             ContractionKernels(), PoolingKernels()}) {
    for (const KernelRow& row : kernels) {
      if (row.op_type == op_type) return &row;
    }
  }
  return nullptr;
}

std::vector<int64_t> Ints(const Tensor& tensor) {
  std::vector<int64_t> ints;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    ints.push_back(static_cast<int64_t>(tensor.Get(i)));
  }
  return ints;
}

}  // namespace memplan::reference
