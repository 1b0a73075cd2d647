#include <algorithm>
#include <limits>

#include "tests/reference/kernels.h"

namespace memplan::reference {
namespace {

// The last two axes are matrices, those before are broadcast.
void MatMul(const KernelCall& call) {
  const Tensor& a = call.input(0);
  const Tensor& b = call.input(1);
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  const int64_t inner = a.shape.back();
  Index index = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    Index in_a = index;
    Index in_b = index;
    double sum = 0;
    for (int64_t k = 0; k < inner; ++k) {
      in_a.back() = k;
      in_b[in_b.size() - 2] = k;
      sum += a.Get(BroadcastOffset(a, in_a)) * b.Get(BroadcastOffset(b, in_b));
    }
    y.Set(i++, sum);
  } while (NextIndex(y.shape, index));
}

// Two spatial axes.
void Conv(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const Tensor& w = call.input(1);
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  const auto strides = call.node.Ints("strides").value_or(Index{1, 1});
  const auto pads = call.node.Ints("pads").value_or(Index{0, 0, 0, 0});
  const int64_t groups = call.node.Int("group", 1);
  const int64_t per_group = w.shape[0] / groups;
  Index at = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    double sum = call.input(2).present() ? call.input(2).Get(at[1]) : 0;
    const int64_t first_channel = at[1] / per_group * w.shape[1];
    Index tap = FirstIndex(w.shape);
    do {
      if (tap[0] != 0) break;  // taps of one filter alone
      const int64_t row = at[2] * strides[0] + tap[2] - pads[0];
      const int64_t column = at[3] * strides[1] + tap[3] - pads[1];
      if (row < 0 || row >= x.shape[2] || column < 0 || column >= x.shape[3]) {
        continue;
      }
      sum += x.At({at[0], first_channel + tap[1], row, column}) *
             w.At({at[1], tap[1], tap[2], tap[3]});
    } while (NextIndex(w.shape, tap));
    y.Set(i++, sum);
  } while (NextIndex(y.shape, at));
}

struct Fold {
  double initial;
  double (*step)(double, double);
};

constexpr double kLowest = std::numeric_limits<double>::lowest();
constexpr double kHighest = std::numeric_limits<double>::max();
constexpr Fold kSum = {0, [](double a, double b) { return a + b; }};
constexpr Fold kMax = {kLowest,
                       [](double a, double b) { return std::max(a, b); }};
constexpr Fold kMin = {kHighest,
                       [](double a, double b) { return std::min(a, b); }};

// Axes are an attribute or an input, by operator and opset; none means all.
std::vector<bool> ReducedAxes(const KernelCall& call) {
  const Tensor& x = call.input(0);
  std::vector<int64_t> axes = call.node.Ints("axes").value_or(Index{});
  if (call.input(1).present()) axes = Ints(call.input(1));
  std::vector<bool> reduced(x.shape.size(), axes.empty());
  for (const int64_t axis : axes) reduced[Axis(axis, x.rank())] = true;
  return reduced;
}

// For each element of the result, all elements that go into it.
template <const Fold& kFold, bool kMean = false>
void Reduce(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const std::vector<bool> reduced = ReducedAxes(call);
  for (int64_t target = 0; target < y.size(); ++target) {
    double result = kFold.initial;
    int64_t count = 0;
    Index index = FirstIndex(x.shape);
    do {
      int64_t place = 0;
      for (size_t axis = 0; axis < index.size(); ++axis) {
        if (!reduced[axis]) place = place * x.shape[axis] + index[axis];
      }
      if (place != target) continue;
      result = kFold.step(result, x.At(index));
      ++count;
    } while (NextIndex(x.shape, index));
    y.Set(target, kMean ? result / static_cast<double>(count) : result);
  }
}

}  // namespace

absl::Span<const KernelRow> ContractionKernels() {
  static constexpr KernelRow kRows[] = {
      {"MatMul", MatMul, false},
      {"Conv", Conv, false},
      {"ReduceSum", Reduce<kSum>, false},
      {"ReduceMean", Reduce<kSum, true>, false},
      {"ReduceMax", Reduce<kMax>, false},
      {"ReduceMin", Reduce<kMin>, false},
  };
  return kRows;
}

}  // namespace memplan::reference
