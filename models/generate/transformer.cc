#include "models/generate/transformer.h"

#include "absl/strings/str_cat.h"
#include "models/generate/shape_arithmetic.h"

namespace memplan::models {

Tensor MaskToScores(OnnxBuilder& model, const Tensor& mask) {
  Tensor x = model.Node("Unsqueeze", "mask.row",
                        {mask, model.Constant(std::vector<int64_t>{1})});
  x = model.Node("Unsqueeze", "mask.head",
                 {x, model.Constant(std::vector<int64_t>{2})});
  x = model.Node("Cast", "mask.float", {x}, {{"to", int64_t{1}}});
  x = model.Node("Sub", "mask.inverted", {model.Constant(1.0f), x});
  return model.Node("Mul", "mask.scores", {x, model.Constant(kMasked)});
}

Tensor SplitHeads(OnnxBuilder& model, const std::string& name, const Tensor& x,
                  const std::vector<int64_t>& perm) {
  const Tensor batch = DimensionOf(model, name, x, 0);
  const Tensor sequence = DimensionOf(model, name, x, 1);
  const Tensor heads = Reshape(model, absl::StrCat(name, ".heads"), x,
                               {batch, sequence, kHeads, kHeadSize});
  return model.Node("Transpose", absl::StrCat(name, ".turned"), {heads},
                    {{"perm", perm}});
}

Tensor MergeHeads(OnnxBuilder& model, const std::string& name,
                  const Tensor& x) {
  const Tensor turned =
      model.Node("Transpose", absl::StrCat(name, ".turned"), {x},
                 {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
  const Tensor batch = DimensionOf(model, name, turned, 0);
  const Tensor sequence = DimensionOf(model, name, turned, 1);
  return Reshape(model, absl::StrCat(name, ".merged"), turned,
                 {batch, sequence, kHidden});
}

}  // namespace memplan::models
