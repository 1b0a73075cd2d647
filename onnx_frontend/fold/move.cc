// Evaluators of operators that only move elements.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/fold/elementwise.h"
#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"

namespace memplan {
namespace {

// Identity, Reshape, OptionalGetElement and the like: the shape rule knows the
// shape.
void EvaluateSameElements(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content != nullptr) PublishReshaped(node, 0, *content);
}

// The mask is all true where nothing is dropped.
void EvaluateDropout(NodeContext& node) {
  if (node.HasInput(2) && IntOf(node, 2) != 0) return;
  EvaluateSameElements(node);
}

void EvaluateConcat(NodeContext& node) {
  const auto shape = SmallOutputShape(node, 0);
  if (!shape || *SmallCount(*shape) == 0) return;
  const auto axis =
      NormalAxis(node.Int("axis", node.opset() < 4 ? 1 : 0), shape->size());
  if (!axis) return;
  std::vector<TensorValue> parts;
  for (size_t i = 0; i < node.num_inputs(); ++i) {
    auto part = ContentOrUnknown(node, i);
    if (!part || part->shape.size() != shape->size()) return;
    if (i > 0 && part->element != parts.front().element) return;
    parts.push_back(*std::move(part));
  }
  std::vector<const TensorValue*> pointers;
  for (const TensorValue& part : parts) pointers.push_back(&part);
  const Lanes lanes = LanesOf(*shape, *axis);
  Positions positions;
  positions.reserve(static_cast<size_t>(*SmallCount(*shape)));
  for (int64_t outer = 0; outer < lanes.outer; ++outer) {
    int64_t base = 0;
    for (const TensorValue& part : parts) {
      const int64_t block = part.size() / lanes.outer;
      for (int64_t i = 0; i < block; ++i) {
        positions.push_back(base + outer * block + i);
      }
      base += part.size();
    }
  }
  if (static_cast<int64_t>(positions.size()) != *SmallCount(*shape)) return;
  Publish(node, 0, Take(Joined(pointers), *shape, positions));
}

void EvaluateSplit(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr) return;
  const auto axis = NormalAxis(node.Int("axis", 0), content->shape.size());
  if (!axis) return;
  const std::vector<int64_t> strides = StridesOf(content->shape);
  int64_t start = 0;
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    const auto shape = SmallOutputShape(node, i);
    if (!shape || shape->size() != strides.size()) return;
    if (start + (*shape)[*axis] > content->shape[*axis]) return;
    Publish(node, i,
            Take(*content, *shape,
                 StridedPositions(*shape, strides, start * strides[*axis])));
    start += (*shape)[*axis];
  }
}

void EvaluateTranspose(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  if (content == nullptr) return;
  const size_t rank = content->shape.size();
  std::vector<int64_t> permutation(rank);
  for (size_t i = 0; i < rank; ++i) {
    permutation[i] = static_cast<int64_t>(rank - 1 - i);
  }
  if (auto given = node.Ints("perm")) permutation = *std::move(given);
  if (permutation.size() != rank) return;
  const std::vector<int64_t> strides = StridesOf(content->shape);
  KnownShape shape;
  std::vector<int64_t> moved;
  for (int64_t from : permutation) {
    const auto axis = NormalAxis(from, rank);
    if (!axis) return;
    shape.push_back(content->shape[*axis]);
    moved.push_back(strides[*axis]);
  }
  if (SmallCount(shape) != content->size()) return;
  Publish(node, 0, Take(*content, shape, StridedPositions(shape, moved)));
}

void EvaluateExpand(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const auto shape = SmallOutputShape(node, 0);
  if (content == nullptr || !shape) return;
  const auto positions = BroadcastPositions(content->shape, *shape);
  if (positions) Publish(node, 0, Take(*content, *shape, *positions));
}

// Repeated along each axis as often as the output's shape says.
void EvaluateTile(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const auto shape = SmallOutputShape(node, 0);
  if (content == nullptr || !shape) return;
  if (shape->size() != content->shape.size()) return;
  if (content->size() == 0 || *SmallCount(*shape) == 0) return;
  std::vector<std::vector<int64_t>> along(shape->size());
  for (size_t axis = 0; axis < shape->size(); ++axis) {
    for (int64_t i = 0; i < (*shape)[axis]; ++i) {
      along[axis].push_back(i % content->shape[axis]);
    }
  }
  Publish(node, 0,
          Take(*content, *shape,
               ListedPositions(along, StridesOf(content->shape))));
}

struct SliceArguments {
  std::vector<int64_t> starts, axes, steps;
};

// Slice-10 took them as inputs, before they were attributes.
std::optional<SliceArguments> ReadSlice(const NodeContext& node, size_t rank) {
  SliceArguments slice;
  const bool as_inputs = node.opset() >= 10;
  const auto starts = as_inputs ? node.IntsOf(1) : node.Ints("starts");
  if (!starts || starts->size() > rank) return std::nullopt;
  slice.starts = *starts;
  slice.steps.assign(starts->size(), 1);
  for (size_t i = 0; i < starts->size(); ++i) {
    slice.axes.push_back(static_cast<int64_t>(i));
  }
  const bool has_axes =
      as_inputs ? node.HasInput(3) : node.HasAttribute("axes");
  if (has_axes) {
    const auto axes = as_inputs ? node.IntsOf(3) : node.Ints("axes");
    if (!axes) return std::nullopt;
    slice.axes = *axes;
  }
  if (as_inputs && node.HasInput(4)) {
    const auto steps = node.IntsOf(4);
    if (!steps) return std::nullopt;
    slice.steps = *steps;
  }
  if (slice.axes.size() != starts->size()) return std::nullopt;
  if (slice.steps.size() != starts->size()) return std::nullopt;
  return slice;
}

