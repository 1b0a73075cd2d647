#include "absl/strings/str_cat.h"
#include "models/generate/architectures.h"
#include "models/generate/convolution.h"
#include "models/generate/onnx_builder.h"
#include "models/generate/shape_arithmetic.h"

namespace memplan::models {
namespace {

// Expand by 1x1, filter each channel, project by 1x1 without an activation;
// the shortcut where the shape stays.
Tensor InvertedResidual(OnnxBuilder& model, const std::string& name,
                        const Tensor& x, int64_t channels_in, int64_t channels,
                        int64_t stride, int64_t expansion) {
  const int64_t width = channels_in * expansion;
  Tensor y = x;
  int64_t index = 0;
  if (expansion != 1) {
    y = ConvRelu6(model, absl::StrCat(name, ".conv.", index++), y,
                  SameConv(channels_in, width, 1, 1));
  }
  y = ConvRelu6(model, absl::StrCat(name, ".conv.", index++), y,
                DepthwiseConv(width, stride));
  y = Conv(model, absl::StrCat(name, ".conv.", index), y,
           SameConv(width, channels, 1, 1));
  if (stride != 1 || channels_in != channels) return y;
  return model.Node("Add", absl::StrCat(name, ".add"), {x, y});
}

}  // namespace

std::string MobileNetV1() {
  struct Layer {
    int64_t channels, stride;
  };
  constexpr Layer kLayers[] = {
      {64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
      {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
  OnnxBuilder model("mobilenet_v1", 17);
  Tensor x = model.Input("input", DataType::kFloat, {1, 3, 224, 224});
  x = ConvRelu6(model, "conv0", x, SameConv(3, 32, 3, 2));
  int64_t channels = 32;
  int64_t index = 1;
  for (const Layer& layer : kLayers) {
    x = ConvRelu6(model, absl::StrCat("conv", index, ".depthwise"), x,
                  DepthwiseConv(channels, layer.stride));
    x = ConvRelu6(model, absl::StrCat("conv", index, ".pointwise"), x,
                  SameConv(channels, layer.channels, 1, 1));
    channels = layer.channels;
    ++index;
  }
  x = model.Node("GlobalAveragePool", "avgpool", {x});
  x = model.Node("Flatten", "flatten", {x}, {{"axis", int64_t{1}}});
  x = FullyConnected(model, "fc", "output", x, channels, 1000);
  model.Output(x, DataType::kFloat, {1, 1000});
  return model.Serialize();
}

std::string MobileNetV2() {
  struct Stage {
    int64_t expansion, channels, blocks, stride;  // t, c, n, s of the paper
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2},
                               {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2},
                               {6, 320, 1, 1}};
  OnnxBuilder model("mobilenet_v2", 17);
  Tensor x = model.Input("input", DataType::kFloat, {1, 3, 224, 224});
  x = ConvRelu6(model, "features.0", x, SameConv(3, 32, 3, 2));
  int64_t channels = 32;
  int64_t index = 1;
  for (const Stage& stage : kStages) {
    for (int64_t block = 0; block < stage.blocks; ++block) {
      x = InvertedResidual(model, absl::StrCat("features.", index++), x,
                           channels, stage.channels,
                           block == 0 ? stage.stride : 1, stage.expansion);
      channels = stage.channels;
    }
  }
  x = ConvRelu6(model, absl::StrCat("features.", index), x,
                SameConv(channels, 1280, 1, 1));
  x = model.Node("GlobalAveragePool", "avgpool", {x});
  const Tensor batch = DimensionOf(model, "avgpool", x, 0);
  x = Reshape(model, "flatten", x, {batch, int64_t{-1}});
  x = FullyConnected(model, "classifier.1", "output", x, 1280, 1000);
  model.Output(x, DataType::kFloat, {1, 1000});
  return model.Serialize();
}

}  // namespace memplan::models
