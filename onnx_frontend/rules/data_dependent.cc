// Operators whose output's size only a run can tell: with a bound.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// [rank, count]; a scalar counts as one dimension.
absl::Status NonZero(NodeContext& node) {
  const Shape* input = node.shape(0);
  Shape result = UnknownShape(2);
  if (input != nullptr) {
    result[0] = std::max<int64_t>(1, static_cast<int64_t>(input->size()));
  }
  result[1] = node.DataDependentDim(
      "count", input == nullptr ? Dim::Unknown() : NumElements(*input));
  node.SetTensor(0, ElementType::kInt64, std::move(result));
  return absl::OkStatus();
}

// How many elements of the condition (input 1) are true, of those that meet
// one of `size` elements.
Dim CountOfTrue(NodeContext& node, const Dim& size) {
  const TensorValue* condition = node.value(1);
  if (condition != nullptr && size.is_number()) {
    int64_t count = 0;
    bool known = true;
    for (size_t i = 0; i < condition->ints.size(); ++i) {
      if (static_cast<int64_t>(i) >= size.number()) break;
      const std::optional<int64_t> element = condition->ints[i].AsNumber();
      known = known && element.has_value();
      if (element.value_or(0) != 0) ++count;
    }
    if (known) return count;
  }
  Dim at_most = size;
  const Shape* shape = node.shape(1);
  if (shape != nullptr && shape->size() == 1 && !size.is_unknown()) {
    at_most = SmallerOf(node, size, (*shape)[0]);
  }
  return node.DataDependentDim("count", at_most);
}

// Slices of `axis`, or elements of the flattened input, where the condition is
// true.
absl::Status Compress(NodeContext& node) {
  const Shape* input = node.shape(0);
  if (!node.HasAttribute("axis")) {
    const Dim size = input == nullptr ? Dim::Unknown() : NumElements(*input);
    node.SetTensor(0, node.element(0), Shape{CountOfTrue(node, size)});
    return absl::OkStatus();
  }
  std::optional<Shape> result;
  if (input != nullptr) {
    const absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", 0), input->size());
    if (!axis.ok()) return axis.status();
    result = *input;
    (*result)[*axis] = CountOfTrue(node, (*input)[*axis]);
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Outputs: the unique elements (or slices of `axis`), the first index of each,
// for each input element the index of its like, and counts.
absl::Status Unique(NodeContext& node) {
  const Shape* input = node.shape(0);
  const bool by_axis = node.HasAttribute("axis");
  Dim size;
  std::optional<Shape> result;
  if (input != nullptr && by_axis) {
    const absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", 0), input->size());
    if (!axis.ok()) return axis.status();
    size = (*input)[*axis];
    result = *input;
    (*result)[*axis] = node.DataDependentDim("count", size);
  } else if (input != nullptr) {
    size = NumElements(*input);
  }
  const Dim count = node.DataDependentDim("count", size);
  if (!by_axis) result = Shape{count};
  node.SetTensor(0, node.element(0), std::move(result));
  node.SetTensor(1, ElementType::kInt64, Shape{count});
  node.SetTensor(2, ElementType::kInt64, Shape{size});
  node.SetTensor(3, ElementType::kInt64, Shape{count});
  return absl::OkStatus();
}

// Inputs: boxes [batches, boxes, 4], scores [batches, classes, boxes], and
// maybe the most that a class of a batch gets. Output: [selected, 3].
absl::Status NonMaxSuppression(NodeContext& node) {
  const Shape* boxes = node.shape(0);
  const Shape* scores = node.shape(1);
  // Left out, nothing is selected.
  Dim per_class = 0;
  if (node.HasInput(2)) per_class = ScalarDim(node, 2);
  if (per_class.is_number()) {
    per_class = std::max<int64_t>(0, per_class.number());
  }
  Dim candidates;
  Dim classes;
  if (boxes != nullptr && boxes->size() == 3) candidates = (*boxes)[1];
  if (scores != nullptr && scores->size() == 3) {
    classes = (*scores)[0] * (*scores)[1];
    candidates = MergeDims(candidates, (*scores)[2]).value_or(candidates);
  }
  const Dim each = per_class.is_unknown()
                       ? candidates
                       : SmallerOf(node, per_class, candidates);
  Dim selected = 0;
  if (!per_class.Equals(0)) {
    selected = node.DataDependentDim("selected", each * classes);
  }
  node.SetTensor(0, ElementType::kInt64, Shape{selected, 3});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "Compress", 9, Compress, "Operators.md#Compress"},
    {"", "NonMaxSuppression", 10, NonMaxSuppression,
     "Operators.md#NonMaxSuppression"},
    {"", "NonZero", 9, NonZero, "Operators.md#NonZero"},
    {"", "Unique", 11, Unique, "Operators.md#Unique"},
};

}  // namespace

absl::Span<const RuleRow> DataDependentRules() { return kRows; }

}  // namespace memplan
