#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Attention with the projection inside. B batch, S sequence, N heads, H head
// size. input [B, S, hidden], weights [hidden, D + D + D_v], bias
// [D + D + D_v]; output [B, S, D_v], present [2, B, N, past + S, H].
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

// The width of the projected V: D_v.
Dim ProjectedWidth(const NodeContext& node) {
  const std::optional<std::vector<int64_t>> sizes =
      node.Ints("qkv_hidden_sizes");
  if (sizes.has_value() && sizes->size() == 3) return (*sizes)[2];
  const Dim bias = DimOf(node, 2, 0);
  return FloorDiv(bias.is_unknown() ? DimOf(node, 1, 1) : bias, 3);
}

// A past state of [2, B, N, P, H] grows by S, unless it is a buffer that the
// present state reuses.
std::optional<Shape> PresentOfPast(const NodeContext& node, size_t past) {
  std::optional<Shape> shape = ShapeOf(node, past);
  if (!shape.has_value() || shape->size() != 5) return std::nullopt;
  if (node.Int("past_present_share_buffer", 0) == 0) {
    (*shape)[3] = (*shape)[3] + DimOf(node, 0, 1);
  }
  return shape;
}

template <size_t kPast>
absl::Status ProjectingAttention(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {3}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 1, {2}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 2, {1}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, kPast, {5}); !s.ok()) return s;
  // A quantized input has a floating-point bias, and the output its type.
  const ElementType element = node.element(node.HasInput(2) ? 2 : 0);
  const Dim width = ProjectedWidth(node);
  node.SetTensor(0, element,
                 Shape{DimOf(node, 0, 0), DimOf(node, 0, 1), width});

  if (node.HasInput(kPast)) {
    node.SetTensor(1, element, PresentOfPast(node, kPast));
    return absl::OkStatus();
  }
  const Dim heads = CountAttribute(node, "num_heads");
  node.SetTensor(1, element,
                 Shape{2, DimOf(node, 0, 0), heads, DimOf(node, 0, 1),
                       FloorDiv(width, heads)});
  return absl::OkStatus();
}

// Padding removed: input [tokens, hidden], output [tokens, D_v].
absl::Status PackedAttention(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2}); !s.ok()) return s;
  SetShaped(node, 0, 0, Shape{DimOf(node, 0, 0), ProjectedWidth(node)});
  return absl::OkStatus();
}

// query [tokens, D] with value [tokens, D_v], or [tokens, N, 3, H] that holds
// all three; output [tokens, D_v].
absl::Status PackedMultiHeadAttention(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2, 4}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 2, {2}); !s.ok()) return s;
  const Shape* query = node.shape(0);
  Dim width = DimOf(node, 2, 1);
  if (query != nullptr && query->size() == 4) {
    width = (*query)[1] * (*query)[3];
  }
  SetShaped(node, 0, 0, Shape{DimOf(node, 0, 0), width});
  return absl::OkStatus();
}

// query [S, B, hidden]; the caches [B, N, P, H] grow by the keys that are new.
// Whether they are used is the content of inputs 8 to 10.
absl::Status DecoderAttention(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {3}); !s.ok()) return s;
  SetLike(node, 0, 0);
  const Dim heads = CountAttribute(node, "num_heads");
  const Dim is_static = ScalarDim(node, 8);
  const Dim uses_past = ScalarDim(node, 9);
  Dim length;
  if (uses_past.Equals(0)) {
    length = DimOf(node, is_static.Equals(0) ? 0 : 1, 0);
    if (is_static.is_unknown()) length = Dim::Unknown();
  } else if (uses_past.Equals(1) && !is_static.is_unknown()) {
    length = DimOf(node, 6, 2);
    if (is_static.Equals(0)) length = length + DimOf(node, 0, 0);
  }
  const Dim head_size = FloorDiv(DimOf(node, 0, 2), heads);
  for (size_t cache = 1; cache <= 2; ++cache) {
    SetShaped(node, cache, 0,
              Shape{DimOf(node, 0, 1), heads, length, head_size});
    if (length.is_unknown()) {
      node.SetUnknown(cache, "shape depends on the content of use_past");
    }
  }
  return absl::OkStatus();
}

