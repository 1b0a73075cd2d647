// Evaluators of operators that look for elements: the largest, the non-zero,
// the different ones. They need all of the content.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"

namespace memplan {
namespace {

// Known numbers to compare. Integers above 2^53 would lose their order as
// doubles, so they are kept apart.
struct Keys {
  std::vector<int64_t> ints;
  std::vector<double> floats;

  bool Less(int64_t a, int64_t b) const {
    const auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
    return ints.empty() ? floats[i] < floats[j] : ints[i] < ints[j];
  }
  bool IsZero(int64_t a) const {
    const auto i = static_cast<size_t>(a);
    return ints.empty() ? floats[i] == 0 : ints[i] == 0;
  }
};

std::optional<Keys> KeysOf(const TensorValue& content) {
  if (content.is_partly_known_float()) return std::nullopt;
  const bool has_nan = std::any_of(content.floats.begin(), content.floats.end(),
                                   [](double value) { return value != value; });
  if (has_nan) return std::nullopt;  // not in any order
  if (content.is_float()) return Keys{{}, content.floats};
  auto numbers = KnownInts(content);
  if (!numbers) return std::nullopt;
  return Keys{*std::move(numbers), {}};
}

TensorValue Indices(KnownShape shape, const Positions& indices) {
  TensorValue content;
  content.shape = std::move(shape);
  content.ints.assign(indices.begin(), indices.end());
  return content;
}

// The first of equals, unless "select_last_index".
void EvaluateArg(NodeContext& node, bool wants_largest) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr || content->size() == 0) return;
  const auto keys = KeysOf(*content);
  const auto axis = NormalAxis(node.Int("axis", 0), content->shape.size());
  if (!keys || !axis) return;
  const bool last = node.Int("select_last_index", 0) != 0;
  const Lanes lanes = LanesOf(content->shape, *axis);
  Positions winners;
  for (int64_t lane = 0; lane < lanes.outer * lanes.inner; ++lane) {
    const auto at = [&](int64_t i) {
      return lanes.At(lane / lanes.inner, i, lane % lanes.inner);
    };
    int64_t best = 0;
    for (int64_t i = 1; i < lanes.length; ++i) {
      const bool better = wants_largest ? keys->Less(at(best), at(i))
                                        : keys->Less(at(i), at(best));
      const bool worse = wants_largest ? keys->Less(at(i), at(best))
                                       : keys->Less(at(best), at(i));
      if (better || (last && !worse)) best = i;
    }
    winners.push_back(best);
  }
  const auto count = static_cast<int64_t>(winners.size());
  PublishReshaped(node, 0, Indices({count}, winners));
}

void EvaluateArgMax(NodeContext& node) { EvaluateArg(node, true); }
void EvaluateArgMin(NodeContext& node) { EvaluateArg(node, false); }

// Equals in the order of their indices. The order of unsorted results is not
// specified. k is an attribute below opset 10; the output's shape has it
// anyway.
void EvaluateTopK(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const auto shape = SmallOutputShape(node, 0);
  if (content == nullptr || !shape || node.Int("sorted", 1) == 0) return;
  const auto keys = KeysOf(*content);
  const auto axis = NormalAxis(node.Int("axis", -1), content->shape.size());
  if (!keys || !axis || shape->size() != content->shape.size()) return;
  const bool largest = node.Int("largest", 1) != 0;
  const Lanes lanes = LanesOf(content->shape, *axis);
  const int64_t k = (*shape)[*axis];
  if (k > lanes.length || *SmallCount(*shape) == 0) return;
  const Lanes out = {lanes.outer, k, lanes.inner};
  Positions positions(static_cast<size_t>(*SmallCount(*shape)));
  Positions indices(positions.size());
  if (lanes.outer * k * lanes.inner != *SmallCount(*shape)) return;
  for (int64_t lane = 0; lane < lanes.outer * lanes.inner; ++lane) {
    const int64_t o = lane / lanes.inner, inner = lane % lanes.inner;
    Positions order(static_cast<size_t>(lanes.length));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const int64_t x = lanes.At(o, a, inner), y = lanes.At(o, b, inner);
      return largest ? keys->Less(y, x) : keys->Less(x, y);
    });
    for (int64_t i = 0; i < k; ++i) {
      const auto at = static_cast<size_t>(out.At(o, i, inner));
      indices[at] = order[static_cast<size_t>(i)];
      positions[at] = lanes.At(o, indices[at], inner);
    }
  }
  Publish(node, 0, Take(*content, *shape, positions));
  Publish(node, 1, Indices(*shape, indices));
}

