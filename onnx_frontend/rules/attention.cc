// Attention and what goes with it.

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// A query, key or value of [batch, heads, sequence, size] or
// [batch, sequence, heads * size].
struct Heads {
  Dim batch;
  Dim heads;
  Dim sequence;
  Dim size;
};

absl::StatusOr<Heads> HeadsOf(const NodeContext& node, size_t input,
                              const Dim& heads) {
  const Shape* shape = node.shape(input);
  if (shape == nullptr) return Heads{{}, heads, {}, {}};
  if (shape->size() == 4) {
    return Heads{(*shape)[0], (*shape)[1], (*shape)[2], (*shape)[3]};
  }
  if (shape->size() != 3) {
    return node.Error(absl::StrCat("an input of shape ", ToString(*shape),
                                   "; it wants 3 or 4 dimensions"));
  }
  return Heads{(*shape)[0], heads, (*shape)[1], FloorDiv((*shape)[2], heads)};
}

Dim IntOrUnknown(const NodeContext& node, std::string_view name) {
  const int64_t number = node.Int(name, 0);
  return number > 0 ? Dim(number) : Dim::Unknown();
}

// The sequence that the cache holds before this step; 0 where there is none.
Dim PastSequence(const NodeContext& node, size_t input) {
  if (!node.HasInput(input)) return 0;
  const Shape* shape = node.shape(input);
  if (shape == nullptr || shape->size() != 4) return Dim::Unknown();
  return (*shape)[2];
}

// Inputs: Q, K, V, mask, past key, past value. Outputs: Y like Q, the present
// key and value (past and new), and the product of Q and K.
absl::Status Attention(NodeContext& node) {
  const absl::StatusOr<Heads> query =
      HeadsOf(node, 0, IntOrUnknown(node, "q_num_heads"));
  if (!query.ok()) return query.status();
  const Dim kv_heads = IntOrUnknown(node, "kv_num_heads");
  const absl::StatusOr<Heads> key = HeadsOf(node, 1, kv_heads);
  if (!key.ok()) return key.status();
  const absl::StatusOr<Heads> value = HeadsOf(node, 2, kv_heads);
  if (!value.ok()) return value.status();
  const Dim total = MergeDims(PastSequence(node, 4) + key->sequence,
                              PastSequence(node, 5) + value->sequence)
                        .value_or(Dim::Unknown());

  const ElementType element = FirstElement(node, {0, 1});
  const ElementType value_element = FirstElement(node, {2, 0});
  std::optional<Shape> result;
  if (node.shape(0) != nullptr && node.shape(0)->size() == 3) {
    result = {query->batch, query->sequence, query->heads * value->size};
  } else if (node.shape(0) != nullptr) {
    result = {query->batch, query->heads, query->sequence, value->size};
  }
  node.SetTensor(0, element, std::move(result));
  node.SetTensor(1, element, Shape{key->batch, key->heads, total, key->size});
  node.SetTensor(2, value_element,
                 Shape{value->batch, value->heads, total, value->size});
  node.SetTensor(3, element,
                 Shape{query->batch, query->heads, query->sequence, total});
  return absl::OkStatus();
}

// Inputs: query [B, T, q_heads * key size], key, value [B, T, kv_heads * value
// size], past state. Outputs: [B, T, q_heads * value size], and the state
// [B, kv_heads, key size, value size].
absl::Status LinearAttention(NodeContext& node) {
  const Dim q_heads = IntOrUnknown(node, "q_num_heads");
  const Dim kv_heads = IntOrUnknown(node, "kv_num_heads");
  const absl::StatusOr<Heads> query = HeadsOf(node, 0, q_heads);
  if (!query.ok()) return query.status();
  const absl::StatusOr<Heads> value = HeadsOf(node, 2, kv_heads);
  if (!value.ok()) return value.status();
  node.SetTensor(0, FirstElement(node, {0, 1, 2}),
                 Shape{query->batch, query->sequence, q_heads * value->size});
  std::optional<Shape> state =
      Shape{query->batch, kv_heads, query->size, value->size};
  if (node.shape(3) != nullptr) state = *node.shape(3);
  node.SetTensor(1, FirstElement(node, {3, 0}), std::move(state));
  return absl::OkStatus();
}

// Inputs: Q [B, heads, L, size], K [B, kv_heads, S, size], V [B, kv_heads, S,
// v_size]. Output: [B, heads, L, v_size].
absl::Status FlexAttention(NodeContext& node) {
  for (size_t input = 0; input < 3; ++input) {
    if (absl::Status s = ExpectRank(node, input, {4}); !s.ok()) return s;
  }
  const Dim batch =
      MergeDims(DimOf(node, 0, 0),
                MergeDims(DimOf(node, 1, 0), DimOf(node, 2, 0)).value_or(Dim()))
          .value_or(DimOf(node, 0, 0));
  node.SetTensor(
      0, FirstElement(node, {0, 1, 2}),
      Shape{batch, DimOf(node, 0, 1), DimOf(node, 0, 2), DimOf(node, 2, 3)});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "Attention", 23, Attention, "Operators.md#Attention"},
    {"", "LinearAttention", 27, LinearAttention,
     "Operators.md#LinearAttention"},
    {"", "RotaryEmbedding", 23, SameAsInput, "Operators.md#RotaryEmbedding"},
    {"ai.onnx.preview", "FlexAttention", 1, FlexAttention,
     "Operators.md#ai.onnx.preview.FlexAttention"},
};

}  // namespace

absl::Span<const RuleRow> AttentionRules() { return kRows; }

}  // namespace memplan
