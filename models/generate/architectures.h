#ifndef MEMPLAN_MODELS_GENERATE_ARCHITECTURES_H_
#define MEMPLAN_MODELS_GENERATE_ARCHITECTURES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"

namespace memplan::models {

// Real architectures at full size, without weights. Each function returns the
// bytes of an ONNX model, as an exporter writes it: batch normalisation folded
// into the convolution before it, shape arithmetic left in.

// He et al., "Deep Residual Learning for Image Recognition", 2015, table 1;
// the stride of a bottleneck is at its 3x3 convolution, as torchvision has it.
std::string ResNet50();

// Howard et al., "MobileNets", 2017, table 1.
std::string MobileNetV1();

// Sandler et al., "MobileNetV2", 2018, table 2, as torchvision has it; the
// result is flattened by shape arithmetic.
std::string MobileNetV2();

// Szegedy et al., "Rethinking the Inception Architecture", 2015, as
// torchvision has it, without the auxiliary classifier.
std::string InceptionV3();

// Devlin et al., "BERT", 2018: the base encoder with 12 layers and the pooler,
// symbolic batch and sequence. As Hugging Face's BertModel is exported at
// opset 14: layer normalisation and Gelu in their parts.
std::string BertBase();
// The same with any number of layers, about 90 nodes each: to measure how cost
// grows with the model.
std::string BertEncoder(int64_t layers);

// Radford et al., "Language Models are Unsupervised Multitask Learners", 2019,
// the smallest model: one step of decoding with past keys and values. As
// Hugging Face's GPT2LMHeadModel is exported at opset 17.
std::string Gpt2Decoder();

struct Architecture {
  std::string_view name;  // the file is `name`.onnx
  std::string (*generate)();
  bool in_repository;  // the file stands in models/
};

absl::Span<const Architecture> Architectures();

}  // namespace memplan::models

#endif  // MEMPLAN_MODELS_GENERATE_ARCHITECTURES_H_
