#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Gradients, losses, optimizers and bookkeeping of training graphs.
// https://github.com/microsoft/onnxruntime/blob/main/orttraining/orttraining/core/graph/training_op_defs.cc

constexpr std::string_view kSource =
    "orttraining/core/graph/training_op_defs.cc";

// A gradient of what Gather and the like read: its shape is the content of
// input kShape.
template <size_t kShape, size_t kElement>
absl::Status ShapedByContent(NodeContext& node) {
  node.SetTensor(0, node.element(kElement), DimsOf(node, kShape));
  if (node.value(kShape) == nullptr) DependsOnContents(node, 0, kShape);
  return absl::OkStatus();
}

// dY, X, W -> gradients of X, W and the bias: a vector as long as dY has
// channels.
absl::Status ConvGrad(NodeContext& node) {
  SetLike(node, 0, 1);
  SetLike(node, 1, 2);
  SetShaped(node, 2, 0, Shape{DimOf(node, 0, 1)});
  return absl::OkStatus();
}

// Y_grad, X, scale, statistics -> gradients of X, scale and bias. X may have a
// narrower type than Y.
absl::Status NormalizationGrad(NodeContext& node) {
  SetLike(node, 0, 1);
  SetLike(node, 1, 2);
  SetLike(node, 2, 2);
  return absl::OkStatus();
}

// The loss is a scalar, or for each label where it is not reduced; then the
// log-probabilities. With labels of one hot class the classes go away.
template <bool kOneHot>
absl::Status CrossEntropy(NodeContext& node) {
  const ElementType element =
      ElementAttribute(node, "output_type", node.element(0));
  std::optional<Shape> loss = Shape();
  if (node.String("reduction", "mean") == "none") {
    loss = ShapeOf(node, 1);
    if (kOneHot && loss.has_value() && !loss->empty()) loss->pop_back();
  }
  node.SetTensor(0, element, std::move(loss));
  node.SetTensor(1, element, ShapeOf(node, 0));
  return absl::OkStatus();
}

absl::Status CrossEntropyGrad(NodeContext& node) {
  node.SetTensor(0, ElementAttribute(node, "output_type", node.element(1)),
                 ShapeOf(node, 1));
  return absl::OkStatus();
}

// The output of the forward graph that the caller has, back as its gradient. A
// gradient has the output's shape where attribute `full_shape_outputs` says so;
// otherwise it may be one number.
absl::Status Yield(NodeContext& node) {
  const auto list = [&node](std::string_view name) {
    return node.Ints(name).value_or(std::vector<int64_t>());
  };
  const std::vector<int64_t> skipped = list("non_differentiable_outputs");
  const std::vector<int64_t> full = list("full_shape_outputs");
  const auto holds = [](const std::vector<int64_t>& indices, size_t i) {
    return std::find(indices.begin(), indices.end(), static_cast<int64_t>(i)) !=
           indices.end();
  };
  size_t output = 0;
  for (size_t i = 0; i < node.num_inputs(); ++i) {
    if (holds(skipped, i)) continue;
    SetShaped(node, output, i,
              holds(full, i) ? ShapeOf(node, i) : std::nullopt);
    ++output;
  }
  return absl::OkStatus();
}

absl::Status ReduceSum(NodeContext& node) {
  return RunRuleOf(node, "ReduceSum", 13);
}
absl::Status Split(NodeContext& node) { return RunRuleOf(node, "Split", 13); }

// Output 1: how much of the axis each input has.
absl::Status Concat(NodeContext& node) {
  absl::Status status = RunRuleOf(node, "Concat", 13);
  node.SetTensor(1, ElementType::kInt64,
                 Shape{static_cast<int64_t>(node.num_inputs())});
  return status;
}

// The axes along which a broadcast copied each operand.
absl::Status BroadcastGradientArgs(NodeContext& node) {
  for (size_t i = 0; i < 2; ++i) {
    node.SetTensor(i, ElementType::kInt64,
                   Shape{node.DataDependentDim(
                       i == 0 ? "a_axes" : "b_axes",
                       Max(DimOf(node, 0, 0), DimOf(node, 1, 0)))});
  }
  return absl::OkStatus();
}

// A flag, then the buffer.
template <bool kScalarFlag>
absl::Status FlagAndBuffer(NodeContext& node) {
  node.SetTensor(0, ElementType::kBool, kScalarFlag ? Shape() : Shape{1});
  SetLike(node, 1, kScalarFlag ? 1 : 0);
  return absl::OkStatus();
}

// The flag is shaped as the step count; weights and moments are sequences.
absl::Status AdamWOptimizer(NodeContext& node) {
  node.SetTensor(0, ElementType::kBool, ShapeOf(node, 1));
  SetLike(node, 1, 2);
  SetLike(node, 2, 4);
  SetLike(node, 3, 5);
  return absl::OkStatus();
}

