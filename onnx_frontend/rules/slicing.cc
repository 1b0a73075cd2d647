// Operators that cut tensors.

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// Exporters write "to the end" as the largest int32 or int64.
constexpr int64_t kBeyond = std::numeric_limits<int32_t>::max();

// The largest int32 or int64 as an end is "all the rest": backward, too, in
// ONNX Runtime (providers/cpu/tensor/slice_helper.h), where the specification
// would clamp it to the last element.
bool IsOpenEnd(const Dim& end) {
  return end.Equals(kBeyond) || end.Equals(std::numeric_limits<int64_t>::max());
}

// An index that may count from the end, as one from the front; not yet clamped.
// Unknown where its sign is.
Dim FromFront(const NodeContext& node, const Dim& index, const Dim& size) {
  if (SurelyAtLeast(node, index, 0)) return index;
  if (SurelyAtLeast(node, -1, index)) return index + size;
  return Dim::Unknown();
}

// `index` clamped to [lowest, highest].
Dim Clamped(const NodeContext& node, const Dim& index, const Dim& lowest,
            const Dim& highest) {
  return LargerOf(node, SmallerOf(node, index, highest), lowest);
}

// The number of elements of [start, end) with this step out of `size`.
Dim SliceLength(const NodeContext& node, const Dim& start, const Dim& end,
                int64_t step, const Dim& size) {
  if (size.Equals(0)) return 0;
  const bool forward = step > 0;
  const Dim lowest = forward ? 0 : -1;
  const Dim highest = forward ? size : size - 1;
  Dim from = Clamped(node, FromFront(node, start, size), 0, highest);
  Dim to = Clamped(node, FromFront(node, end, size), lowest, highest);
  if (size.is_symbolic()) {
    if (start.is_number() && start.number() >= kBeyond) from = highest;
    if (start.is_number() && start.number() <= -kBeyond) from = 0;
    if (end.is_number() && end.number() >= kBeyond) to = highest;
    if (end.is_number() && end.number() <= -kBeyond) to = lowest;
  }
  if (!forward && IsOpenEnd(end)) to = lowest;
  const Dim span = LargerOf(node, forward ? to - from : from - to, 0);
  if (step == 1 || step == -1) return span;
  // The negation of the lowest number would overflow.
  const int64_t stride =
      forward ? step : -std::max(step, -std::numeric_limits<int64_t>::max());
  return CeilDiv(span, stride);
}

struct SliceBounds {
  std::vector<Dim> starts;
  std::vector<Dim> ends;
  std::vector<int64_t> axes;
  std::vector<Dim> steps;  // empty: all 1
};

