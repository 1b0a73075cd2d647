#ifndef MEMPLAN_MODELS_GENERATE_SHAPE_ARITHMETIC_H_
#define MEMPLAN_MODELS_GENERATE_SHAPE_ARITHMETIC_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/generate/onnx_builder.h"

namespace memplan::models {

// What PyTorch's exporter writes for x.size(axis): Shape, then Gather. The
// nodes' names begin with `name`.
Tensor DimensionOf(OnnxBuilder& model, const std::string& name, const Tensor& x,
                   int64_t axis);

// One dimension of a Reshape's target: a number, or a scalar of the graph.
using TargetDimension = std::variant<int64_t, Tensor>;

// What it writes for x.view(...): an Unsqueeze for each scalar, a Concat, and
// the Reshape, which is called `name`.
Tensor Reshape(OnnxBuilder& model, const std::string& name, const Tensor& x,
               const std::vector<TargetDimension>& target);

}  // namespace memplan::models

#endif  // MEMPLAN_MODELS_GENERATE_SHAPE_ARITHMETIC_H_
