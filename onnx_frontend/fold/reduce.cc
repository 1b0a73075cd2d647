// Evaluators of sums, products, extremes and means along axes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"
#include "onnx_frontend/fold/number_format.h"

namespace memplan {
namespace {

// A reduction as a fold: what each element contributes, how two are joined, and
// what the whole becomes.
struct Reduction {
  Dim (*join_ints)(const Dim&, const Dim&) = nullptr;
  double (*join_floats)(double, double) = nullptr;
  Dim (*map_int)(const Dim&) = nullptr;   // null: as it is
  double (*map_float)(double) = nullptr;  // null: as it is
  Dim (*finish_int)(const Dim&, int64_t count) = nullptr;
  double (*finish_float)(double, int64_t count) = nullptr;
};

constexpr Reduction kSum = {[](const Dim& a, const Dim& b) { return a + b; },
                            [](double a, double b) { return a + b; }};
constexpr Reduction kProd = {[](const Dim& a, const Dim& b) { return a * b; },
                             [](double a, double b) { return a * b; }};
constexpr Reduction kMax = {Max,
                            [](double a, double b) { return std::max(a, b); }};
constexpr Reduction kMin = {Min,
                            [](double a, double b) { return std::min(a, b); }};
constexpr Reduction kMean = {
    kSum.join_ints,
    kSum.join_floats,
    nullptr,
    nullptr,
    [](const Dim& sum, int64_t count) { return TruncDiv(sum, count); },
    [](double sum, int64_t count) { return sum / static_cast<double>(count); }};
constexpr Reduction kL1 = {kSum.join_ints, kSum.join_floats,
                           [](const Dim& a) { return Max(a, Dim(0) - a); },
                           [](double a) { return std::abs(a); }};
constexpr Reduction kSumSquare = {kSum.join_ints, kSum.join_floats,
                                  [](const Dim& a) { return a * a; },
                                  [](double a) { return a * a; }};
constexpr Reduction kL2 = {
    nullptr, kSum.join_floats,
    nullptr, kSumSquare.map_float,
    nullptr, [](double sum, int64_t) { return std::sqrt(sum); }};

// Which axes are reduced; unset where that is not known. An input since
// ReduceSum-13 and the others' opset 18, an attribute before.
std::optional<std::vector<bool>> ReducedAxes(const NodeContext& node,
                                             size_t rank) {
  std::optional<std::vector<int64_t>> axes = node.Ints("axes");
  if (node.HasInput(1)) {
    axes = node.IntsOf(1);
    if (!axes) return std::nullopt;
  }
  if (!axes || axes->empty()) {
    const bool reduces_all = node.Int("noop_with_empty_axes", 0) == 0;
    return std::vector<bool>(rank, reduces_all);
  }
  std::vector<bool> is_reduced(rank, false);
  for (int64_t given : *axes) {
    const auto axis = NormalAxis(given, rank);
    if (!axis) return std::nullopt;
    is_reduced[*axis] = true;
  }
  return is_reduced;
}

// For each input element, the output element that it goes into.
struct Groups {
  Positions group_of;
  int64_t count = 0;
  int64_t size = 0;  // input elements a group
};

std::optional<Groups> GroupsOf(const NodeContext& node,
                               const TensorValue& content) {
  const auto is_reduced = ReducedAxes(node, content.shape.size());
  if (!is_reduced || content.size() == 0) return std::nullopt;
  KnownShape kept = content.shape;
  for (size_t i = 0; i < kept.size(); ++i) {
    if ((*is_reduced)[i]) kept[i] = 1;
  }
  auto group_of = BroadcastPositions(kept, content.shape);
  const auto count = SmallCount(kept);
  if (!group_of || !count) return std::nullopt;
  return Groups{*std::move(group_of), *count, content.size() / *count};
}

template <typename T, typename Map, typename Join>
std::vector<T> FoldGroups(const std::vector<T>& elements, const Groups& groups,
                          Map map, Join join) {
  std::vector<T> results(static_cast<size_t>(groups.count));
  std::vector<bool> is_begun(results.size(), false);
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto group = static_cast<size_t>(groups.group_of[i]);
    const T element = map == nullptr ? elements[i] : map(elements[i]);
    results[group] = is_begun[group] ? join(results[group], element) : element;
    is_begun[group] = true;
  }
  return results;
}

template <const Reduction& kReduction>
void EvaluateReduction(NodeContext& node) {
  const TensorValue* content = node.value(0);
  if (content == nullptr || SmallCount(content->shape) != content->size()) {
    return;
  }
  const auto groups = GroupsOf(node, *content);
  if (!groups) return;
  TensorValue result;
  result.element = content->element;
  if (content->is_float()) {
    if (!HasFloatArithmetic(content->element)) return;
    result.floats = FoldGroups(content->floats, *groups, kReduction.map_float,
                               kReduction.join_floats);
    for (double& value : result.floats) {
      if (kReduction.finish_float != nullptr) {
        value = kReduction.finish_float(value, groups->size);
      }
      value = RoundToType(result.element, value);
    }
  } else {
    if (kReduction.join_ints == nullptr) return;
    result.ints = FoldGroups(content->ints, *groups, kReduction.map_int,
                             kReduction.join_ints);
    for (Dim& value : result.ints) {
      if (kReduction.finish_int != nullptr) {
        value = kReduction.finish_int(value, groups->size);
      }
      value = IfItFits(result.element, value);
    }
  }
  PublishReshaped(node, 0, result);
}

// Sums along an axis so far: with or without the element itself, from the front
// or the back.
void EvaluateCumSum(NodeContext& node) {
  const TensorValue* content = node.value(0);
  const auto given = IntOf(node, 1);
  if (content == nullptr || !given) return;
  if (SmallCount(content->shape) != content->size()) return;
  const auto axis = NormalAxis(*given, content->shape.size());
  if (!axis) return;
  const bool exclusive = node.Int("exclusive", 0) != 0;
  const bool reverse = node.Int("reverse", 0) != 0;
  const Lanes lanes = LanesOf(content->shape, *axis);
  TensorValue result = *content;
  for (int64_t lane = 0; lane < lanes.outer * lanes.inner; ++lane) {
    Dim sum(0);
    double float_sum = 0;
    for (int64_t i = 0; i < lanes.length; ++i) {
      const auto at = static_cast<size_t>(
          lanes.At(lane / lanes.inner, reverse ? lanes.length - 1 - i : i,
                   lane % lanes.inner));
      if (content->is_float()) {
        const double next =
            RoundToType(content->element, float_sum + content->floats[at]);
        result.floats[at] = exclusive ? float_sum : next;
        float_sum = next;
      } else {
        const Dim next = sum + content->ints[at];
        result.ints[at] = IfItFits(content->element, exclusive ? sum : next);
        sum = next;
      }
    }
  }
  Publish(node, 0, std::move(result));
}

// Products of this many elements are weights, not shapes.
constexpr int64_t kMaxMatMulSteps = 65536;

// Of vectors and matrices alone.
void EvaluateMatMul(NodeContext& node) {
  const TensorValue* a = node.value(0);
  const TensorValue* b = node.value(1);
  if (a == nullptr || b == nullptr || a->element != b->element) return;
  if (a->shape.empty() || a->shape.size() > 2) return;
  if (b->shape.empty() || b->shape.size() > 2) return;
  const int64_t inner = a->shape.back();
  const int64_t rows = a->shape.size() == 2 ? a->shape[0] : 1;
  const int64_t columns = b->shape.size() == 2 ? b->shape[1] : 1;
  if (b->shape[0] != inner || a->size() != rows * inner) return;
  if (b->size() != inner * columns) return;
  if (rows * columns > kMaxMatMulSteps / std::max<int64_t>(inner, 1)) return;
  TensorValue result;
  result.element = a->element;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      Dim sum(0);
      double float_sum = 0;
      for (int64_t i = 0; i < inner; ++i) {
        const auto left = static_cast<size_t>(row * inner + i);
        const auto right = static_cast<size_t>(i * columns + column);
        if (a->is_float()) {
          float_sum += a->floats[left] * b->floats[right];
        } else {
          sum = sum + a->ints[left] * b->ints[right];
        }
      }
      if (a->is_float()) {
        result.floats.push_back(RoundToType(a->element, float_sum));
      } else {
        result.ints.push_back(IfItFits(a->element, sum));
      }
    }
  }
  PublishReshaped(node, 0, result);
}

constexpr EvaluatorRow kRows[] = {
    {"", "CumSum", EvaluateCumSum},
    {"", "MatMul", EvaluateMatMul},
    {"", "ReduceL1", EvaluateReduction<kL1>},
    {"", "ReduceL2", EvaluateReduction<kL2>},
    {"", "ReduceMax", EvaluateReduction<kMax>},
    {"", "ReduceMean", EvaluateReduction<kMean>},
    {"", "ReduceMin", EvaluateReduction<kMin>},
    {"", "ReduceProd", EvaluateReduction<kProd>},
    {"", "ReduceSum", EvaluateReduction<kSum>},
    {"", "ReduceSumSquare", EvaluateReduction<kSumSquare>},
};

}  // namespace

absl::Span<const EvaluatorRow> ReduceEvaluators() { return kRows; }

}  // namespace memplan
