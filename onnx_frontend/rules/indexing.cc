// Operators that take or place elements by index.

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// The data's dimension `axis` gives way to all of the indices'.
absl::Status Gather(NodeContext& node) {
  const Shape* data = node.shape(0);
  const Shape* indices = node.shape(1);
  std::optional<Shape> result;
  if (data != nullptr && indices != nullptr) {
    const absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", 0), data->size());
    if (!axis.ok()) return axis.status();
    const auto at = data->begin() + static_cast<std::ptrdiff_t>(*axis);
    result = Shape(data->begin(), at);
    result->insert(result->end(), indices->begin(), indices->end());
    result->insert(result->end(), at + 1, data->end());
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

absl::Status GatherElements(NodeContext& node) {
  std::optional<Shape> result = node.input(1).shape;
  const Shape* data = node.shape(0);
  if (!result.has_value() && data != nullptr) {
    result = UnknownShape(data->size());
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// The indices' last dimension counts the dimensions of the data that one index
// goes through, after the batch dimensions.
absl::Status GatherND(NodeContext& node) {
  const Shape* data = node.shape(0);
  const Shape* indices = node.shape(1);
  std::optional<Shape> result;
  if (data != nullptr && indices != nullptr) {
    if (indices->empty()) return node.Error("the indices are a scalar");
    const std::optional<int64_t> depth = indices->back().AsNumber();
    const int64_t batch = node.Int("batch_dims", 0);
    const int64_t rank = static_cast<int64_t>(data->size());
    if (batch < 0 || batch > rank ||
        (depth.has_value() && (*depth < 0 || *depth > rank - batch))) {
      return node.Error(absl::StrCat("indices of shape ", ToString(*indices),
                                     " into data of shape ", ToString(*data),
                                     " after ", batch, " batch dimensions"));
    }
    if (depth.has_value()) {
      result = Shape(indices->begin(), indices->end() - 1);
      result->insert(result->end(), data->begin() + batch + *depth,
                     data->end());
    }
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Inputs: indices, depth, the two values.
absl::Status OneHot(NodeContext& node) {
  std::optional<Shape> result = node.input(0).shape;
  if (result.has_value()) {
    const absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", -1), result->size() + 1);
    if (!axis.ok()) return axis.status();
    const Dim depth = ScalarDim(node, 1);
    if (depth.is_unknown()) DependsOnContents(node, 0, 1);
    result->insert(result->begin() + static_cast<std::ptrdiff_t>(*axis), depth);
  }
  node.SetTensor(0, node.element(2), std::move(result));
  return absl::OkStatus();
}

// Input 0 with a dimension of k; output 1 holds indices.
absl::Status TopKOf(NodeContext& node, const Dim& k) {
  std::optional<Shape> result = node.input(0).shape;
  if (result.has_value()) {
    const absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", -1), result->size());
    if (!axis.ok()) return axis.status();
    Dim& dim = (*result)[*axis];
    if (k.is_number() &&
        (k.number() < 0 || (dim.is_number() && k.number() > dim.number()))) {
      return node.Error(absl::StrCat("the largest ", k.number(), " of ",
                                     dim.ToString(), " elements"));
    }
    dim = k.is_unknown() ? node.DataDependentDim("k", dim) : k;
  }
  node.SetTensor(0, node.element(0), result);
  node.SetTensor(1, ElementType::kInt64, std::move(result));
  return absl::OkStatus();
}

absl::Status TopKByAttribute(NodeContext& node) {
  return TopKOf(
      node, node.HasAttribute("k") ? Dim(node.Int("k", 0)) : Dim::Unknown());
}

absl::Status TopKByInput(NodeContext& node) {
  return TopKOf(node, ScalarDim(node, 1));
}

constexpr RuleRow kRows[] = {
    {"", "Gather", 1, Gather, "Operators.md#Gather"},
    {"", "GatherElements", 11, GatherElements, "Operators.md#GatherElements"},
    {"", "GatherND", 11, GatherND, "Operators.md#GatherND"},
    {"", "OneHot", 9, OneHot, "Operators.md#OneHot"},
    {"", "Scatter", 9, SameAsInput, "Changelog.md#Scatter-9"},
    {"", "ScatterElements", 11, SameAsInput, "Operators.md#ScatterElements"},
    {"", "ScatterND", 11, SameAsInput, "Operators.md#ScatterND"},
    {"", "TensorScatter", 24, SameAsInput, "Operators.md#TensorScatter"},
    {"", "TopK", 1, TopKByAttribute, "Changelog.md#TopK-1"},
    {"", "TopK", 10, TopKByInput, "Operators.md#TopK"},
};

}  // namespace

absl::Span<const RuleRow> IndexingRules() { return kRows; }

}  // namespace memplan
