#include <vector>

#include "absl/strings/str_cat.h"
#include "models/generate/architectures.h"
#include "models/generate/onnx_builder.h"
#include "models/generate/shape_arithmetic.h"
#include "models/generate/transformer.h"

namespace memplan::models {
namespace {

constexpr int64_t kVocabulary = 30522;
constexpr int64_t kPositions = 512;
constexpr int64_t kTokenTypes = 2;

// (x - mean) / sqrt(variance + epsilon) * weight + bias, as it is exported
// below opset 17.
Tensor LayerNorm(OnnxBuilder& model, const std::string& name, const Tensor& x) {
  const auto node = [&](const char* op_type, const char* part,
                        const std::vector<Tensor>& inputs,
                        const std::vector<Attribute>& attributes = {}) {
    return model.Node(op_type, absl::StrCat(name, ".", part), inputs,
                      attributes);
  };
  const Attribute last_axis = {"axes", std::vector<int64_t>{-1}};
  const Tensor mean = node("ReduceMean", "mean", {x}, {last_axis});
  const Tensor centred = node("Sub", "centred", {x, mean});
  const Tensor squared =
      node("Pow", "squared", {centred, model.Constant(2.0f)});
  const Tensor variance =
      node("ReduceMean", "variance", {squared}, {last_axis});
  const Tensor stable =
      node("Add", "stable", {variance, model.Constant(1e-12f)});
  const Tensor deviation = node("Sqrt", "deviation", {stable});
  const Tensor normal = node("Div", "normal", {centred, deviation});
  const Tensor weight = model.Weight(absl::StrCat(name, ".weight"), {kHidden});
  const Tensor bias = model.Weight(absl::StrCat(name, ".bias"), {kHidden});
  const Tensor scaled = node("Mul", "scaled", {normal, weight});
  return node("Add", "output", {scaled, bias});
}

Tensor Linear(OnnxBuilder& model, const std::string& name, const Tensor& x,
              int64_t features_in, int64_t features) {
  const Tensor weight =
      model.Weight(absl::StrCat(name, ".weight"), {features_in, features});
  const Tensor bias = model.Weight(absl::StrCat(name, ".bias"), {features});
  const Tensor product =
      model.Node("MatMul", absl::StrCat(name, ".dot"), {x, weight});
  return model.Node("Add", name, {bias, product});
}

// x / 2 * (1 + erf(x / sqrt(2))).
Tensor Gelu(OnnxBuilder& model, const std::string& name, const Tensor& x) {
  const auto node = [&](const char* op_type, const char* part,
                        const std::vector<Tensor>& inputs) {
    return model.Node(op_type, absl::StrCat(name, ".", part), inputs);
  };
  const Tensor scaled =
      node("Div", "scaled", {x, model.Constant(1.4142135623730951f)});
  const Tensor erf = node("Erf", "erf", {scaled});
  const Tensor plus_one = node("Add", "plus_one", {erf, model.Constant(1.0f)});
  const Tensor product = node("Mul", "product", {x, plus_one});
  return node("Mul", "output", {product, model.Constant(0.5f)});
}

Tensor Embeddings(OnnxBuilder& model, const Tensor& ids, const Tensor& types) {
  const Tensor words = model.Weight("embeddings.words", {kVocabulary, kHidden});
  const Tensor type_rows =
      model.Weight("embeddings.token_types", {kTokenTypes, kHidden});
  const Tensor position_rows =
      model.Weight("embeddings.positions", {kPositions, kHidden});
  // A buffer of the module, 0 to 511; no parameter.
  const Tensor all_positions = model.Weight("embeddings.position_ids",
                                            {1, kPositions}, DataType::kInt64);
  const Tensor sequence = DimensionOf(model, "ids", ids, 1);
  const Tensor zero = model.Constant(std::vector<int64_t>{0});
  const Tensor one = model.Constant(std::vector<int64_t>{1});
  const Tensor end = model.Node("Unsqueeze", "positions.end", {sequence, zero});
  const Tensor positions =
      model.Node("Slice", "positions", {all_positions, zero, end, one, one});
  const Tensor word = model.Node("Gather", "embedded.word", {words, ids});
  const Tensor type = model.Node("Gather", "embedded.type", {type_rows, types});
  const Tensor both = model.Node("Add", "embedded.both", {word, type});
  const Tensor position =
      model.Node("Gather", "embedded.position", {position_rows, positions});
  const Tensor sum = model.Node("Add", "embedded.sum", {both, position});
  return LayerNorm(model, "embedded.norm", sum);
}

Tensor SelfAttention(OnnxBuilder& model, const std::string& name,
                     const Tensor& x, const Tensor& mask) {
  const auto part = [&](const char* suffix) {
    return absl::StrCat(name, ".", suffix);
  };
  const Tensor query = Linear(model, part("q"), x, kHidden, kHidden);
  Tensor key = Linear(model, part("k"), x, kHidden, kHidden);
  key = SplitHeads(model, part("k"), key, {0, 2, 3, 1});
  Tensor value = Linear(model, part("v"), x, kHidden, kHidden);
  value = SplitHeads(model, part("v"), value, {0, 2, 1, 3});
  const Tensor queries = SplitHeads(model, part("q"), query, {0, 2, 1, 3});
  Tensor scores = model.Node("MatMul", part("scores"), {queries, key});
  scores = model.Node("Div", part("scaled"), {scores, model.Constant(8.0f)});
  scores = model.Node("Add", part("masked"), {scores, mask});
  const Tensor weights =
      model.Node("Softmax", part("weights"), {scores}, {{"axis", int64_t{-1}}});
  const Tensor context =
      model.Node("MatMul", part("context"), {weights, value});
  return MergeHeads(model, part("context"), context);
}

Tensor Layer(OnnxBuilder& model, int64_t index, const Tensor& x,
             const Tensor& mask) {
  const std::string name = absl::StrCat("l", index);
  Tensor y = SelfAttention(model, name, x, mask);
  y = Linear(model, absl::StrCat(name, ".out"), y, kHidden, kHidden);
  y = model.Node("Add", absl::StrCat(name, ".attended"), {y, x});
  const Tensor attended = LayerNorm(model, absl::StrCat(name, ".norm1"), y);
  y = Linear(model, absl::StrCat(name, ".up"), attended, kHidden, kFeedForward);
  y = Gelu(model, absl::StrCat(name, ".gelu"), y);
  y = Linear(model, absl::StrCat(name, ".down"), y, kFeedForward, kHidden);
  y = model.Node("Add", absl::StrCat(name, ".sum"), {y, attended});
  return LayerNorm(model, absl::StrCat(name, ".norm2"), y);
}

}  // namespace

std::string BertBase() { return BertEncoder(kLayers); }

std::string BertEncoder(int64_t layers) {
  OnnxBuilder model("bert_base", 14);
  const Dimensions tokens = {"batch", "sequence"};
  const Tensor ids = model.Input("input_ids", DataType::kInt64, tokens);
  const Tensor attention =
      model.Input("attention_mask", DataType::kInt64, tokens);
  const Tensor types = model.Input("token_type_ids", DataType::kInt64, tokens);
  const Tensor mask = MaskToScores(model, attention);
  Tensor x = Embeddings(model, ids, types);
  for (int64_t layer = 0; layer < layers; ++layer) {
    x = Layer(model, layer, x, mask);
  }
  const Tensor hidden = model.Node("Identity", "last_hidden_state", {x});
  model.Output(hidden, DataType::kFloat, {"batch", "sequence", kHidden});
  const Tensor first =
      model.Node("Gather", "pooler.first", {x, model.Constant(int64_t{0})},
                 {{"axis", int64_t{1}}});
  const Tensor weight = model.Weight("pooler.weight", {kHidden, kHidden});
  const Tensor bias = model.Weight("pooler.bias", {kHidden});
  const Tensor dense =
      model.Node("Gemm", "pooler.dense", {first, weight, bias},
                 {{"alpha", 1.0f}, {"beta", 1.0f}, {"transB", int64_t{1}}});
  const Tensor pooled = model.Node("Tanh", "pooler_output", {dense});
  model.Output(pooled, DataType::kFloat, {"batch", kHidden});
  return model.Serialize();
}

}  // namespace memplan::models
