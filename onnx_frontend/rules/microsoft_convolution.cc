#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"
#include "onnx_frontend/rules/window.h"

namespace memplan {
namespace {

// Convolutions and poolings that are fused, quantized, or laid out with the
// channels last or in blocks.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

// The output of a rule that was run, with another element type.
absl::Status WithElement(NodeContext& node, absl::Status status,
                         ElementType element) {
  if (!status.ok()) return status;
  node.SetTensor(0, element, node.output(0).shape);
  return absl::OkStatus();
}

absl::Status Convolution(NodeContext& node) {
  return RunRuleOf(node, "Conv", 11);
}

// X and Y are [N, d..., C]; W is [M, C / group, k...] all the same.
absl::Status ConvolutionChannelsLast(NodeContext& node) {
  return RunRuleOf(node, "Conv", 11, {.inputs = {}, .channels_last = true});
}

// The layout is an attribute; the output has its zero point's type.
absl::Status QLinearConv(NodeContext& node) {
  const Arrangement operands = {
      .inputs = {0, 3}, .channels_last = node.Int("channels_last", 0) != 0};
  return WithElement(node, RunRuleOf(node, "Conv", 11, operands),
                     FirstElement(node, {7, 0}));
}

absl::Status QLinearConvTranspose(NodeContext& node) {
  return WithElement(node,
                     RunRuleOf(node, "ConvTranspose", 11, {.inputs = {0, 3}}),
                     FirstElement(node, {7, 0}));
}

absl::Status MaxPoolChannelsLast(NodeContext& node) {
  return RunRuleOf(node, "MaxPool", 12, {.inputs = {}, .channels_last = true});
}

absl::Status MaxPool(NodeContext& node) {
  return RunRuleOf(node, "MaxPool", 12);
}

template <bool kGlobal>
absl::Status QLinearPool(NodeContext& node) {
  return RunRuleOf(
      node, kGlobal ? "GlobalAveragePool" : "AveragePool", kGlobal ? 1 : 11,
      {.inputs = {0}, .channels_last = node.Int("channels_last", 0) != 0});
}

// X [N, C, d...], W [C, M / group, k...]; the pads are the content of input 2.
absl::Status ConvTransposeWithDynamicPads(NodeContext& node) {
  absl::Status status =
      RunRuleOf(node, "ConvTranspose", 11, {.inputs = {0, 1}});
  if (!status.ok()) return status;
  std::optional<Shape> shape = node.output(0).shape;
  if (!node.HasInput(2) || !shape.has_value() || shape->size() < 2 ||
      node.HasAttribute("output_shape")) {
    return absl::OkStatus();
  }
  const size_t spatial = shape->size() - 2;
  const std::vector<Dim> pads =
      DimsOf(node, 2).value_or(UnknownShape(2 * spatial));
  if (pads.size() != 2 * spatial) {
    return node.Error(absl::StrCat("pads of ", pads.size(), " elements for ",
                                   spatial, " spatial dimensions"));
  }
  for (size_t i = 0; i < spatial; ++i) {
    (*shape)[2 + i] = (*shape)[2 + i] - (pads[i] + pads[i + spatial]);
  }
  if (node.value(2) == nullptr) DependsOnContents(node, 0, 2);
  if (absl::Status s = CheckNotNegative(node, *shape); !s.ok()) return s;
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// com.microsoft.nchwc: [N, C rounded up to whole blocks, H, W]. A block is what
// the processor likes best: 8 channels, or 16.
constexpr std::string_view kNchwcSource =
    "onnxruntime/core/graph/contrib_ops/nchwc_schema_defs.cc";

// The blocks' size is up to the processor; where channels come in sixteens it
// makes no difference.
Dim WholeBlocks(NodeContext& node, const Dim& channels) {
  const Dim by_8 = CeilDiv(channels, 8) * 8;
  const Dim by_16 = CeilDiv(channels, 16) * 16;
  if (by_8.Equals(by_16)) return by_16;
  node.SetUnknown(0, "the processor decides how many channels make a block");
  return Dim::Unknown();
}

absl::Status ReorderInput(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) {
    if (shape->size() < 2) return node.Error("the input's rank is below 2");
    if (node.Int("channels_last", 0) != 0) shape = ChannelsFirst(*shape);
    (*shape)[1] = WholeBlocks(node, (*shape)[1]);
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

absl::Status ReorderOutput(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) {
    if (shape->size() < 2) return node.Error("the input's rank is below 2");
    (*shape)[1] = CountAttribute(node, "channels");
    if (node.Int("channels_last", 0) != 0) shape = ChannelsLast(*shape);
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// W has whole blocks, too, so that its channels may differ from X's.
absl::Status ConvolutionInBlocks(NodeContext& node) {
  absl::StatusOr<std::optional<Shape>> shape = ConvolutionShape(node, 0, 1);
  if (!shape.ok()) return shape.status();
  SetShaped(node, 0, 0, *std::move(shape));
  return absl::OkStatus();
}

absl::Status AveragePool(NodeContext& node) {
  return RunRuleOf(node, "AveragePool", 11);
}

absl::Status GlobalPool(NodeContext& node) {
  return RunRuleOf(node, "GlobalMaxPool", 1);
}

// Every dimension times a whole number of an attribute.
absl::Status UpsampleInBlocks(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  const auto scales = node.Ints("scales");
  if (shape.has_value() && scales.has_value()) {
    if (scales->size() != shape->size()) {
      return node.Error("attribute 'scales' has another length than the shape");
    }
    for (size_t i = 0; i < shape->size(); ++i) {
      (*shape)[i] = (*shape)[i] * (*scales)[i];
    }
    if (absl::Status s = CheckNotNegative(node, *shape); !s.ok()) return s;
  } else if (shape.has_value()) {
    shape = UnknownShape(shape->size());
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "ConvTransposeWithDynamicPads", 1,
     ConvTransposeWithDynamicPads,
     "ContribOperators.md#com.microsoft.ConvTransposeWithDynamicPads"},
    {"com.microsoft", "FusedConv", 1, Convolution,
     "ContribOperators.md#com.microsoft.FusedConv"},
    {"com.microsoft", "MaxpoolWithMask", 1, MaxPool,
     "ContribOperators.md#com.microsoft.MaxpoolWithMask"},
    {"com.microsoft", "NhwcConv", 1, ConvolutionChannelsLast,
     "ContribOperators.md#com.microsoft.NhwcConv"},
    {"com.microsoft", "NhwcFusedConv", 1, ConvolutionChannelsLast,
     "ContribOperators.md#com.microsoft.NhwcFusedConv"},
    {"com.microsoft", "NhwcMaxPool", 1, MaxPoolChannelsLast,
     "ContribOperators.md#com.microsoft.NhwcMaxPool"},
    {"com.microsoft", "QLinearAveragePool", 1, QLinearPool<false>,
     "ContribOperators.md#com.microsoft.QLinearAveragePool"},
    {"com.microsoft", "QLinearConv", 1, QLinearConv,
     "ContribOperators.md#com.microsoft.QLinearConv"},
    {"com.microsoft", "QLinearConvTranspose", 1, QLinearConvTranspose,
     "onnxruntime/core/graph/contrib_ops/quantization_defs.cc"},
    {"com.microsoft", "QLinearGlobalAveragePool", 1, QLinearPool<true>,
     "ContribOperators.md#com.microsoft.QLinearGlobalAveragePool"},
    {"com.microsoft.nchwc", "AveragePool", 1, AveragePool, kNchwcSource},
    {"com.microsoft.nchwc", "Conv", 1, ConvolutionInBlocks, kNchwcSource},
    {"com.microsoft.nchwc", "GlobalAveragePool", 1, GlobalPool, kNchwcSource},
    {"com.microsoft.nchwc", "GlobalMaxPool", 1, GlobalPool, kNchwcSource},
    {"com.microsoft.nchwc", "MaxPool", 1, MaxPool, kNchwcSource},
    {"com.microsoft.nchwc", "ReorderInput", 1, ReorderInput, kNchwcSource},
    {"com.microsoft.nchwc", "ReorderOutput", 1, ReorderOutput, kNchwcSource},
    {"com.microsoft.nchwc", "Upsample", 1, UpsampleInBlocks, kNchwcSource},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftConvolutionRules() { return kRows; }

}  // namespace memplan
