#include <vector>

#include "absl/strings/str_cat.h"
#include "models/generate/architectures.h"
#include "models/generate/onnx_builder.h"
#include "models/generate/shape_arithmetic.h"
#include "models/generate/transformer.h"

namespace memplan::models {
namespace {

constexpr int64_t kVocabulary = 50257;
constexpr int64_t kPositions = 1024;

Tensor LayerNorm(OnnxBuilder& model, const std::string& name, const Tensor& x) {
  const Tensor weight = model.Weight(absl::StrCat(name, ".weight"), {kHidden});
  const Tensor bias = model.Weight(absl::StrCat(name, ".bias"), {kHidden});
  return model.Node("LayerNormalization", name, {x, weight, bias},
                    {{"axis", int64_t{-1}}, {"epsilon", 1e-5f}});
}

// GPT-2's "Conv1D": rows of all batches in one Gemm, then back to
// [batch, sequence, features] by shape arithmetic.
Tensor Linear(OnnxBuilder& model, const std::string& name, const Tensor& x,
              int64_t features_in, int64_t features) {
  const Tensor weight =
      model.Weight(absl::StrCat(name, ".weight"), {features_in, features});
  const Tensor bias = model.Weight(absl::StrCat(name, ".bias"), {features});
  const Tensor batch = DimensionOf(model, name, x, 0);
  const Tensor sequence = DimensionOf(model, name, x, 1);
  const Tensor rows =
      model.Node("Reshape", absl::StrCat(name, ".rows"),
                 {x, model.Constant(std::vector<int64_t>{-1, features_in})});
  const Tensor product =
      model.Node("Gemm", absl::StrCat(name, ".product"), {rows, weight, bias},
                 {{"alpha", 1.0f}, {"beta", 1.0f}});
  return Reshape(model, name, product, {batch, sequence, features});
}

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))).
Tensor TanhGelu(OnnxBuilder& model, const std::string& name, const Tensor& x) {
  const auto node = [&](const char* op_type, const char* part,
                        const std::vector<Tensor>& inputs) {
    return model.Node(op_type, absl::StrCat(name, ".", part), inputs);
  };
  const Tensor half = node("Mul", "half", {x, model.Constant(0.5f)});
  const Tensor cube = node("Pow", "cube", {x, model.Constant(3.0f)});
  const Tensor small = node("Mul", "small", {cube, model.Constant(0.044715f)});
  const Tensor sum = node("Add", "sum", {x, small});
  const Tensor scaled =
      node("Mul", "scaled", {sum, model.Constant(0.7978845608028654f)});
  const Tensor tanh = node("Tanh", "tanh", {scaled});
  const Tensor plus_one = node("Add", "plus_one", {tanh, model.Constant(1.0f)});
  return node("Mul", "output", {half, plus_one});
}

// Positions go on where the past ends.
Tensor Embeddings(OnnxBuilder& model, const Tensor& ids,
                  const Tensor& past_key) {
  const Tensor words = model.Weight("wte.weight", {kVocabulary, kHidden});
  const Tensor position_rows =
      model.Weight("wpe.weight", {kPositions, kHidden});
  const Tensor sequence = DimensionOf(model, "ids", ids, 1);
  const Tensor past = DimensionOf(model, "past", past_key, 2);
  const Tensor end = model.Node("Add", "positions.end", {past, sequence});
  const Tensor range = model.Node("Range", "positions.range",
                                  {past, end, model.Constant(int64_t{1})});
  const Tensor positions =
      model.Node("Unsqueeze", "positions",
                 {range, model.Constant(std::vector<int64_t>{0})});
  const Tensor word = model.Node("Gather", "embedded.word", {words, ids});
  const Tensor position =
      model.Node("Gather", "embedded.position", {position_rows, positions});
  return model.Node("Add", "embedded", {word, position});
}

// The rows of the causal mask [1, 1, 1024, 1024] that belong to the new
// tokens: [1, 1, sequence, past + sequence].
Tensor CausalMask(OnnxBuilder& model, const std::string& name,
                  const Tensor& causal, const Tensor& queries,
                  const Tensor& keys) {
  const auto part = [&](const char* suffix) {
    return absl::StrCat(name, ".", suffix);
  };
  const Tensor num_queries = DimensionOf(model, part("queries"), queries, 2);
  const Tensor num_keys = DimensionOf(model, part("keys"), keys, 2);
  const Tensor first =
      model.Node("Sub", part("first"), {num_keys, num_queries});
  const Tensor zero = model.Constant(std::vector<int64_t>{0});
  const Tensor one = model.Constant(std::vector<int64_t>{1});
  const Tensor begin = model.Node("Unsqueeze", part("begin"), {first, zero});
  const Tensor end = model.Node("Unsqueeze", part("end"), {num_keys, zero});
  const Tensor rows = model.Node(
      "Slice", part("rows"),
      {causal, begin, end, model.Constant(std::vector<int64_t>{2}), one});
  return model.Node(
      "Slice", part("mask"),
      {rows, zero, end, model.Constant(std::vector<int64_t>{3}), one});
}

