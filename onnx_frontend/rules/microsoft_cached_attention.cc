#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Attention over projected Q, K and V with a cache of keys and values. B batch,
// S query length, L length of the new keys, P length of the past, N heads, H
// head size; caches are [B, N, P, H].
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

bool HasRank(const NodeContext& node, size_t input, size_t rank) {
  const Shape* shape = node.shape(input);
  return shape != nullptr && shape->size() == rank;
}

// Where the inputs of the two operators stand.
struct MultiHeadInputs {
  size_t past_key;
  size_t past_length;
  // Q, K and V may come packed in a query of [B, S, 3 * D].
  bool may_pack_query;
};

struct MultiHeadWidths {
  Dim query;   // N * H
  Dim value;   // N * H_v
  Dim length;  // L
};

// The layouts: query [B, S, N, 3, H] alone; query [B, S, D] with key
// [B, L, N, 2, H] that holds V, too; with K and V [B, L, D] and [B, L, D_v], or
// [B, N, L, H] and [B, N, L, H_v].
MultiHeadWidths WidthsOf(const NodeContext& node, bool may_pack_query) {
  MultiHeadWidths widths;
  widths.query = DimOf(node, 0, 2);
  widths.length = DimOf(node, 0, 1);
  if (!node.HasInput(1)) {
    if (HasRank(node, 0, 5)) {
      widths.query = DimOf(node, 0, 2) * DimOf(node, 0, 4);
    } else if (may_pack_query) {
      widths.query = FloorDiv(widths.query, 3);
    }
    widths.value = widths.query;
  } else if (!node.HasInput(2)) {
    widths.value = widths.query;
    widths.length = DimOf(node, 1, 1);
  } else if (HasRank(node, 2, 4)) {
    widths.value = DimOf(node, 2, 1) * DimOf(node, 2, 3);
    widths.length = DimOf(node, 1, 2);
  } else {
    widths.value = DimOf(node, 2, 2);
    widths.length = DimOf(node, 1, 1);
  }
  return widths;
}

absl::Status MultiHead(NodeContext& node, const MultiHeadInputs& inputs) {
  if (absl::Status s = ExpectRank(node, 0, {3, 5}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 1, {3, 4, 5}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 2, {3, 4}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, inputs.past_key, {4}); !s.ok()) {
    return s;
  }
  const Dim batch = DimOf(node, 0, 0);
  const Dim queries = DimOf(node, 0, 1);
  const Dim heads = CountAttribute(node, "num_heads");
  const MultiHeadWidths widths = WidthsOf(node, inputs.may_pack_query);
  SetShaped(node, 0, 0, Shape{batch, queries, widths.value});

  const bool has_past = node.HasInput(inputs.past_key);
  // One buffer for past and present, as long as the longest sequence.
  const bool shared =
      node.Int("past_present_share_buffer", 0) != 0 ||
      (has_past && node.HasInput(inputs.past_length) && !inputs.may_pack_query);
  const Dim past = has_past ? DimOf(node, inputs.past_key, 2) : Dim(0);
  const Dim total =
      (shared ? ScalarDim(node, inputs.past_length) : past) + widths.length;
  const Dim present = shared && has_past ? past : total;
  SetShaped(node, 1, 0,
            Shape{batch, heads, present, FloorDiv(widths.query, heads)});
  SetShaped(node, 2, 0,
            Shape{batch, heads, present, FloorDiv(widths.value, heads)});
  SetShaped(node, 3, 0, Shape{batch, heads, queries, total});
  return absl::OkStatus();
}

absl::Status MultiHeadAttention(NodeContext& node) {
  return MultiHead(node,
                   {.past_key = 6, .past_length = 8, .may_pack_query = false});
}

absl::Status DecoderMaskedMultiHeadAttention(NodeContext& node) {
  return MultiHead(node,
                   {.past_key = 5, .past_length = 7, .may_pack_query = true});
}

// query [B, S, N * H] with K and V of kv_num_heads heads, or all three in one
// of [B, S, (N + 2 * kv_num_heads) * H].
Dim GroupedHeadSize(const NodeContext& node) {
  const Dim heads = CountAttribute(node, "num_heads");
  if (node.HasInput(1)) return FloorDiv(DimOf(node, 0, -1), heads);
  return FloorDiv(DimOf(node, 0, -1),
                  heads + 2 * CountAttribute(node, "kv_num_heads"));
}

// The caches of past and present: the total length is in input 6, and a cache
// that is longer already stays as it is.
absl::Status GroupQuery(NodeContext& node, bool keeps_length) {
  if (absl::Status s = ExpectRank(node, 0, {3}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 3, {4}); !s.ok()) return s;
  const Dim batch = DimOf(node, 0, 0);
  const Dim queries = DimOf(node, 0, 1);
  const Dim heads = CountAttribute(node, "num_heads");
  const Dim head_size = GroupedHeadSize(node);
  SetShaped(node, 0, 0, Shape{batch, queries, heads * head_size});

  const Dim total = ScalarDim(node, 6);
  if (total.is_unknown()) {
    for (size_t i = 1; i <= 3; ++i) DependsOnContents(node, i, 6);
  }
  if (node.HasInput(3)) {
    for (size_t i = 0; i < 2; ++i) {
      std::optional<Shape> present = ShapeOf(node, 3 + i);
      if (present.has_value() && present->size() == 4 && !keeps_length) {
        (*present)[2] = Max((*present)[2], total);
      }
      SetShaped(node, 1 + i, 3 + i, std::move(present));
    }
  } else {
    // Half a byte each where the cache has 4 bits.
    const Dim packed = node.Int("kv_cache_bit_width", 0) == 4
                           ? CeilDiv(head_size, 2)
                           : head_size;
    for (size_t i = 1; i <= 2; ++i) {
      SetShaped(
          node, i, 0,
          Shape{batch, CountAttribute(node, "kv_num_heads"), total, packed});
    }
  }
  SetShaped(node, 3, 0, Shape{batch, heads, queries, total});
  return absl::OkStatus();
}

