// Sampling grids and decoded images.

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// X: [N, C, D1..Dr]; grid: [N, E1..Er, r]; output: [N, C, E1..Er].
absl::Status GridSample(NodeContext& node) {
  const Shape* input = node.shape(0);
  const Shape* grid = node.shape(1);
  std::optional<Shape> result;
  if (input != nullptr || grid != nullptr) {
    result = UnknownShape(input != nullptr ? input->size() : grid->size());
    if (result->size() < 2 ||
        (grid != nullptr && grid->size() != result->size())) {
      return node.Error(absl::StrCat(
          "an input of shape ", input == nullptr ? "?" : ToString(*input),
          " and a grid of shape ", grid == nullptr ? "?" : ToString(*grid)));
    }
    if (input != nullptr) {
      (*result)[0] = (*input)[0];
      (*result)[1] = (*input)[1];
    } else {
      (*result)[0] = (*grid)[0];
    }
    for (size_t i = 2; grid != nullptr && i < result->size(); ++i) {
      (*result)[i] = (*grid)[i - 1];
    }
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Inputs: theta, and the size [N, C, (D,) H, W]. Output: [N, (D,) H, W, 2 or
// 3].
absl::Status AffineGrid(NodeContext& node) {
  const std::optional<Shape> size = DimsOf(node, 1);
  if (node.value(1) == nullptr) DependsOnContents(node, 0, 1);
  std::optional<Shape> result;
  if (size.has_value()) {
    if (size->size() < 4 || size->size() > 5) {
      return node.Error(
          absl::StrCat("a size of ", size->size(), " dimensions"));
    }
    const absl::Status status = CheckNotNegative(node, *size);
    if (!status.ok()) return status;
    result = *size;
    result->erase(result->begin() + 1);
    result->push_back(static_cast<int64_t>(size->size()) - 2);
    const Shape* theta = node.shape(0);
    if ((*result)[0].is_unknown() && theta != nullptr && !theta->empty()) {
      (*result)[0] = (*theta)[0];
    }
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// [height, width, channels].
absl::Status ImageDecoder(NodeContext& node) {
  const bool gray = node.String("pixel_format", "RGB") == "Grayscale";
  DependsOnContents(node, 0, 0);
  node.SetTensor(0, ElementType::kUint8,
                 Shape{Dim::Unknown(), Dim::Unknown(), gray ? 1 : 3});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "AffineGrid", 20, AffineGrid, "Operators.md#AffineGrid"},
    {"", "GridSample", 16, GridSample, "Operators.md#GridSample"},
    {"", "ImageDecoder", 20, ImageDecoder, "Operators.md#ImageDecoder"},
};

}  // namespace

absl::Span<const RuleRow> ImageRules() { return kRows; }

}  // namespace memplan
