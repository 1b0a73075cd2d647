#include <algorithm>
#include <cmath>

#include "tests/reference/kernels.h"

namespace memplan::reference {
namespace {

template <double (*kFunction)(double)>
void Unary(const KernelCall& call) {
  const Tensor& y = call.output(0);
  for (int64_t i = 0; i < y.size(); ++i)
    y.Set(i, kFunction(call.input(0).Get(i)));
}

template <double (*kFunction)(double, double)>
void Binary(const KernelCall& call) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  Index index = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    const double a = call.input(0).Get(BroadcastOffset(call.input(0), index));
    const double b = call.input(1).Get(BroadcastOffset(call.input(1), index));
    y.Set(i++, kFunction(a, b));
  } while (NextIndex(y.shape, index));
}

double Relu(double x) { return std::max(x, 0.0); }
double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double Tanh(double x) { return std::tanh(x); }
double Exp(double x) { return std::exp(x); }
double Sqrt(double x) { return std::sqrt(std::abs(x)); }
double Neg(double x) { return -x; }
double Abs(double x) { return std::abs(x); }
double Not(double x) { return x == 0; }
double Same(double x) { return x; }

double Add(double a, double b) { return a + b; }
double Sub(double a, double b) { return a - b; }
double Mul(double a, double b) { return a * b; }
double Div(double a, double b) { return b == 0 ? 0 : a / b; }
double Min(double a, double b) { return std::min(a, b); }
double Max(double a, double b) { return std::max(a, b); }
double Less(double a, double b) { return a < b; }
double Greater(double a, double b) { return a > b; }
double Equal(double a, double b) { return a == b; }
double And(double a, double b) { return a != 0 && b != 0; }
double Or(double a, double b) { return a != 0 || b != 0; }

// Each row is read before it is written: it may work in place.
void Softmax(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const size_t axis = Axis(call.node.Int("axis", -1), x.rank());
  const int64_t length = x.shape[axis];
  int64_t stride = 1;
  for (size_t i = axis + 1; i < x.shape.size(); ++i) stride *= x.shape[i];
  for (int64_t first = 0; first < x.size(); ++first) {
    if (first / stride % length != 0) continue;
    std::vector<double> row;
    for (int64_t i = 0; i < length; ++i)
      row.push_back(x.Get(first + i * stride));
    const double highest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& element : row) sum += element = std::exp(element - highest);
    for (int64_t i = 0; i < length; ++i) {
      y.Set(first + i * stride, row[static_cast<size_t>(i)] / sum);
    }
  }
}

void Where(const KernelCall& call) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  Index index = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    const auto read = [&](const Tensor& x) {
      return x.Get(BroadcastOffset(x, index));
    };
    const bool condition = read(call.input(0)) != 0;
    y.Set(i++, read(call.input(condition ? 1 : 2)));
  } while (NextIndex(y.shape, index));
}

// One scale and zero point for all elements.
void QuantizeLinear(const KernelCall& call) {
  const Tensor& y = call.output(0);
  const double scale = call.input(1).Get(0);
  const double zero = call.input(2).present() ? call.input(2).Get(0) : 0;
  for (int64_t i = 0; i < y.size(); ++i) {
    y.Set(i, std::nearbyint(call.input(0).Get(i) / scale) + zero);
  }
}

void DequantizeLinear(const KernelCall& call) {
  const Tensor& y = call.output(0);
  const double scale = call.input(1).Get(0);
  const double zero = call.input(2).present() ? call.input(2).Get(0) : 0;
  for (int64_t i = 0; i < y.size(); ++i) {
    y.Set(i, (call.input(0).Get(i) - zero) * scale);
  }
}

}  // namespace

absl::Span<const KernelRow> ElementwiseKernels() {
  static constexpr KernelRow kRows[] = {
      {"Relu", Unary<Relu>},
      {"Sigmoid", Unary<Sigmoid>},
      {"Tanh", Unary<Tanh>},
      {"Exp", Unary<Exp>},
      {"Sqrt", Unary<Sqrt>},
      {"Neg", Unary<Neg>},
      {"Abs", Unary<Abs>},
      {"Not", Unary<Not>},
      {"Cast", Unary<Same>},
      {"Add", Binary<Add>},
      {"Sub", Binary<Sub>},
      {"Mul", Binary<Mul>},
      {"Div", Binary<Div>},
      {"Min", Binary<Min>},
      {"Max", Binary<Max>},
      {"Less", Binary<Less>},
      {"Greater", Binary<Greater>},
      {"Equal", Binary<Equal>},
      {"And", Binary<And>},
      {"Or", Binary<Or>},
      {"Softmax", Softmax},
      {"Where", Where},
      {"QuantizeLinear", QuantizeLinear},
      {"DequantizeLinear", DequantizeLinear},
  };
  return kRows;
}

}  // namespace memplan::reference