// R, T, weights, gradients, moments -> T, moments, and either new weights or
// new gradients.
absl::Status AdamOptimizer(NodeContext& node) {
  SetLike(node, 0, 1);
  SetLike(node, 1, 4);
  SetLike(node, 2, 5);
  SetLike(node, 3, 2);
  SetLike(node, 4, 3);
  SetLike(node, 5, 6);
  return absl::OkStatus();
}

absl::Status LambOptimizer(NodeContext& node) {
  SetLike(node, 0, 4);
  for (size_t i = 1; i < node.num_outputs(); ++i) SetLike(node, i, i + 4);
  return absl::OkStatus();
}

absl::Status IsFinite(NodeContext& node) { return SameShapeBool(node); }

// Scales tensors and casts them, or all of them into one vector.
absl::Status MixedPrecisionScale(NodeContext& node) {
  const ElementType to = ElementAttribute(node, "to", ElementType::kUndefined);
  if (node.Int("fuse_outputs", 0) == 0) {
    for (size_t i = 1; i < node.num_inputs(); ++i) {
      node.SetTensor(i - 1, to, ShapeOf(node, i));
    }
    return absl::OkStatus();
  }
  Dim total = 0;
  for (size_t i = 1; i < node.num_inputs(); ++i) {
    const Shape* shape = node.shape(i);
    total = total + (shape == nullptr ? Dim::Unknown() : NumElements(*shape));
  }
  node.SetTensor(0, to, Shape{total});
  return absl::OkStatus();
}

// Each output has the shape that the content of an input gives.
absl::Status View(NodeContext& node) {
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    SetShaped(node, i, 0, DimsOf(node, i + 1));
  }
  return absl::OkStatus();
}

// X [N, C, ...] -> itself and vectors of C.
absl::Status BatchNormInternal(NodeContext& node) {
  SetLike(node, 0, 0);
  for (size_t i = 1; i < node.num_outputs(); ++i) {
    SetLike(node, i, i % 2 == 1 ? 3 : 4);
  }
  return absl::OkStatus();
}

// A signal, then tensors of the types that an attribute lists.
absl::Status Receive(NodeContext& node) {
  node.SetTensor(0, ElementType::kBool, Shape());
  const std::vector<int64_t> types =
      node.Ints("element_types").value_or(std::vector<int64_t>());
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] < 0 || types[i] > static_cast<int64_t>(ElementType::kInt2)) {
      return node.Error("attribute 'element_types' names no type");
    }
    node.SetTensor(i + 1, static_cast<ElementType>(types[i]), std::nullopt);
    node.SetUnknown(i + 1, "what is received is known only when it arrives");
  }
  return absl::OkStatus();
}

absl::Status WithMask(NodeContext& node) {
  SetLike(node, 0, 0);
  node.SetTensor(1, ElementType::kBool, ShapeOf(node, 0));
  SetLike(node, 2, 0);
  return absl::OkStatus();
}

absl::Status DecodeTo(NodeContext& node) {
  node.SetTensor(0, ElementAttribute(node, "to", ElementType::kUndefined),
                 std::nullopt);
  return absl::OkStatus();
}

// input [d1, d2...] -> [M1, M2, d2...], M1 and M2 the content of input 2.
absl::Status PadAndUnflatten(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value() && !shape->empty()) {
    Shape dims = DimsOf(node, 2).value_or(UnknownShape(2));
    dims.insert(dims.end(), shape->begin() + 1, shape->end());
    shape = std::move(dims);
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// input [M1, M2, d2...], indices [d1] -> [d1, d2...] and [2].
absl::Status FlattenAndUnpad(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value() && shape->size() >= 2) {
    shape->erase(shape->begin());
    shape->front() = DimOf(node, 1, 0);
  }
  SetShaped(node, 0, 0, std::move(shape));
  node.SetTensor(1, node.element(1), Shape{2});
  return absl::OkStatus();
}

// Recurrent layers keep every step. S steps, D directions, B samples, H hidden.
struct Recurrence {
  Dim steps;
  Dim directions;
  Dim batch;
  Dim hidden;
  Dim gates;  // H times the number of gates
};

Recurrence RecurrenceOf(const NodeContext& node) {
  const bool both = node.String("direction", "forward") == "bidirectional";
  return {.steps = DimOf(node, 0, 0),
          .directions = both ? 2 : 1,
          .batch = DimOf(node, 0, 1),
          .hidden = CountAttribute(node, "hidden_size"),
          .gates = DimOf(node, 1, 1)};
}

