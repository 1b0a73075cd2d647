#ifndef MEMPLAN_MODELS_GENERATE_CONVOLUTION_H_
#define MEMPLAN_MODELS_GENERATE_CONVOLUTION_H_

#include <cstdint>
#include <string>

#include "models/generate/onnx_builder.h"

namespace memplan::models {

// Height and width, or what is added above and to the left.
struct Extent {
  int64_t height = 0;
  int64_t width = 0;
};

struct ConvShape {
  int64_t channels_in = 0;
  int64_t channels = 0;
  Extent kernel = {1, 1};
  int64_t stride = 1;
  Extent pad = {0, 0};  // on both sides
  int64_t groups = 1;   // channels_in: depthwise
};

// A square kernel, padded so that stride 1 keeps the image's size.
ConvShape SameConv(int64_t channels_in, int64_t channels, int64_t kernel,
                   int64_t stride);
// One 3x3 filter a channel.
ConvShape DepthwiseConv(int64_t channels, int64_t stride);

// A convolution with the bias that the folded batch normalisation left.
Tensor Conv(OnnxBuilder& model, const std::string& name, const Tensor& x,
            const ConvShape& shape);
Tensor ConvRelu(OnnxBuilder& model, const std::string& name, const Tensor& x,
                const ConvShape& shape);
// Relu6: an exporter writes a Clip.
Tensor ConvRelu6(OnnxBuilder& model, const std::string& name, const Tensor& x,
                 const ConvShape& shape);

// "MaxPool" or "AveragePool" with a square window.
Tensor Pool(OnnxBuilder& model, const std::string& op_type,
            const std::string& name, const Tensor& x, int64_t kernel,
            int64_t stride, int64_t pad);

// x [rows, features] times weight^T plus bias.
Tensor FullyConnected(OnnxBuilder& model, const std::string& weight_name,
                      const std::string& name, const Tensor& x,
                      int64_t features_in, int64_t features);

}  // namespace memplan::models

#endif  // MEMPLAN_MODELS_GENERATE_CONVOLUTION_H_