absl::Status SliceBy(NodeContext& node, const SliceBounds& bounds) {
  const Shape* input = node.shape(0);
  std::optional<Shape> result = node.input(0).shape;
  if (input != nullptr) {
    const size_t count = bounds.axes.size();
    if (bounds.starts.size() != count || bounds.ends.size() != count ||
        (!bounds.steps.empty() && bounds.steps.size() != count)) {
      return node.Error(absl::StrCat("starts, ends, axes and steps have ",
                                     bounds.starts.size(), ", ",
                                     bounds.ends.size(), ", ", count, " and ",
                                     bounds.steps.size(), " elements"));
    }
    const absl::StatusOr<std::vector<size_t>> axes =
        ResolveAxes(node, bounds.axes, input->size());
    if (!axes.ok()) return axes.status();
    for (size_t i = 0; i < count; ++i) {
      const Dim step = bounds.steps.empty() ? Dim(1) : bounds.steps[i];
      if (step.Equals(0)) return node.Error("a step is 0");
      Dim& dim = (*result)[(*axes)[i]];
      dim = step.is_number() ? SliceLength(node, bounds.starts[i],
                                           bounds.ends[i], step.number(), dim)
                             : Dim::Unknown();
    }
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

absl::Status SliceByAttributes(NodeContext& node) {
  const auto starts = node.Ints("starts").value_or(std::vector<int64_t>());
  const auto ends = node.Ints("ends").value_or(std::vector<int64_t>());
  SliceBounds bounds;
  bounds.starts.assign(starts.begin(), starts.end());
  bounds.ends.assign(ends.begin(), ends.end());
  bounds.axes = node.Ints("axes").value_or(FirstAxes(starts.size()));
  return SliceBy(node, bounds);
}

// Inputs: data, starts, ends, and maybe axes and steps.
absl::Status SliceByInputs(NodeContext& node) {
  SliceBounds bounds;
  for (const size_t input : {1, 2}) {
    if (node.value(input) == nullptr) DependsOnContents(node, 0, input);
  }
  const std::optional<std::vector<Dim>> starts = DimsOf(node, 1);
  const std::optional<std::vector<Dim>> ends = DimsOf(node, 2);
  std::optional<std::vector<int64_t>> axes;
  if (node.HasInput(3)) {
    axes = node.IntsOf(3);
    if (!axes.has_value()) DependsOnContents(node, 0, 3);
  } else if (starts.has_value() || ends.has_value()) {
    axes = FirstAxes(starts.has_value() ? starts->size() : ends->size());
  }
  if (!axes.has_value()) {
    std::optional<Shape> result = node.input(0).shape;
    if (result.has_value()) result = UnknownShape(result->size());
    node.SetTensor(0, node.element(0), std::move(result));
    return absl::OkStatus();
  }
  bounds.axes = *std::move(axes);
  const std::vector<Dim> unknown(bounds.axes.size());
  bounds.starts = starts.value_or(unknown);
  bounds.ends = ends.value_or(unknown);
  if (node.HasInput(4)) bounds.steps = DimsOf(node, 4).value_or(unknown);
  return SliceBy(node, bounds);
}

void SetParts(NodeContext& node, size_t axis, const std::vector<Dim>& sizes) {
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    Shape part = *node.shape(0);
    part[axis] = sizes[i];
    node.SetTensor(i, node.element(0), std::move(part));
  }
}

// `size` in equal parts; where `may_be_uneven`, the last may be smaller.
std::vector<Dim> EvenParts(const Dim& size, size_t count, bool may_be_uneven) {
  const Dim number = static_cast<int64_t>(count);
  if (!may_be_uneven) return std::vector<Dim>(count, FloorDiv(size, number));
  const Dim part = CeilDiv(size, number);
  std::vector<Dim> sizes(count, part);
  if (!sizes.empty()) sizes.back() = size - part * (number - 1);
  return sizes;
}

absl::Status CheckParts(const NodeContext& node, const std::vector<Dim>& sizes,
                        const Dim& size) {
  Dim sum = 0;
  for (const Dim& part : sizes) {
    sum = sum + part;
    if (part.is_number() && part.number() < 0) {
      return node.Error(absl::StrCat("a part has the size ", part.number()));
    }
  }
  if (sum.is_number() && size.is_number() && !sum.Equals(size)) {
    return node.Error(absl::StrCat("the parts' sizes add up to ",
                                   sum.ToString(), "; the axis has ",
                                   size.ToString()));
  }
  return absl::OkStatus();
}

// The sizes of the parts: an input (opset 1, and from 13 on), an attribute, or
// equal. From opset 18 on, the last of num_outputs parts may be smaller.
absl::Status Split(NodeContext& node) {
  const Shape* input = node.shape(0);
  const size_t count = node.num_outputs();
  if (input == nullptr) {
    for (size_t i = 0; i < count; ++i) {
      node.SetTensor(i, node.element(0), std::nullopt);
    }
    return absl::OkStatus();
  }
  const absl::StatusOr<size_t> axis =
      ResolveAxis(node, node.Int("axis", 0), input->size());
  if (!axis.ok()) return axis.status();
  const Dim& size = (*input)[*axis];
  std::vector<Dim> sizes;
  const std::optional<std::vector<int64_t>> split = node.Ints("split");
  if (node.HasInput(1)) {
    sizes = DimsOf(node, 1).value_or(std::vector<Dim>(count));
    for (size_t i = 0; node.value(1) == nullptr && i < count; ++i) {
      DependsOnContents(node, i, 1);
    }
  } else if (split.has_value() && !split->empty()) {
    sizes.assign(split->begin(), split->end());
  } else {
    sizes = EvenParts(size, count, node.HasAttribute("num_outputs"));
  }
  if (sizes.size() != count) {
    return node.Error(
        absl::StrCat(sizes.size(), " parts for ", count, " outputs"));
  }
  const absl::Status status = CheckParts(node, sizes, size);
  if (!status.ok()) return status;
  SetParts(node, *axis, sizes);
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "Slice", 1, SliceByAttributes, "Changelog.md#Slice-1"},
    {"", "Slice", 10, SliceByInputs, "Operators.md#Slice"},
    {"", "Split", 1, Split, "Operators.md#Split"},
};

}  // namespace

absl::Span<const RuleRow> SlicingRules() { return kRows; }

}  // namespace memplan