// A scalar is a vector of one: NonZero gives one row for it.
void EvaluateNonZero(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr) return;
  const auto keys = KeysOf(*content);
  if (!keys) return;
  Positions found;
  for (int64_t i = 0; i < content->size(); ++i) {
    if (!keys->IsZero(i)) found.push_back(i);
  }
  KnownShape shape = content->shape;
  if (shape.empty()) shape = {1};
  const std::vector<int64_t> strides = StridesOf(shape);
  const auto rank = static_cast<int64_t>(shape.size());
  const auto count = static_cast<int64_t>(found.size());
  if (count > kMaxKnownElements / rank) return;
  Positions coordinates;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    for (int64_t position : found) {
      coordinates.push_back(position / strides[axis] % shape[axis]);
    }
  }
  Publish(node, 0, Indices({rank, count}, coordinates));
}

// Whether a slice of one axis comes before another, element by element in
// row-major order.
bool SliceIsLess(const Keys& keys, const Lanes& lanes, int64_t a, int64_t b) {
  for (int64_t o = 0; o < lanes.outer; ++o) {
    for (int64_t i = 0; i < lanes.inner; ++i) {
      const int64_t x = lanes.At(o, a, i), y = lanes.At(o, b, i);
      if (keys.Less(x, y)) return true;
      if (keys.Less(y, x)) return false;
    }
  }
  return false;
}

// The slices of `lanes` that stand at `picks`.
Positions PositionsOfSlices(const Lanes& lanes, const Positions& picks) {
  Positions positions;
  for (int64_t o = 0; o < lanes.outer; ++o) {
    for (const int64_t pick : picks) {
      for (int64_t i = 0; i < lanes.inner; ++i) {
        positions.push_back(lanes.At(o, pick, i));
      }
    }
  }
  return positions;
}

// The different elements of the flattened tensor, or slices of an axis; with
// "sorted" in ascending order, else in the order of their first occurrence.
void EvaluateUnique(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr) return;
  const bool by_axis = node.HasAttribute("axis");
  KnownShape shape = by_axis ? content->shape : KnownShape{content->size()};
  const auto axis = NormalAxis(node.Int("axis", 0), shape.size());
  const auto keys = KeysOf(*content);
  if (!keys || !axis) return;
  const Lanes lanes = LanesOf(shape, *axis);
  const auto less = [&](int64_t a, int64_t b) {
    return SliceIsLess(*keys, lanes, a, b);
  };
  Positions order(static_cast<size_t>(lanes.length));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), less);
  Positions first;                // of each group of equals
  Positions group(order.size());  // by slice
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || less(order[i - 1], order[i])) first.push_back(order[i]);
    group[static_cast<size_t>(order[i])] =
        static_cast<int64_t>(first.size()) - 1;
  }
  Positions rank(first.size());  // by group: its place among the outputs
  Positions groups(first.size());
  std::iota(groups.begin(), groups.end(), 0);
  if (node.Int("sorted", 1) == 0) {
    std::sort(groups.begin(), groups.end(), [&](int64_t a, int64_t b) {
      return first[static_cast<size_t>(a)] < first[static_cast<size_t>(b)];
    });
  }
  Positions occurrences(first.size()), counts(first.size(), 0);
  for (size_t i = 0; i < groups.size(); ++i) {
    rank[static_cast<size_t>(groups[i])] = static_cast<int64_t>(i);
    occurrences[i] = first[static_cast<size_t>(groups[i])];
  }
  for (int64_t& place : group) {
    place = rank[static_cast<size_t>(place)];
    ++counts[static_cast<size_t>(place)];
  }
  const auto count = static_cast<int64_t>(first.size());
  shape[*axis] = count;
  Publish(node, 0,
          Take(*content, shape, PositionsOfSlices(lanes, occurrences)));
  Publish(node, 1, Indices({count}, occurrences));
  Publish(node, 2, Indices({lanes.length}, group));
  Publish(node, 3, Indices({count}, counts));
}

constexpr EvaluatorRow kRows[] = {
    {"", "ArgMax", EvaluateArgMax},   {"", "ArgMin", EvaluateArgMin},
    {"", "NonZero", EvaluateNonZero}, {"", "TopK", EvaluateTopK},
    {"", "Unique", EvaluateUnique},
};

}  // namespace

absl::Span<const EvaluatorRow> SearchEvaluators() { return kRows; }

}  // namespace memplan
