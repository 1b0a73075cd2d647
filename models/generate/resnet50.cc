#include "absl/strings/str_cat.h"
#include "models/generate/architectures.h"
#include "models/generate/convolution.h"
#include "models/generate/onnx_builder.h"

namespace memplan::models {
namespace {

// 1x1 down, 3x3, 1x1 up to four times the width, and the shortcut: x itself,
// or its projection where the shape changes.
Tensor Bottleneck(OnnxBuilder& model, const std::string& name, const Tensor& x,
                  int64_t channels_in, int64_t width, int64_t stride) {
  const int64_t channels = 4 * width;
  Tensor y = ConvRelu(model, absl::StrCat(name, ".conv1"), x,
                      SameConv(channels_in, width, 1, 1));
  y = ConvRelu(model, absl::StrCat(name, ".conv2"), y,
               SameConv(width, width, 3, stride));
  y = Conv(model, absl::StrCat(name, ".conv3"), y,
           SameConv(width, channels, 1, 1));
  Tensor shortcut = x;
  if (channels_in != channels) {
    shortcut = Conv(model, absl::StrCat(name, ".downsample"), x,
                    SameConv(channels_in, channels, 1, stride));
  }
  y = model.Node("Add", absl::StrCat(name, ".add"), {y, shortcut});
  return model.Node("Relu", absl::StrCat(name, ".relu"), {y});
}

}  // namespace

std::string ResNet50() {
  constexpr int64_t kBlocks[] = {3, 4, 6, 3};
  OnnxBuilder model("resnet50", 17);
  Tensor x = model.Input("input", DataType::kFloat, {1, 3, 224, 224});
  x = ConvRelu(model, "conv1", x, SameConv(3, 64, 7, 2));
  x = Pool(model, "MaxPool", "maxpool", x, 3, 2, 1);
  int64_t channels = 64;
  for (int64_t layer = 0; layer < 4; ++layer) {
    const int64_t width = int64_t{64} << layer;
    for (int64_t block = 0; block < kBlocks[layer]; ++block) {
      const int64_t stride = layer > 0 && block == 0 ? 2 : 1;
      x = Bottleneck(model, absl::StrCat("layer", layer + 1, ".", block), x,
                     channels, width, stride);
      channels = 4 * width;
    }
  }
  x = model.Node("GlobalAveragePool", "avgpool", {x});
  x = model.Node("Flatten", "flatten", {x}, {{"axis", int64_t{1}}});
  x = FullyConnected(model, "fc", "output", x, channels, 1000);
  model.Output(x, DataType::kFloat, {1, 1000});
  return model.Serialize();
}

}  // namespace memplan::models
