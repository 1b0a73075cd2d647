// Reductions along axes.

#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// The shape with the marked axes reduced to 1, or dropped.
Shape Reduced(const Shape& shape, const std::vector<bool>& axes, bool keep) {
  Shape result;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!axes[i]) {
      result.push_back(shape[i]);
    } else if (keep) {
      result.push_back(1);
    }
  }
  return result;
}

// No axes mean all.
absl::Status ReduceOver(NodeContext& node, const std::vector<int64_t>& axes) {
  const Shape* shape = node.shape(0);
  const bool keep = node.Int("keepdims", 1) != 0;
  std::optional<Shape> result;
  if (shape != nullptr) {
    const absl::StatusOr<std::vector<bool>> marked =
        MarkAxes(node, axes, shape->size());
    if (!marked.ok()) return marked.status();
    const std::vector<bool> all(shape->size(), true);
    result = Reduced(*shape, axes.empty() ? all : *marked, keep);
  } else if (axes.empty() && !keep) {
    result = Shape{};
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Axes as an attribute.
absl::Status ReduceByAttribute(NodeContext& node) {
  return ReduceOver(node, node.Ints("axes").value_or(std::vector<int64_t>()));
}

// Axes as an optional input. Where they are not known, the rank often is.
absl::Status ReduceByInput(NodeContext& node) {
  const std::optional<int64_t> count =
      node.HasInput(1) ? VectorLength(node, 1) : 0;
  if (count == 0) {
    if (node.Int("noop_with_empty_axes", 0) != 0) return SameAsInput(node);
    // An older model's attribute; the specification has none here.
    return ReduceByAttribute(node);
  }
  const std::optional<std::vector<int64_t>> axes = node.IntsOf(1);
  if (axes.has_value()) return ReduceOver(node, *axes);
  DependsOnContents(node, 0, 1);
  const Shape* shape = node.shape(0);
  std::optional<Shape> result;
  if (shape != nullptr && node.Int("keepdims", 1) != 0) {
    result = UnknownShape(shape->size());
  } else if (shape != nullptr && count.has_value() && *count >= 0 &&
             static_cast<size_t>(*count) <= shape->size()) {
    result = UnknownShape(shape->size() - static_cast<size_t>(*count));
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

absl::Status ArgReduce(NodeContext& node) {
  const Shape* shape = node.shape(0);
  std::optional<Shape> result;
  if (shape != nullptr) {
    const absl::StatusOr<std::vector<bool>> marked =
        MarkAxes(node, {node.Int("axis", 0)}, shape->size());
    if (!marked.ok()) return marked.status();
    result = Reduced(*shape, *marked, node.Int("keepdims", 1) != 0);
  }
  node.SetTensor(0, ElementType::kInt64, std::move(result));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "ArgMax", 1, ArgReduce, "Operators.md#ArgMax"},
    {"", "ArgMin", 1, ArgReduce, "Operators.md#ArgMin"},
    {"", "ReduceL1", 1, ReduceByAttribute, "Changelog.md#ReduceL1-13"},
    {"", "ReduceL1", 18, ReduceByInput, "Operators.md#ReduceL1"},
    {"", "ReduceL2", 1, ReduceByAttribute, "Changelog.md#ReduceL2-13"},
    {"", "ReduceL2", 18, ReduceByInput, "Operators.md#ReduceL2"},
    {"", "ReduceLogSum", 1, ReduceByAttribute, "Changelog.md#ReduceLogSum-13"},
    {"", "ReduceLogSum", 18, ReduceByInput, "Operators.md#ReduceLogSum"},
    {"", "ReduceLogSumExp", 1, ReduceByAttribute,
     "Changelog.md#ReduceLogSumExp-13"},
    {"", "ReduceLogSumExp", 18, ReduceByInput, "Operators.md#ReduceLogSumExp"},
    {"", "ReduceMax", 1, ReduceByAttribute, "Changelog.md#ReduceMax-13"},
    {"", "ReduceMax", 18, ReduceByInput, "Operators.md#ReduceMax"},
    {"", "ReduceMean", 1, ReduceByAttribute, "Changelog.md#ReduceMean-13"},
    {"", "ReduceMean", 18, ReduceByInput, "Operators.md#ReduceMean"},
    {"", "ReduceMin", 1, ReduceByAttribute, "Changelog.md#ReduceMin-13"},
    {"", "ReduceMin", 18, ReduceByInput, "Operators.md#ReduceMin"},
    {"", "ReduceProd", 1, ReduceByAttribute, "Changelog.md#ReduceProd-13"},
    {"", "ReduceProd", 18, ReduceByInput, "Operators.md#ReduceProd"},
    {"", "ReduceSum", 1, ReduceByAttribute, "Changelog.md#ReduceSum-11"},
    {"", "ReduceSum", 13, ReduceByInput, "Operators.md#ReduceSum"},
    {"", "ReduceSumSquare", 1, ReduceByAttribute,
     "Changelog.md#ReduceSumSquare-13"},
    {"", "ReduceSumSquare", 18, ReduceByInput, "Operators.md#ReduceSumSquare"},
};

}  // namespace

absl::Span<const RuleRow> ReductionRules() { return kRows; }

}  // namespace memplan
