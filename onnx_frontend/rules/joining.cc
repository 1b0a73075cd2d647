// Operators that join tensors and move their edges.

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

bool SurelyEmpty(const Shape& shape) { return NumElements(shape).Equals(0); }

// Runtimes take inputs without elements whatever their other dimensions.
absl::Status Concat(NodeContext& node) {
  const ElementType element = FirstElement(node, {0, 1, 2});
  const Shape* reference = nullptr;
  for (size_t i = 0; i < node.num_inputs(); ++i) {
    const Shape* shape = node.shape(i);
    if (shape == nullptr) continue;
    if (reference == nullptr ||
        (SurelyEmpty(*reference) && !SurelyEmpty(*shape))) {
      reference = shape;
    }
  }
  if (reference == nullptr) {
    node.SetTensor(0, element, std::nullopt);
    return absl::OkStatus();
  }
  Shape result = *reference;
  const absl::StatusOr<size_t> axis =
      ResolveAxis(node, node.Int("axis", 1), result.size());
  if (!axis.ok()) return axis.status();
  Dim sum = 0;
  for (size_t i = 0; i < node.num_inputs(); ++i) {
    const Shape* shape = node.shape(i);
    const bool has_axis = shape != nullptr && *axis < shape->size();
    sum = sum + (has_axis ? (*shape)[*axis] : Dim::Unknown());
    if (shape == nullptr || SurelyEmpty(*shape)) continue;
    if (shape->size() != result.size()) {
      return node.Error(absl::StrCat("inputs of shapes ", ToString(*reference),
                                     " and ", ToString(*shape)));
    }
    for (size_t d = 0; d < result.size(); ++d) {
      if (d == *axis) continue;
      const absl::Status status =
          MergeDim(node, absl::StrCat("dimension ", d), (*shape)[d], result[d]);
      if (!status.ok()) return status;
    }
  }
  result[*axis] = sum;
  node.SetTensor(0, element, std::move(result));
  return absl::OkStatus();
}

// Adds pads, all begins before all ends, to the dimensions at `axes`.
absl::Status PadBy(NodeContext& node, const std::vector<Dim>& pads,
                   const std::vector<int64_t>& given_axes) {
  const Shape* input = node.shape(0);
  std::optional<Shape> result = node.input(0).shape;
  if (input == nullptr) {
    node.SetTensor(0, node.element(0), std::nullopt);
    return absl::OkStatus();
  }
  const absl::StatusOr<std::vector<size_t>> axes =
      ResolveAxes(node, given_axes, input->size());
  if (!axes.ok()) return axes.status();
  if (pads.size() != 2 * axes->size()) {
    return node.Error(
        absl::StrCat(pads.size(), " pads for ", axes->size(), " dimensions"));
  }
  for (size_t i = 0; i < axes->size(); ++i) {
    Dim& dim = (*result)[(*axes)[i]];
    dim = dim + pads[i] + pads[axes->size() + i];
  }
  const absl::Status status = CheckNotNegative(node, *result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// The attribute is called paddings in opset 1, pads from 2 on.
absl::Status PadByAttribute(NodeContext& node) {
  std::optional<std::vector<int64_t>> pads = node.Ints("pads");
  if (!pads.has_value()) pads = node.Ints("paddings");
  if (!pads.has_value()) return node.Error("no attribute 'pads'");
  return PadBy(node, std::vector<Dim>(pads->begin(), pads->end()),
               FirstAxes(pads->size() / 2));
}

// Inputs: data, pads, a value, and from opset 18 on maybe axes.
absl::Status PadByInput(NodeContext& node) {
  const Shape* input = node.shape(0);
  if (node.value(1) == nullptr) DependsOnContents(node, 0, 1);
  std::optional<std::vector<int64_t>> axes;
  if (node.HasInput(3)) {
    axes = node.IntsOf(3);
    if (!axes.has_value()) DependsOnContents(node, 0, 3);
  } else if (input != nullptr) {
    axes = FirstAxes(input->size());
  }
  if (axes.has_value()) {
    const std::vector<Dim> unknown(2 * axes->size());
    const TensorValue* pads = node.value(1);
    return PadBy(node, pads == nullptr ? unknown : pads->ints, *axes);
  }
  std::optional<Shape> result;
  if (input != nullptr) result = UnknownShape(input->size());
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Inputs: data, and the sizes that the dimensions at `axes` are cut or padded
// to.
absl::Status CenterCropPad(NodeContext& node) {
  std::optional<Shape> result = node.input(0).shape;
  if (!result.has_value()) {
    node.SetTensor(0, node.element(0), std::nullopt);
    return absl::OkStatus();
  }
  const absl::StatusOr<std::vector<size_t>> axes =
      ResolveAxes(node, node.Ints("axes").value_or(FirstAxes(result->size())),
                  result->size());
  if (!axes.ok()) return axes.status();
  if (node.value(1) == nullptr) DependsOnContents(node, 0, 1);
  const std::vector<Dim> sizes =
      DimsOf(node, 1).value_or(std::vector<Dim>(axes->size()));
  if (sizes.size() != axes->size()) {
    return node.Error(
        absl::StrCat(sizes.size(), " sizes for ", axes->size(), " axes"));
  }
  for (size_t i = 0; i < sizes.size(); ++i) (*result)[(*axes)[i]] = sizes[i];
  const absl::Status status = CheckNotNegative(node, *result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "CenterCropPad", 18, CenterCropPad, "Operators.md#CenterCropPad"},
    {"", "Concat", 1, Concat, "Operators.md#Concat"},
    {"", "Pad", 1, PadByAttribute, "Changelog.md#Pad-2"},
    {"", "Pad", 11, PadByInput, "Operators.md#Pad"},
};

}  // namespace

absl::Span<const RuleRow> JoiningRules() { return kRows; }

}  // namespace memplan
