#include <optional>
#include <utility>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Embeddings and normalizations of transformers.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

// Sets a statistic of the normalized axes: the input's shape with 1 from `axis`
// on.
void SetStatistic(NodeContext& node, size_t output, ElementType element,
                  size_t axis) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) {
    for (size_t i = axis; i < shape->size(); ++i) (*shape)[i] = 1;
  }
  node.SetTensor(output, element, std::move(shape));
}

// input [..., hidden] -> the same, mean and inverse deviation [..., 1], and the
// sum of input, skip and bias.
absl::Status SkipLayerNormalization(NodeContext& node) {
  SetLike(node, 0, 0);
  SetLike(node, 3, 0);
  const Shape* shape = node.shape(0);
  if (shape != nullptr && shape->empty()) {
    return node.Error("the input is a scalar");
  }
  const size_t last = shape == nullptr ? 0 : shape->size() - 1;
  SetStatistic(node, 1, ElementType::kFloat, last);
  SetStatistic(node, 2, ElementType::kFloat, last);
  return absl::OkStatus();
}

// The output has the scale's element type: the input's may be a narrower one.
absl::Status LayerNormalization(NodeContext& node) {
  size_t axis = 0;
  if (const Shape* shape = node.shape(0); shape != nullptr) {
    absl::StatusOr<size_t> resolved =
        ResolveAxis(node, node.Int("axis", -1), shape->size());
    if (!resolved.ok()) return resolved.status();
    axis = *resolved;
  }
  node.SetTensor(0, node.element(node.HasInput(1) ? 1 : 0), ShapeOf(node, 0));
  const ElementType stash =
      ElementAttribute(node, "stash_type", ElementType::kFloat);
  for (size_t i = 1; i < node.num_outputs(); ++i) {
    SetStatistic(node, i, stash, axis);
  }
  return absl::OkStatus();
}

// input_ids [B, S], word_embedding [words, hidden] -> [B, S, hidden], mask
// index [B], and the sum before normalization.
absl::Status EmbedLayerNormalization(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 2, {2}); !s.ok()) return s;
  const Dim batch = DimOf(node, 0, 0);
  const Shape embedded = {batch, DimOf(node, 0, 1), DimOf(node, 2, 1)};
  // A quantized embedding has its scale in input 8, and its type the output.
  const bool quantized = node.op_type() == "QEmbedLayerNormalization";
  const ElementType element = node.element(quantized ? 8 : 2);
  node.SetTensor(0, element, embedded);
  SetShaped(node, 1, 0, Shape{batch});
  node.SetTensor(2, element, embedded);
  return absl::OkStatus();
}

// X [B, S, 2 * H] is split in halves.
absl::Status BiasSplitGelu(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {3}); !s.ok()) return s;
  const Dim bias = DimOf(node, 1, 0);
  const Dim width = bias.is_unknown() ? DimOf(node, 0, 2) : bias;
  SetShaped(node, 0, 0,
            Shape{DimOf(node, 0, 0), DimOf(node, 0, 1), FloorDiv(width, 2)});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "EmbedLayerNormalization", 1, EmbedLayerNormalization,
     "ContribOperators.md#com.microsoft.EmbedLayerNormalization"},
    {"com.microsoft", "QEmbedLayerNormalization", 1, EmbedLayerNormalization,
     "ContribOperators.md#com.microsoft.QEmbedLayerNormalization"},
    {"com.microsoft", "SkipLayerNormalization", 1, SkipLayerNormalization,
     "ContribOperators.md#com.microsoft.SkipLayerNormalization"},
    {"com.microsoft", "SkipSimplifiedLayerNormalization", 1,
     SkipLayerNormalization,
     "ContribOperators.md#com.microsoft.SkipSimplifiedLayerNormalization"},
    // ONNX Runtime's own, in ONNX's domain: it came before
    // LayerNormalization-17.
    {"", "LayerNormalization", 1, LayerNormalization,
     "onnxruntime/core/graph/contrib_ops/contrib_defs.cc"},
    {"", "SimplifiedLayerNormalization", 1, LayerNormalization,
     "onnxruntime/core/graph/contrib_ops/contrib_defs.cc"},
    {"com.microsoft", "LayerNormalization", 1, LayerNormalization,
     "onnxruntime/core/graph/contrib_ops/contrib_defs.cc"},
    {"com.microsoft", "SimplifiedLayerNormalization", 1, LayerNormalization,
     "onnxruntime/core/graph/contrib_ops/contrib_defs.cc"},
    {"com.microsoft", "GatedRMSNorm", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.GatedRMSNorm"},
    {"com.microsoft", "GroupNorm", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.GroupNorm"},
    {"com.microsoft", "SkipGroupNorm", 1, EachLike<0, 0>,
     "ContribOperators.md#com.microsoft.SkipGroupNorm"},
    {"com.microsoft", "QOrderedLayerNormalization", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QOrderedLayerNormalization"},
    {"com.microsoft", "BiasSplitGelu", 1, BiasSplitGelu,
     "ContribOperators.md#com.microsoft.BiasSplitGelu"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftNormalizationRules() { return kRows; }

}  // namespace memplan
