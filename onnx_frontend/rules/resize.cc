// Resize and its forerunner Upsample.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// The number that a float rounds to exactly, as int64_t.
Dim Whole(float value) {
  if (!(std::fabs(value) < 9e15f)) return Dim::Unknown();
  return static_cast<int64_t>(value);
}

// floor(dim * scale), in single precision like the runtime. A symbol follows
// where the scale is a multiple of 1/256 (2, 0.5, 1.25).
Dim Scaled(const Dim& dim, float scale) {
  if (dim.is_number()) {
    return Whole(std::floor(scale * static_cast<float>(dim.number())));
  }
  constexpr int64_t kParts = 256;
  const float parts = scale * static_cast<float>(kParts);
  if (parts != std::floor(parts) || std::fabs(parts) > 1e9f) {
    return Dim::Unknown();
  }
  const int64_t numerator = static_cast<int64_t>(parts);
  const int64_t common = std::gcd(numerator, kParts);
  if (common == 0) return Dim::Unknown();
  return FloorDiv(dim * (numerator / common), kParts / common);
}

// The axes that scales or sizes are for: all, or those of the attribute (from
// opset 18 on).
absl::StatusOr<std::vector<size_t>> ScaledAxes(const NodeContext& node,
                                               size_t rank) {
  const std::optional<std::vector<int64_t>> axes = node.Ints("axes");
  if (axes.has_value() && !axes->empty()) return ResolveAxes(node, *axes, rank);
  std::vector<size_t> all(rank);
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

absl::Status CheckCount(const NodeContext& node, size_t given, size_t wanted) {
  if (given == wanted) return absl::OkStatus();
  return node.Error(
      absl::StrCat(given, " scales or sizes for ", wanted, " dimensions"));
}

absl::Status ResizeByScales(NodeContext& node,
                            const std::vector<float>& scales) {
  const Shape& input = *node.shape(0);
  const absl::StatusOr<std::vector<size_t>> axes =
      ScaledAxes(node, input.size());
  if (!axes.ok()) return axes.status();
  const absl::Status count = CheckCount(node, scales.size(), axes->size());
  if (!count.ok()) return count;
  Shape result = input;
  for (size_t i = 0; i < scales.size(); ++i) {
    const size_t axis = (*axes)[i];
    result[axis] = Scaled(input[axis], scales[i]);
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// keep_aspect_ratio_policy: one scale for all axes, the smallest or the largest
// of those that the sizes ask for.
void KeepAspectRatio(const Shape& input, const std::vector<size_t>& axes,
                     bool smallest, Shape& result) {
  float scale = smallest ? std::numeric_limits<float>::max()
                         : std::numeric_limits<float>::lowest();
  bool known = true;
  for (const size_t axis : axes) {
    if (!input[axis].is_number() || !result[axis].is_number()) {
      known = false;
      break;
    }
    const float from = static_cast<float>(input[axis].number());
    const float to = static_cast<float>(result[axis].number());
    const float asked = from == 0 ? 1.0f : to / from;
    scale = smallest ? std::min(scale, asked) : std::max(scale, asked);
  }
  for (const size_t axis : axes) {
    result[axis] = known ? Whole(std::round(scale * static_cast<float>(
                                                        input[axis].number())))
                         : Dim::Unknown();
  }
}

absl::Status ResizeToSizes(NodeContext& node, const std::vector<Dim>& sizes) {
  const Shape& input = *node.shape(0);
  const absl::StatusOr<std::vector<size_t>> axes =
      ScaledAxes(node, input.size());
  if (!axes.ok()) return axes.status();
  const absl::Status count = CheckCount(node, sizes.size(), axes->size());
  if (!count.ok()) return count;
  Shape result = input;
  for (size_t i = 0; i < sizes.size(); ++i) result[(*axes)[i]] = sizes[i];
  const std::string policy = node.String("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") {
    KeepAspectRatio(input, *axes, policy == "not_larger", result);
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// The rank stays; what no axis names does, too.
absl::Status ResizeUnknown(NodeContext& node, size_t input) {
  DependsOnContents(node, 0, input);
  std::optional<Shape> result = node.input(0).shape;
  if (result.has_value()) {
    const absl::StatusOr<std::vector<size_t>> axes =
        ScaledAxes(node, result->size());
    if (!axes.ok()) return axes.status();
    for (const size_t axis : *axes) (*result)[axis] = Dim::Unknown();
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

std::optional<std::vector<float>> FloatsOf(const NodeContext& node,
                                           size_t input) {
  const TensorValue* value = node.value(input);
  if (value == nullptr || !value->is_float()) return std::nullopt;
  return std::vector<float>(value->floats.begin(), value->floats.end());
}

absl::Status ResizeByScalesInput(NodeContext& node, size_t input) {
  const std::optional<std::vector<float>> scales = FloatsOf(node, input);
  if (node.shape(0) == nullptr || !scales.has_value()) {
    return ResizeUnknown(node, input);
  }
  return ResizeByScales(node, *scales);
}

// Scales as an attribute.
absl::Status Upsample7(NodeContext& node) {
  const std::optional<std::vector<float>> scales = node.Floats("scales");
  if (!scales.has_value()) return node.Error("no attribute 'scales'");
  if (node.shape(0) == nullptr) return SameElement(node);
  return ResizeByScales(node, *scales);
}

// Scales as input 1.
absl::Status Resize10(NodeContext& node) {
  return ResizeByScalesInput(node, 1);
}

// Inputs: X, roi, scales, sizes. An empty tensor counts as left out. roi
// says where to sample, not how much.
absl::Status Resize11(NodeContext& node) {
  const bool has_sizes =
      node.HasInput(3) && VectorLength(node, 3).value_or(1) != 0;
  const bool has_scales =
      node.HasInput(2) && VectorLength(node, 2).value_or(1) != 0;
  if (has_scales && !(has_sizes && node.value(2) == nullptr)) {
    return ResizeByScalesInput(node, 2);
  }
  if (!node.HasInput(3)) return node.Error("neither scales nor sizes");
  const std::optional<std::vector<Dim>> sizes = DimsOf(node, 3);
  if (node.shape(0) == nullptr || !sizes.has_value()) {
    return ResizeUnknown(node, 3);
  }
  if (node.value(3) == nullptr) DependsOnContents(node, 0, 3);
  return ResizeToSizes(node, *sizes);
}

constexpr RuleRow kRows[] = {
    {"", "Resize", 10, Resize10, "Changelog.md#Resize-10"},
    {"", "Resize", 11, Resize11, "Operators.md#Resize"},
    {"", "Upsample", 7, Upsample7, "Changelog.md#Upsample-7"},
    {"", "Upsample", 9, Resize10, "Changelog.md#Upsample-9"},
};

}  // namespace

absl::Span<const RuleRow> ResizeRules() { return kRows; }

}  // namespace memplan