// Keys or values of the past, then those of the new tokens; also an output.
Tensor Present(OnnxBuilder& model, int64_t layer, const std::string& which,
               const Tensor& past, const Tensor& now) {
  const Tensor all =
      model.Node("Concat", absl::StrCat("present.", layer, ".", which),
                 {past, now}, {{"axis", int64_t{-2}}});
  model.Output(all, DataType::kFloat,
               {"batch", kHeads, "total_sequence", kHeadSize});
  return all;
}

struct Past {
  Tensor key, value;
};

struct Masks {
  Tensor causal;     // [1, 1, 1024, 1024] of bool
  Tensor attention;  // [batch, 1, 1, total_sequence], added to the scores
};

Tensor SelfAttention(OnnxBuilder& model, int64_t layer, const Tensor& x,
                     const Past& past, const Masks& masks) {
  const std::string name = absl::StrCat("h", layer);
  const auto part = [&](const char* suffix) {
    return absl::StrCat(name, ".", suffix);
  };
  const Tensor joined = Linear(model, part("qkv"), x, kHidden, 3 * kHidden);
  const Tensor widths =
      model.Constant(std::vector<int64_t>{kHidden, kHidden, kHidden});
  model.NodeWithOutputs("Split", {part("q"), part("k"), part("v")},
                        {joined, widths}, {{"axis", int64_t{2}}});
  const std::vector<int64_t> perm = {0, 2, 1, 3};
  const Tensor query = SplitHeads(model, part("q"), part("q"), perm);
  const Tensor key = SplitHeads(model, part("k"), part("k"), perm);
  const Tensor value = SplitHeads(model, part("v"), part("v"), perm);
  const Tensor keys = Present(model, layer, "key", past.key, key);
  const Tensor values = Present(model, layer, "value", past.value, value);
  const Tensor keys_turned =
      model.Node("Transpose", part("keys"), {keys},
                 {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
  Tensor scores = model.Node("MatMul", part("scores"), {query, keys_turned});
  scores = model.Node("Div", part("scaled"), {scores, model.Constant(8.0f)});
  const Tensor causal =
      CausalMask(model, part("causal"), masks.causal, query, keys);
  scores = model.Node("Where", part("visible"),
                      {causal, scores, model.Constant(kMasked)});
  scores = model.Node("Add", part("masked"), {scores, masks.attention});
  const Tensor weights =
      model.Node("Softmax", part("weights"), {scores}, {{"axis", int64_t{-1}}});
  const Tensor context =
      model.Node("MatMul", part("context"), {weights, values});
  const Tensor merged = MergeHeads(model, part("context"), context);
  return Linear(model, part("proj"), merged, kHidden, kHidden);
}

Tensor Block(OnnxBuilder& model, int64_t layer, const Tensor& x,
             const Past& past, const Masks& masks) {
  const std::string name = absl::StrCat("h", layer);
  Tensor y = LayerNorm(model, absl::StrCat(name, ".ln_1"), x);
  y = SelfAttention(model, layer, y, past, masks);
  const Tensor attended =
      model.Node("Add", absl::StrCat(name, ".attended"), {y, x});
  y = LayerNorm(model, absl::StrCat(name, ".ln_2"), attended);
  y = Linear(model, absl::StrCat(name, ".up"), y, kHidden, kFeedForward);
  y = TanhGelu(model, absl::StrCat(name, ".gelu"), y);
  y = Linear(model, absl::StrCat(name, ".down"), y, kFeedForward, kHidden);
  return model.Node("Add", absl::StrCat(name, ".sum"), {attended, y});
}

Tensor PastInput(OnnxBuilder& model, int64_t layer, const std::string& which) {
  return model.Input(absl::StrCat("past_key_values.", layer, ".", which),
                     DataType::kFloat,
                     {"batch", kHeads, "past_sequence", kHeadSize});
}

}  // namespace

std::string Gpt2Decoder() {
  OnnxBuilder model("gpt2_decoder", 17);
  const Tensor ids =
      model.Input("input_ids", DataType::kInt64, {"batch", "sequence"});
  std::vector<Past> past;
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const Tensor key = PastInput(model, layer, "key");
    past.push_back({key, PastInput(model, layer, "value")});
  }
  const Tensor attention = model.Input("attention_mask", DataType::kInt64,
                                       {"batch", "total_sequence"});
  Tensor x = Embeddings(model, ids, past.front().key);
  // A buffer of the module; no parameter.
  Masks masks;
  masks.causal =
      model.Weight("causal", {1, 1, kPositions, kPositions}, DataType::kBool);
  masks.attention = MaskToScores(model, attention);
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    x = Block(model, layer, x, past[static_cast<size_t>(layer)], masks);
  }
  x = LayerNorm(model, "ln_f", x);
  // The transpose of wte.weight, which an exporter writes once more.
  const Tensor weight =
      model.Weight("lm_head.weight_of_wte", {kHidden, kVocabulary});
  x = model.Node("MatMul", "logits", {x, weight});
  model.Output(x, DataType::kFloat, {"batch", "sequence", kVocabulary});
  return model.Serialize();
}

}  // namespace memplan::models
