#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Quantization, and arithmetic on quantized tensors. Each operand is followed
// by its scale and zero point.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

// Without a zero point the output is uint8.
absl::Status QuantizeLinear(NodeContext& node) {
  node.SetTensor(0, node.HasInput(2) ? node.element(2) : ElementType::kUint8,
                 ShapeOf(node, 0));
  return absl::OkStatus();
}

absl::Status DequantizeLinear(NodeContext& node) {
  node.SetTensor(0, FirstElement(node, {1}), ShapeOf(node, 0));
  return absl::OkStatus();
}

absl::Status DequantizeWithOrder(NodeContext& node) {
  node.SetTensor(0, ElementAttribute(node, "to", ElementType::kFloat),
                 ShapeOf(node, 0));
  return absl::OkStatus();
}

// The bytes of block floating point are up to the hardware; beside them stand
// shape and strides.
absl::Status QuantizeBfp(NodeContext& node) {
  node.SetTensor(0, ElementType::kUint8, Shape{Dim::Unknown()});
  node.SetUnknown(0, "the hardware decides the size of block floating point");
  const Shape* shape = node.shape(0);
  const Dim rank = shape == nullptr ? Dim::Unknown()
                                    : Dim(static_cast<int64_t>(shape->size()));
  node.SetTensor(1, ElementType::kInt64, Shape{rank});
  node.SetTensor(2, ElementType::kInt64, Shape{rank});
  return absl::OkStatus();
}

absl::Status DequantizeBfp(NodeContext& node) {
  node.SetTensor(0, ElementAttribute(node, "dtype", ElementType::kFloat),
                 DimsOf(node, 1));
  return absl::OkStatus();
}

// The broadcast of some inputs, with the element type of the first.
absl::Status BroadcastOf(NodeContext& node, const std::vector<size_t>& inputs,
                         ElementType element) {
  absl::StatusOr<std::optional<Shape>> shape = BroadcastInputs(node, inputs);
  if (!shape.ok()) return shape.status();
  node.SetTensor(0, element, *std::move(shape));
  return absl::OkStatus();
}

absl::Status QLinearBinary(NodeContext& node) {
  return BroadcastOf(node, {0, 3}, node.element(0));
}

absl::Status QLinearWhere(NodeContext& node) {
  return BroadcastOf(node, {0, 1, 4}, node.element(1));
}

absl::Status MulInteger(NodeContext& node) {
  return BroadcastOf(node, {0, 2}, ElementType::kInt32);
}

// The mean or sum over the axes that an attribute gives, or all.
absl::Status Reduce(NodeContext& node, ElementType element) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (!shape.has_value()) {
    node.SetTensor(0, element, std::nullopt);
    return absl::OkStatus();
  }
  const std::vector<int64_t> given =
      node.Ints("axes").value_or(std::vector<int64_t>());
  absl::StatusOr<std::vector<size_t>> axes =
      ResolveAxes(node, given, shape->size());
  if (!axes.ok()) return axes.status();
  const bool keeps = node.Int("keepdims", 1) != 0;
  Shape reduced;
  for (size_t i = 0; i < shape->size(); ++i) {
    const bool is_reduced =
        axes->empty() ||
        std::find(axes->begin(), axes->end(), i) != axes->end();
    if (!is_reduced) reduced.push_back((*shape)[i]);
    if (is_reduced && keeps) reduced.push_back(1);
  }
  node.SetTensor(0, element, std::move(reduced));
  return absl::OkStatus();
}

absl::Status QLinearReduceMean(NodeContext& node) {
  return Reduce(node, node.element(0));
}

// Sums of uint8 are uint32 where the model says so, else int32.
absl::Status ReduceSumInteger(NodeContext& node) {
  const ElementType declared = node.declared_output(0).element;
  return Reduce(
      node, declared == ElementType::kUint32 ? declared : ElementType::kInt32);
}

// Inputs: the output's scale and zero point, then tensor, scale and zero point
// of each operand.
absl::Status QLinearConcat(NodeContext& node) {
  Arrangement tensors;
  for (size_t i = 2; i < node.num_inputs(); i += 3) tensors.inputs.push_back(i);
  if (tensors.inputs.empty()) return node.Error("no tensor to concatenate");
  absl::Status status = RunRuleOf(node, "Concat", 13, tensors);
  if (!status.ok()) return status;
  node.SetTensor(0, FirstElement(node, {1, 2}), node.output(0).shape);
  return absl::OkStatus();
}