// bias_table [buckets, N], query_length and key_length in inputs 1 and 2.
absl::Status RelativePositionBias(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2}); !s.ok()) return s;
  SetShaped(
      node, 0, 0,
      Shape{1, DimOf(node, 0, 1), ScalarDim(node, 1), ScalarDim(node, 2)});
  return absl::OkStatus();
}

// query [B, S, N * H], or [tokens, N * H] with token_offset [B, S] beside it;
// output [B, N, S, S].
absl::Status GatedRelativePositionBias(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2, 3}); !s.ok()) return s;
  const size_t source = node.HasInput(6) ? 6 : 0;
  const Dim length = DimOf(node, source, 1);
  SetShaped(node, 0, 0,
            Shape{DimOf(node, source, 0), CountAttribute(node, "num_heads"),
                  length, length});
  return absl::OkStatus();
}

// input [B, S, hidden] -> the tokens that are no padding, where they stood,
// cumulated lengths, and the longest.
absl::Status RemovePadding(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {3}); !s.ok()) return s;
  const Dim batch = DimOf(node, 0, 0);
  const Dim length = DimOf(node, 0, 1);
  const Dim tokens = node.DataDependentDim("tokens", batch * length);
  const ElementType index = node.element(1);
  SetShaped(node, 0, 0, Shape{tokens, DimOf(node, 0, 2)});
  node.SetTensor(1, index, Shape{batch, length});
  node.SetTensor(2, index, Shape{batch + 1});
  node.SetTensor(3, index, Shape{1});
  return absl::OkStatus();
}

// input [tokens, hidden], token_offset [B, S] -> [B, S, hidden].
absl::Status RestorePadding(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 1, {2}); !s.ok()) return s;
  SetShaped(node, 0, 0,
            Shape{DimOf(node, 1, 0), DimOf(node, 1, 1), DimOf(node, 0, 1)});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "Attention", 1, ProjectingAttention<4>,
     "ContribOperators.md#com.microsoft.Attention"},
    {"com.microsoft", "DecoderMaskedSelfAttention", 1, ProjectingAttention<4>,
     "ContribOperators.md#com.microsoft.DecoderMaskedSelfAttention"},
    {"com.microsoft", "QAttention", 1, ProjectingAttention<8>,
     "ContribOperators.md#com.microsoft.QAttention"},
    {"com.microsoft", "QOrderedAttention", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QOrderedAttention"},
    {"com.microsoft", "LongformerAttention", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.LongformerAttention"},
    {"com.microsoft", "QOrderedLongformerAttention", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QOrderedLongformerAttention"},
    {"com.microsoft", "PackedAttention", 1, PackedAttention,
     "ContribOperators.md#com.microsoft.PackedAttention"},
    {"com.microsoft", "PackedMultiHeadAttention", 1, PackedMultiHeadAttention,
     "ContribOperators.md#com.microsoft.PackedMultiHeadAttention"},
    {"com.microsoft", "DecoderAttention", 1, DecoderAttention,
     "ContribOperators.md#com.microsoft.DecoderAttention"},
    {"com.microsoft", "RelativePositionBias", 1, RelativePositionBias,
     "ContribOperators.md#com.microsoft.RelativePositionBias"},
    {"com.microsoft", "GatedRelativePositionBias", 1, GatedRelativePositionBias,
     "ContribOperators.md#com.microsoft.GatedRelativePositionBias"},
    {"com.microsoft", "RemovePadding", 1, RemovePadding,
     "ContribOperators.md#com.microsoft.RemovePadding"},
    {"com.microsoft", "RestorePadding", 1, RestorePadding,
     "ContribOperators.md#com.microsoft.RestorePadding"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftAttentionRules() { return kRows; }

}  // namespace memplan