// All hidden states, the last, for LSTM the last cell and all cells; then the
// gates of every step.
template <bool kLstm>
absl::Status RecurrentTraining(NodeContext& node) {
  const Recurrence r = RecurrenceOf(node);
  const Shape all = {r.steps, r.directions, r.batch, r.hidden};
  const Shape last = {r.directions, r.batch, r.hidden};
  const Shape gates = {r.steps, r.directions, r.batch, r.gates};
  SetShaped(node, 0, 0, all);
  SetShaped(node, 1, 0, last);
  SetShaped(node, 2, 0, kLstm ? last : gates);
  SetShaped(node, 3, 0, all);
  SetShaped(node, 4, 0, gates);
  return absl::OkStatus();
}

// Gradients of X, W, R, the bias, the initial states and the peepholes.
template <bool kLstm>
absl::Status RecurrentGrad(NodeContext& node) {
  const Recurrence r = RecurrenceOf(node);
  const Shape state = {r.directions, r.batch, r.hidden};
  SetLike(node, 0, 0);
  SetLike(node, 1, 1);
  SetLike(node, 2, 2);
  SetShaped(node, 3, 0, Shape{r.directions, r.hidden * (kLstm ? 8 : 6)});
  SetShaped(node, 4, 0, state);
  SetShaped(node, 5, 0, state);
  SetShaped(node, 6, 0, Shape{r.directions, r.hidden * 3});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "AdamOptimizer", 1, AdamOptimizer, kSource},
    {"com.microsoft", "AdamWOptimizer", 1, AdamWOptimizer, kSource},
    {"com.microsoft", "AdasumAllReduce", 1, AllLikeFrom<0>, kSource},
    {"com.microsoft", "All", 1, ScalarAs<ElementType::kBool>, kSource},
    {"com.microsoft", "BatchNormInternal", 1, BatchNormInternal, kSource},
    {"com.microsoft", "BatchNormalizationGrad", 1, NormalizationGrad, kSource},
    {"com.microsoft", "BatchScale", 1, AllLikeFirst, kSource},
    {"com.microsoft", "BiasFastGeluGrad_dX", 1, EachLike<0>, kSource},
    {"com.microsoft", "BiasGeluGrad_dX", 1, EachLike<0>, kSource},
    {"com.microsoft", "BiasSoftmaxDropout", 1, WithMask, kSource},
    {"com.microsoft", "BitmaskDropoutGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "BroadcastGradientArgs", 1, BroadcastGradientArgs,
     kSource},
    {"com.microsoft", "ConcatTraining", 1, Concat, kSource},
    {"com.microsoft", "ConvGrad", 1, ConvGrad, kSource},
    {"com.microsoft", "ConvTransposeGrad", 1, ConvGrad, kSource},
    {"com.microsoft", "DivGrad", 1, EachLike<1, 2>, kSource},
    {"com.microsoft", "DropoutGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "FakeQuant", 1, WithMask, kSource},
    {"com.microsoft", "FakeQuantGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "FastGeluGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "FlattenAndUnpad", 1, FlattenAndUnpad, kSource},
    {"com.microsoft", "GatherElementsGrad", 1, ShapedByContent<1, 0>, kSource},
    {"com.microsoft", "GatherGrad", 1, ShapedByContent<0, 2>, kSource},
    {"com.microsoft", "GatherNDGrad", 1, ShapedByContent<0, 2>, kSource},
    {"com.microsoft", "GRUGrad", 1, RecurrentGrad<false>, kSource},
    {"com.microsoft", "GRUTraining", 1, RecurrentTraining<false>, kSource},
    {"com.microsoft", "GeluGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "GistBinarizeDecoder", 1, DecodeTo, kSource},
    {"com.microsoft", "GistBinarizeEncoder", 1, UnshapedAs<ElementType::kBool>,
     kSource},
    {"com.microsoft", "GistPack16Decoder", 1, DecodeTo, kSource},
    {"com.microsoft", "GistPack16Encoder", 1, UnshapedAs<ElementType::kFloat16>,
     kSource},
    {"com.microsoft", "GistPack1Decoder", 1, DecodeTo, kSource},
    {"com.microsoft", "GistPack1Encoder", 1, UnshapedAs<ElementType::kUint8>,
     kSource},
    {"com.microsoft", "GistPack8Decoder", 1, DecodeTo, kSource},
    {"com.microsoft", "GistPack8Encoder", 1, UnshapedAs<ElementType::kUint8>,
     kSource},
    {"com.microsoft", "GistPackMsfp15Decoder", 1, DecodeTo, kSource},
    {"com.microsoft", "GistPackMsfp15Encoder", 1,
     UnshapedAs<ElementType::kUint8>, kSource},
    {"com.microsoft", "Group", 1, ScalarAs<ElementType::kBool>, kSource},
    {"com.microsoft", "InPlaceAccumulator", 1, EachLike<0>, kSource},
    {"com.microsoft", "InPlaceAccumulatorV2", 1, FlagAndBuffer<false>, kSource},
    {"com.microsoft", "InplaceClipGradNorm", 1, EachLike<0>, kSource},
    {"com.microsoft", "InvertibleLayerNormalizationGrad", 1, NormalizationGrad,
     kSource},
    {"com.microsoft", "IsFinite", 1, IsFinite, kSource},
    {"com.microsoft", "LSTMGrad", 1, RecurrentGrad<true>, kSource},
    {"com.microsoft", "LSTMTraining", 1, RecurrentTraining<true>, kSource},
    {"com.microsoft", "LambOptimizer", 1, LambOptimizer, kSource},
    {"com.microsoft", "LayerNormalizationGrad", 1, NormalizationGrad, kSource},
    {"com.microsoft", "LeakyReluGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "LogSoftmaxGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "LogSoftmaxGrad_13", 1, EachLike<0>, kSource},
    {"com.microsoft", "MegatronF", 1, EachLike<0>, kSource},
    {"com.microsoft", "MegatronG", 1, EachLike<0>, kSource},
    {"com.microsoft", "MixedPrecisionScale", 1, MixedPrecisionScale, kSource},
    {"com.microsoft", "NcclAllGather", 1, AllLikeFrom<0>, kSource},
    {"com.microsoft", "NcclAllReduce", 1, AllLikeFrom<0>, kSource},
    {"com.microsoft", "NegativeLogLikelihoodLossInternal", 1,
     CrossEntropy<false>, kSource},
    {"com.microsoft", "NegativeLogLikelihoodLossInternal2", 1,
     CrossEntropy<false>, kSource},
    {"com.microsoft", "PadAndUnflatten", 1, PadAndUnflatten, kSource},
    {"com.microsoft", "PassThrough", 1, AllLikeFrom<0>, kSource},
    {"com.microsoft", "QuickGeluGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "RecordEvent", 1, AllLikeFrom<1>, kSource},
    {"com.microsoft", "Recv", 1, Receive, kSource},
    {"com.microsoft", "ReduceAllL2", 1, ScalarAs<ElementType::kFloat>, kSource},
    {"com.microsoft", "ReduceSumTraining", 1, ReduceSum, kSource},
    {"com.microsoft", "ReluGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "ResizeGrad", 1, EachLike<1>, kSource},
    {"com.microsoft", "SGDOptimizer", 1, EachLike<1, 2>, kSource},
    {"com.microsoft", "SGDOptimizerV2", 1, FlagAndBuffer<true>, kSource},
    {"com.microsoft", "Scale", 1, EachLike<0>, kSource},
    {"com.microsoft", "ScaledSum", 1, EachLike<0>, kSource},
    {"com.microsoft", "Send", 1, ScalarAs<ElementType::kBool>, kSource},
    {"com.microsoft", "SigmoidGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "SimplifiedLayerNormalizationGrad", 1, NormalizationGrad,
     kSource},
    {"com.microsoft", "SliceGrad", 1, ShapedByContent<1, 0>, kSource},
    {"com.microsoft", "SoftmaxCrossEntropy", 1, CrossEntropy<true>, kSource},
    {"com.microsoft", "SoftmaxCrossEntropyGrad", 1, CrossEntropyGrad, kSource},
    {"com.microsoft", "SoftmaxCrossEntropyLossGrad", 1, CrossEntropyGrad,
     kSource},
    {"com.microsoft", "SoftmaxCrossEntropyLossInternal", 1, CrossEntropy<false>,
     kSource},
    {"com.microsoft", "SoftmaxCrossEntropyLossInternalGrad", 1,
     CrossEntropyGrad, kSource},
    {"com.microsoft", "SoftmaxDropoutGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "SoftmaxGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "SoftmaxGrad_13", 1, EachLike<0>, kSource},
    {"com.microsoft", "SplitTraining", 1, Split, kSource},
    {"com.microsoft", "SummaryHistogram", 1, ScalarAs<ElementType::kString>,
     kSource},
    {"com.microsoft", "SummaryMerge", 1, ScalarAs<ElementType::kString>,
     kSource},
    {"com.microsoft", "SummaryScalar", 1, ScalarAs<ElementType::kString>,
     kSource},
    {"com.microsoft", "SummaryText", 1, ScalarAs<ElementType::kString>,
     kSource},
    {"com.microsoft", "TanhGrad", 1, EachLike<0>, kSource},
    {"com.microsoft", "View", 1, View, kSource},
    {"com.microsoft", "WaitEvent", 1, AllLikeFrom<1>, kSource},
    {"com.microsoft", "YieldOp", 1, Yield, kSource},
    {"com.microsoft", "ZeroGradient", 1, EachLike<0>, kSource},
    {"", "SparseSoftmaxCrossEntropy", 9, CrossEntropy<false>, kSource},
    {"", "SparseSoftmaxCrossEntropyGrad", 9, CrossEntropyGrad, kSource},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftTrainingRules() { return kRows; }

}  // namespace memplan
