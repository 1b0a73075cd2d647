#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Experimental operators of ai.onnx that releases before 1.5 listed, and that
// old models still hold.
// https://github.com/onnx/onnx/blob/v1.4.1/docs/Operators.md#experimental

// The attributes that say how a fill is shaped: `shape`; or the content of the
// input where `input_as_shape`, else the input's own shape; then `extra_shape`.
std::optional<Shape> FillShape(const NodeContext& node) {
  if (const auto shape = node.Ints("shape"); shape.has_value()) {
    return Shape(shape->begin(), shape->end());
  }
  std::optional<Shape> shape =
      node.Int("input_as_shape", 0) != 0 ? DimsOf(node, 0) : ShapeOf(node, 0);
  if (!shape.has_value()) return std::nullopt;
  if (const auto extra = node.Ints("extra_shape"); extra.has_value()) {
    shape->insert(shape->end(), extra->begin(), extra->end());
  }
  return shape;
}

absl::Status Fill(NodeContext& node, ElementType element) {
  std::optional<Shape> shape = FillShape(node);
  if (shape.has_value()) {
    if (absl::Status s = CheckNotNegative(node, *shape); !s.ok()) return s;
  }
  node.SetTensor(0, element, std::move(shape));
  return absl::OkStatus();
}

absl::Status ConstantFill(NodeContext& node) {
  return Fill(node, ElementAttribute(node, "dtype", ElementType::kFloat));
}

absl::Status GivenTensorFill(NodeContext& node) {
  const ElementType element = node.element(0);
  return Fill(
      node, element == ElementType::kUndefined ? ElementType::kFloat : element);
}

// [N, C, H, W]: cuts `border` (left, top, right, bottom), or takes `scale`
// (height, width) from where the border ends.
absl::Status Crop(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {4}); !s.ok()) return s;
  const auto border = node.Ints("border");
  if (!border.has_value() || border->size() != 4) {
    return node.Error("attribute 'border' must have 4 elements");
  }
  Dim height = DimOf(node, 0, 2) - ((*border)[1] + Dim((*border)[3]));
  Dim width = DimOf(node, 0, 3) - ((*border)[0] + Dim((*border)[2]));
  const auto scale = node.Ints("scale");
  if (scale.has_value() && !scale->empty()) {
    if (scale->size() != 2) {
      return node.Error("attribute 'scale' must have 2 elements");
    }
    height = (*scale)[0];
    width = (*scale)[1];
  }
  Shape shape = {DimOf(node, 0, 0), DimOf(node, 0, 1), height, width};
  if (absl::Status s = CheckNotNegative(node, shape); !s.ok()) return s;
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

absl::Status DynamicSlice(NodeContext& node) {
  return RunRuleOf(node, "Slice", 10);
}

// One element of the first input along an axis.
absl::Status LoopIndexTensor(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) {
    absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", 0), shape->size());
    if (!axis.ok()) return axis.status();
    shape->erase(shape->begin() + static_cast<int64_t>(*axis));
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// [N, C, H, W]: both scales are attributes.
absl::Status Upsample(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {4}); !s.ok()) return s;
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) {
    const float scales[] = {node.Float("height_scale", 1),
                            node.Float("width_scale", 1)};
    for (size_t i = 0; i < 2; ++i) {
      Dim& dim = (*shape)[2 + i];
      // A whole scale keeps symbols; a fraction needs a number to round.
      const double scale = scales[i];
      if (!(scale >= 1 && scale <= 65536)) {
        return node.Error("a scale is below 1, or too large");
      }
      if (scale == static_cast<double>(static_cast<int64_t>(scale))) {
        dim = dim * static_cast<int64_t>(scale);
      } else if (dim.is_number() && dim.number() < (int64_t{1} << 32)) {
        dim = static_cast<int64_t>(static_cast<double>(dim.number()) * scale);
      } else {
        dim = Dim::Unknown();
      }
    }
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

constexpr std::string_view kMemcpy =
    "onnxruntime/core/providers/cuda/cuda_execution_provider.cc";

constexpr RuleRow kRows[] = {
    {"", "Affine", 1, EachLike<0>, "v1.4.1/docs/Operators.md#Affine"},
    {"", "ConstantFill", 1, ConstantFill,
     "v1.4.1/docs/Operators.md#ConstantFill"},
    {"", "Crop", 1, Crop, "v1.4.1/docs/Operators.md#Crop"},
    {"", "DynamicSlice", 1, DynamicSlice,
     "v1.4.1/docs/Operators.md#DynamicSlice"},
    {"", "GRUUnit", 1, EachLike<0>, "v1.4.1/docs/Operators.md#GRUUnit"},
    {"", "GivenTensorFill", 1, GivenTensorFill,
     "v1.4.1/docs/Operators.md#GivenTensorFill"},
    {"", "ImageScaler", 1, EachLike<0>, "v1.4.1/docs/Operators.md#ImageScaler"},
    {"", "LoopIndexTensor", 1, LoopIndexTensor,
     "v1.2.1/docs/Operators.md#LoopIndexTensor"},
    // What ONNX Runtime puts between devices; saved with optimized models.
    {"", "MemcpyFromHost", 1, EachLike<0>, kMemcpy},
    {"", "MemcpyToHost", 1, EachLike<0>, kMemcpy},
    {"", "ParametricSoftplus", 1, EachLike<0>,
     "v1.4.1/docs/Operators.md#ParametricSoftplus"},
    {"", "Scale", 1, EachLike<0>, "v1.4.1/docs/Operators.md#Scale"},
    {"", "ScaledTanh", 1, EachLike<0>, "v1.4.1/docs/Operators.md#ScaledTanh"},
    {"", "ThresholdedRelu", 1, EachLike<0>,
     "v1.4.1/docs/Operators.md#ThresholdedRelu"},
    {"", "Upsample", 1, Upsample, "Changelog.md#Upsample-1"},
};

}  // namespace

absl::Span<const RuleRow> RemovedRules() { return kRows; }

}  // namespace memplan
