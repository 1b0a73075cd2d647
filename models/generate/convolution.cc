#include "models/generate/convolution.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace memplan::models {

ConvShape SameConv(int64_t channels_in, int64_t channels, int64_t kernel,
                   int64_t stride) {
  return {.channels_in = channels_in,
          .channels = channels,
          .kernel = {kernel, kernel},
          .stride = stride,
          .pad = {kernel / 2, kernel / 2}};
}

ConvShape DepthwiseConv(int64_t channels, int64_t stride) {
  ConvShape shape = SameConv(channels, channels, 3, stride);
  shape.groups = channels;
  return shape;
}

Tensor Conv(OnnxBuilder& model, const std::string& name, const Tensor& x,
            const ConvShape& shape) {
  const auto& [height, width] = shape.kernel;
  const Tensor weight = model.Weight(
      absl::StrCat(name, ".weight"),
      {shape.channels, shape.channels_in / shape.groups, height, width});
  const Tensor bias =
      model.Weight(absl::StrCat(name, ".bias"), {shape.channels});
  return model.Node(
      "Conv", name, {x, weight, bias},
      {{"dilations", std::vector<int64_t>{1, 1}},
       {"group", shape.groups},
       {"kernel_shape", std::vector<int64_t>{height, width}},
       {"pads", std::vector<int64_t>{shape.pad.height, shape.pad.width,
                                     shape.pad.height, shape.pad.width}},
       {"strides", std::vector<int64_t>{shape.stride, shape.stride}}});
}

Tensor ConvRelu(OnnxBuilder& model, const std::string& name, const Tensor& x,
                const ConvShape& shape) {
  const Tensor conv = Conv(model, name, x, shape);
  return model.Node("Relu", absl::StrCat(name, ".relu"), {conv});
}

Tensor ConvRelu6(OnnxBuilder& model, const std::string& name, const Tensor& x,
                 const ConvShape& shape) {
  const Tensor conv = Conv(model, name, x, shape);
  const Tensor low = model.Constant(0.0f);
  const Tensor high = model.Constant(6.0f);
  return model.Node("Clip", absl::StrCat(name, ".clip"), {conv, low, high});
}

Tensor Pool(OnnxBuilder& model, const std::string& op_type,
            const std::string& name, const Tensor& x, int64_t kernel,
            int64_t stride, int64_t pad) {
  return model.Node(op_type, name, {x},
                    {{"ceil_mode", int64_t{0}},
                     {"kernel_shape", std::vector<int64_t>{kernel, kernel}},
                     {"pads", std::vector<int64_t>{pad, pad, pad, pad}},
                     {"strides", std::vector<int64_t>{stride, stride}}});
}

Tensor FullyConnected(OnnxBuilder& model, const std::string& weight_name,
                      const std::string& name, const Tensor& x,
                      int64_t features_in, int64_t features) {
  const Tensor weight = model.Weight(absl::StrCat(weight_name, ".weight"),
                                     {features, features_in});
  const Tensor bias =
      model.Weight(absl::StrCat(weight_name, ".bias"), {features});
  return model.Node("Gemm", name, {x, weight, bias},
                    {{"alpha", 1.0f}, {"beta", 1.0f}, {"transB", int64_t{1}}});
}

}  // namespace memplan::models