void EvaluateSlice(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const auto shape = SmallOutputShape(node, 0);
  if (content == nullptr || !shape) return;
  if (shape->size() != content->shape.size()) return;
  const auto slice = ReadSlice(node, shape->size());
  if (!slice) return;
  std::vector<int64_t> strides = StridesOf(content->shape);
  int64_t offset = 0;
  for (size_t i = 0; i < slice->starts.size(); ++i) {
    const auto axis = NormalAxis(slice->axes[i], shape->size());
    if (!axis || slice->steps[i] == 0) return;
    const int64_t size = content->shape[*axis];
    const int64_t count = (*shape)[*axis];
    if (count == 0) continue;
    if (size == 0) return;
    const int64_t start = slice->starts[i];
    const int64_t last = slice->steps[i] > 0 ? size : size - 1;
    const int64_t first =
        std::clamp<int64_t>(start < 0 ? start + size : start, 0, last);
    // Steps may be as large as int64_t; a single element has no next.
    const int64_t step = count == 1 ? 0 : slice->steps[i];
    if (step <= -size || step >= size) return;
    const int64_t end = first + step * (count - 1);
    if (first >= size || end < 0 || end >= size) return;
    offset += first * strides[*axis];
    strides[*axis] *= step;
  }
  for (size_t axis = 0; axis < shape->size(); ++axis) {
    if ((*shape)[axis] > content->shape[axis]) return;
  }
  Publish(node, 0,
          Take(*content, *shape, StridedPositions(*shape, strides, offset)));
}

// Where element `i` of a padded axis of `size` elements comes from.
int64_t PaddedFrom(std::string_view mode, int64_t i, int64_t size) {
  if (i >= 0 && i < size) return i;
  if (mode == "edge") return std::clamp<int64_t>(i, 0, size - 1);
  if (mode == "wrap") return ((i % size) + size) % size;
  if (mode == "reflect") {
    if (size == 1) return 0;
    const int64_t period = 2 * (size - 1);
    const int64_t phase = ((i % period) + period) % period;
    return phase < size ? phase : period - phase;
  }
  return kNowhere;
}

// How many elements are put before the first, on each axis.
std::optional<std::vector<int64_t>> PadStarts(const NodeContext& node,
                                              size_t rank) {
  const auto pads = node.opset() >= 11
                        ? node.IntsOf(1)
                        : node.Ints(node.opset() == 1 ? "paddings" : "pads");
  if (!pads) return std::nullopt;
  std::vector<int64_t> axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<int64_t>(i);
  if (node.opset() >= 18 && node.HasInput(3)) {
    const auto given = node.IntsOf(3);
    if (!given) return std::nullopt;
    axes = *given;
  }
  if (pads->size() != 2 * axes.size()) return std::nullopt;
  std::vector<int64_t> starts(rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = NormalAxis(axes[i], rank);
    const int64_t start = (*pads)[i];
    const bool is_small =
        start >= -kMaxKnownElements && start <= kMaxKnownElements;
    if (!axis || !is_small) return std::nullopt;
    starts[*axis] = start;
  }
  return starts;
}

// What Pad fills with: zero unless said.
std::optional<TensorValue> PadValue(const NodeContext& node,
                                    ElementType element) {
  if (node.opset() >= 11 && node.HasInput(2)) {
    auto value = ContentOrUnknown(node, 2);
    if (!value || value->size() != 1) return std::nullopt;
    if (value->element != element) return std::nullopt;
    return value;
  }
  TensorValue value;
  value.element = element;
  if (IsFloatingPoint(element)) {
    value.floats = {static_cast<double>(node.Float("value", 0))};
  } else {
    value.ints = {Dim(0)};
  }
  return value;
}

void EvaluatePad(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const auto shape = SmallOutputShape(node, 0);
  if (content == nullptr || !shape || content->size() == 0) return;
  const size_t rank = content->shape.size();
  const auto starts = PadStarts(node, rank);
  const auto fill = PadValue(node, content->element);
  if (!starts || !fill || shape->size() != rank) return;
  const std::string mode = node.String("mode", "constant");
  std::vector<std::vector<int64_t>> along(rank);
  for (size_t axis = 0; axis < rank; ++axis) {
    for (int64_t i = 0; i < (*shape)[axis]; ++i) {
      along[axis].push_back(
          PaddedFrom(mode, i - (*starts)[axis], content->shape[axis]));
    }
  }
  Positions positions = ListedPositions(along, StridesOf(content->shape));
  std::replace(positions.begin(), positions.end(), kNowhere, content->size());
  Publish(node, 0, Take(Joined({content, &*fill}), *shape, positions));
}

constexpr EvaluatorRow kRows[] = {
    {"", "Concat", EvaluateConcat},
    {"", "Dropout", EvaluateDropout},
    {"", "Expand", EvaluateExpand},
    {"", "Flatten", EvaluateSameElements},
    {"", "Identity", EvaluateSameElements},
    {"", "OptionalGetElement", EvaluateSameElements},
    {"", "Pad", EvaluatePad},
    {"", "Reshape", EvaluateSameElements},
    {"", "Slice", EvaluateSlice},
    {"", "Split", EvaluateSplit},
    {"", "Squeeze", EvaluateSameElements},
    {"", "Tile", EvaluateTile},
    {"", "Transpose", EvaluateTranspose},
    {"", "Unsqueeze", EvaluateSameElements},
    {"com.microsoft", "Pad", EvaluatePad},
};

}  // namespace

absl::Span<const EvaluatorRow> MoveEvaluators() { return kRows; }

}  // namespace memplan