absl::Status GroupQueryAttention(NodeContext& node) {
  return GroupQuery(node, node.Int("sliding_window_cache", 0) == 1);
}

// Past and present share one buffer.
absl::Status SparseAttention(NodeContext& node) {
  return GroupQuery(node, /*keeps_length=*/true);
}

// query [tokens, N * H]; the caches, in blocks, are updated in place.
absl::Status PagedAttention(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 3, {4}); !s.ok()) return s;
  const Dim heads = CountAttribute(node, "num_heads");
  Dim width = heads * GroupedHeadSize(node);
  if (node.String("kv_cache_layout", "SEPARATE") == "LATENT") {
    const int64_t value_size = node.Int("v_head_size", 0);
    width = value_size > 0 ? heads * value_size : DimOf(node, 0, 1);
  }
  SetShaped(node, 0, 0, Shape{DimOf(node, 0, 0), width});
  SetLike(node, 1, 3);
  SetLike(node, 2, 4);
  return absl::OkStatus();
}

// The carried state leads with a window of the last states where one is kept.
Shape StateShape(const NodeContext& node, Shape state) {
  const int64_t window = node.Int("state_window", 0);
  if (window > 0) state.insert(state.begin(), window);
  return state;
}

// query [B, S, N_q * H_k], value [B, S, N_kv * H_v]; output
// [B, S, max(N_q, N_kv) * H_v], state [B, N_kv, H_k, H_v].
absl::Status LinearAttention(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {3}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 2, {3}); !s.ok()) return s;
  const Dim query_heads = CountAttribute(node, "q_num_heads");
  const Dim value_heads = CountAttribute(node, "kv_num_heads");
  const Dim value_size = FloorDiv(DimOf(node, 2, 2), value_heads);
  SetShaped(node, 0, 0,
            Shape{DimOf(node, 0, 0), DimOf(node, 0, 1),
                  Max(query_heads, value_heads) * value_size});
  const Dim key_size = FloorDiv(DimOf(node, 0, 2), query_heads);
  const size_t state = node.HasInput(3) ? 3 : 0;
  SetShaped(
      node, 1, state,
      StateShape(node, {DimOf(node, 0, 0), value_heads, key_size, value_size}));
  return absl::OkStatus();
}

// input [B, C, d...], weight [C, 1, k...]; the state holds the last k - 1
// positions of the last axis.
absl::Status CausalConvWithState(NodeContext& node) {
  SetLike(node, 0, 0);
  std::optional<Shape> state = ShapeOf(node, 0);
  if (state.has_value() && state->size() >= 3) {
    state->back() = DimOf(node, 1, -1) - 1;
    state = StateShape(node, *std::move(state));
  } else {
    state = std::nullopt;
  }
  SetShaped(node, 1, 0, std::move(state));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "MultiHeadAttention", 1, MultiHeadAttention,
     "ContribOperators.md#com.microsoft.MultiHeadAttention"},
    {"com.microsoft", "DecoderMaskedMultiHeadAttention", 1,
     DecoderMaskedMultiHeadAttention,
     "ContribOperators.md#com.microsoft.DecoderMaskedMultiHeadAttention"},
    {"com.microsoft", "GroupQueryAttention", 1, GroupQueryAttention,
     "ContribOperators.md#com.microsoft.GroupQueryAttention"},
    {"com.microsoft", "SparseAttention", 1, SparseAttention,
     "ContribOperators.md#com.microsoft.SparseAttention"},
    {"com.microsoft", "PagedAttention", 1, PagedAttention,
     "ContribOperators.md#com.microsoft.PagedAttention"},
    {"com.microsoft", "LinearAttention", 1, LinearAttention,
     "ContribOperators.md#com.microsoft.LinearAttention"},
    {"com.microsoft", "LinearAttentionGate", 1, AllLikeFirst,
     "ContribOperators.md#com.microsoft.LinearAttentionGate"},
    {"com.microsoft", "CausalConvWithState", 1, CausalConvWithState,
     "ContribOperators.md#com.microsoft.CausalConvWithState"},
    {"com.microsoft", "RotaryEmbedding", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.RotaryEmbedding"},
    {"com.microsoft", "MRotaryEmbedding", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.MRotaryEmbedding"},
    {"com.microsoft", "GemmaRotaryEmbedding", 1, EachLike<1, 1>,
     "ContribOperators.md#com.microsoft.GemmaRotaryEmbedding"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftCachedAttentionRules() { return kRows; }

}  // namespace memplan