// data is quantized along an axis and its rows are picked as by Gather. uint8
// holds several values of 2 or 4 bits.
absl::Status GatherBlockQuantized(NodeContext& node) {
  std::optional<Shape> data = ShapeOf(node, 0);
  const std::optional<Shape> indices = ShapeOf(node, 1);
  const ElementType element = node.element(2);
  if (!data.has_value() || !indices.has_value()) {
    node.SetTensor(0, element, std::nullopt);
    return absl::OkStatus();
  }
  absl::StatusOr<size_t> gathered =
      ResolveAxis(node, node.Int("gather_axis", 0), data->size());
  if (!gathered.ok()) return gathered.status();
  absl::StatusOr<size_t> quantized =
      ResolveAxis(node, node.Int("quantize_axis", 1), data->size());
  if (!quantized.ok()) return quantized.status();
  const int64_t bits = node.Int("bits", 4);
  if (node.element(0) == ElementType::kUint8 && (bits == 2 || bits == 4)) {
    (*data)[*quantized] = (*data)[*quantized] * (8 / bits);
  }
  Shape shape(data->begin(), data->begin() + static_cast<int64_t>(*gathered));
  shape.insert(shape.end(), indices->begin(), indices->end());
  shape.insert(shape.end(), data->begin() + static_cast<int64_t>(*gathered) + 1,
               data->end());
  node.SetTensor(0, element, std::move(shape));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "QuantizeLinear", 1, QuantizeLinear,
     "ContribOperators.md#com.microsoft.QuantizeLinear"},
    {"com.microsoft", "DequantizeLinear", 1, DequantizeLinear,
     "ContribOperators.md#com.microsoft.DequantizeLinear"},
    {"com.microsoft", "QuantizeWithOrder", 1,
     ShapeOfFirstAs<ElementType::kInt8>,
     "ContribOperators.md#com.microsoft.QuantizeWithOrder"},
    {"com.microsoft", "DequantizeWithOrder", 1, DequantizeWithOrder,
     "ContribOperators.md#com.microsoft.DequantizeWithOrder"},
    {"com.microsoft", "QuantizeBFP", 1, QuantizeBfp,
     "ContribOperators.md#com.microsoft.QuantizeBFP"},
    {"com.microsoft", "DequantizeBFP", 1, DequantizeBfp,
     "ContribOperators.md#com.microsoft.DequantizeBFP"},
    {"com.microsoft", "QLinearAdd", 1, QLinearBinary,
     "ContribOperators.md#com.microsoft.QLinearAdd"},
    {"com.microsoft", "QLinearMul", 1, QLinearBinary,
     "ContribOperators.md#com.microsoft.QLinearMul"},
    {"com.microsoft", "QLinearWhere", 1, QLinearWhere,
     "ContribOperators.md#com.microsoft.QLinearWhere"},
    {"com.microsoft", "MulInteger", 1, MulInteger,
     "ContribOperators.md#com.microsoft.MulInteger"},
    {"com.microsoft", "QLinearLeakyRelu", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QLinearLeakyRelu"},
    {"com.microsoft", "QLinearSigmoid", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QLinearSigmoid"},
    {"com.microsoft", "QLinearSoftmax", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QLinearSoftmax"},
    {"com.microsoft", "QLinearReduceMean", 1, QLinearReduceMean,
     "ContribOperators.md#com.microsoft.QLinearReduceMean"},
    {"com.microsoft", "ReduceSumInteger", 1, ReduceSumInteger,
     "ContribOperators.md#com.microsoft.ReduceSumInteger"},
    {"com.microsoft", "QLinearConcat", 1, QLinearConcat,
     "ContribOperators.md#com.microsoft.QLinearConcat"},
    {"com.microsoft", "GatherBlockQuantized", 1, GatherBlockQuantized,
     "ContribOperators.md#com.microsoft.GatherBlockQuantized"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftQuantizedRules() { return kRows; }

}  // namespace memplan
