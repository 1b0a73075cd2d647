// Poolings, over windows, whole images and regions.

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/window.h"

namespace memplan {
namespace {

// Output 1 of MaxPool holds indices.
absl::Status Pool(NodeContext& node) {
  const absl::StatusOr<Window> window = ReadWindowOfKernelShape(node);
  if (!window.ok()) return window.status();
  const size_t rank = window->rank() + 2;
  Shape result = UnknownShape(rank);
  const Shape* input = node.shape(0);
  if (input != nullptr) {
    if (input->size() != rank) {
      return node.Error(absl::StrCat("an input of shape ", ToString(*input),
                                     " under a window of ", window->rank(),
                                     " dimensions"));
    }
    result[0] = (*input)[0];
    result[1] = (*input)[1];
    for (size_t i = 2; i < rank; ++i) {
      result[i] = PoolingPlaces(*window, i - 2, (*input)[i]);
    }
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), result);
  node.SetTensor(1, ElementType::kInt64, std::move(result));
  return absl::OkStatus();
}

absl::Status GlobalPool(NodeContext& node) {
  std::optional<Shape> result = node.input(0).shape;
  if (result.has_value()) {
    for (size_t i = 2; i < result->size(); ++i) (*result)[i] = 1;
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Inputs: X, indices, and maybe the output's shape, which is then used as it
// is.
absl::Status MaxUnpool(NodeContext& node) {
  const absl::StatusOr<Window> window = ReadWindowOfKernelShape(node);
  if (!window.ok()) return window.status();
  const size_t rank = window->rank() + 2;
  Shape result = UnknownShape(rank);
  const Shape* input = node.shape(0);
  if (input != nullptr) {
    if (input->size() != rank) {
      return node.Error(absl::StrCat("an input of shape ", ToString(*input),
                                     " under a window of ", window->rank(),
                                     " dimensions"));
    }
    result[0] = (*input)[0];
    result[1] = (*input)[1];
  }
  if (node.HasInput(2)) {
    const std::optional<std::vector<Dim>> given = DimsOf(node, 2);
    if (node.value(2) == nullptr) DependsOnContents(node, 0, 2);
    for (size_t i = 2; given.has_value() && i < given->size() && i < rank;
         ++i) {
      result[i] = (*given)[i];
    }
  } else if (input != nullptr) {
    for (size_t i = 2; i < rank; ++i) {
      result[i] = TransposedSize(*window, i - 2, (*input)[i], 0);
    }
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// [regions, channels, height, width] of an input [N, C, H, W] and regions
// [regions, ...].
void SetRegions(NodeContext& node, const Dim& height, const Dim& width) {
  Shape result = {Dim::Unknown(), Dim::Unknown(), height, width};
  const Shape* input = node.shape(0);
  const Shape* regions = node.shape(1);
  if (regions != nullptr && !regions->empty()) result[0] = (*regions)[0];
  if (input != nullptr && input->size() > 1) result[1] = (*input)[1];
  node.SetTensor(0, node.element(0), std::move(result));
}

absl::Status MaxRoiPool(NodeContext& node) {
  const std::optional<std::vector<int64_t>> pooled = node.Ints("pooled_shape");
  if (!pooled.has_value() || pooled->size() != 2) {
    return node.Error("the attribute pooled_shape has no two numbers");
  }
  SetRegions(node, (*pooled)[0], (*pooled)[1]);
  return absl::OkStatus();
}

absl::Status RoiAlign(NodeContext& node) {
  SetRegions(node, node.Int("output_height", 1), node.Int("output_width", 1));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "AveragePool", 1, Pool, "Operators.md#AveragePool"},
    {"", "GlobalAveragePool", 1, GlobalPool, "Operators.md#GlobalAveragePool"},
    {"", "GlobalLpPool", 1, GlobalPool, "Operators.md#GlobalLpPool"},
    {"", "GlobalMaxPool", 1, GlobalPool, "Operators.md#GlobalMaxPool"},
    {"", "LpPool", 1, Pool, "Operators.md#LpPool"},
    {"", "MaxPool", 1, Pool, "Operators.md#MaxPool"},
    {"", "MaxRoiPool", 1, MaxRoiPool, "Operators.md#MaxRoiPool"},
    {"", "MaxUnpool", 9, MaxUnpool, "Operators.md#MaxUnpool"},
    {"", "RoiAlign", 10, RoiAlign, "Operators.md#RoiAlign"},
};

}  // namespace

absl::Span<const RuleRow> PoolingRules() { return kRows; }

}  // namespace memplan
