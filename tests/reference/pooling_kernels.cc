#include <algorithm>
#include <limits>

#include "tests/reference/kernels.h"

namespace memplan::reference {
namespace {

// Calls `visit(offset in x)` for each element of x under the window of y's
// element `at`: two spatial axes.
template <typename Visit>
void ForWindow(const KernelCall& call, const Index& at, Visit visit) {
  const Tensor& x = call.input(0);
  const auto kernel = call.node.Ints("kernel_shape").value_or(Index{1, 1});
  const auto strides = call.node.Ints("strides").value_or(Index{1, 1});
  const auto pads = call.node.Ints("pads").value_or(Index{0, 0, 0, 0});
  for (int64_t i = 0; i < kernel[0]; ++i) {
    for (int64_t j = 0; j < kernel[1]; ++j) {
      const int64_t row = at[2] * strides[0] + i - pads[0];
      const int64_t column = at[3] * strides[1] + j - pads[1];
      if (row < 0 || row >= x.shape[2] || column < 0 || column >= x.shape[3]) {
        continue;
      }
      visit(x.Offset({at[0], at[1], row, column}));
    }
  }
}

void MaxPool(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const Tensor& places = call.output(1);
  Index at = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    double highest = std::numeric_limits<double>::lowest();
    int64_t place = 0;
    ForWindow(call, at, [&](int64_t offset) {
      if (x.Get(offset) <= highest) return;
      highest = x.Get(offset);
      place = offset;
    });
    if (places.present()) places.Set(i, static_cast<double>(place));
    y.Set(i++, highest);
  } while (NextIndex(y.shape, at));
}

void AveragePool(const KernelCall& call) {
  const Tensor& y = call.output(0);
  Index at = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    double sum = 0;
    int64_t count = 0;
    ForWindow(call, at, [&](int64_t offset) {
      sum += call.input(0).Get(offset);
      ++count;
    });
    y.Set(i++, sum / static_cast<double>(std::max<int64_t>(count, 1)));
  } while (NextIndex(y.shape, at));
}

void GlobalAveragePool(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const int64_t area = x.size() / std::max<int64_t>(y.size(), 1);
  for (int64_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (int64_t j = 0; j < area; ++j) sum += x.Get(i * area + j);
    y.Set(i, sum / static_cast<double>(area));
  }
}

}  // namespace

absl::Span<const KernelRow> PoolingKernels() {
  static constexpr KernelRow kRows[] = {
      {"MaxPool", MaxPool, false},
      {"AveragePool", AveragePool, false},
      {"GlobalAveragePool", GlobalAveragePool, false},
  };
  return kRows;
}

}  // namespace memplan::reference
