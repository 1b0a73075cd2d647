#include "models/generate/shape_arithmetic.h"

#include "absl/strings/str_cat.h"

namespace memplan::models {

Tensor DimensionOf(OnnxBuilder& model, const std::string& name, const Tensor& x,
                   int64_t axis) {
  const Tensor shape =
      model.Node("Shape", absl::StrCat(name, ".shape", axis), {x});
  const Tensor index = model.Constant(axis);
  return model.Node("Gather", absl::StrCat(name, ".size", axis), {shape, index},
                    {{"axis", int64_t{0}}});
}

Tensor Reshape(OnnxBuilder& model, const std::string& name, const Tensor& x,
               const std::vector<TargetDimension>& target) {
  std::vector<Tensor> parts;
  for (const TargetDimension& dimension : target) {
    if (const auto* number = std::get_if<int64_t>(&dimension)) {
      parts.push_back(model.Constant(std::vector<int64_t>{*number}));
      continue;
    }
    const Tensor axes = model.Constant(std::vector<int64_t>{0});
    parts.push_back(model.Node("Unsqueeze",
                               absl::StrCat(name, ".d", parts.size()),
                               {std::get<Tensor>(dimension), axes}));
  }
  const Tensor shape = model.Node("Concat", absl::StrCat(name, ".to"), parts,
                                  {{"axis", int64_t{0}}});
  return model.Node("Reshape", name, {x, shape});
}

}  // namespace memplan::models
