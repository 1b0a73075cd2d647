#ifndef MEMPLAN_MODELS_GENERATE_ARCHITECTURES_H_
#define MEMPLAN_MODELS_GENERATE_ARCHITECTURES_H_

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

struct Architecture {
  std::string_view name;  // the file is `name`.onnx
  std::string (*generate)();
  bool in_repository;  // the file stands in models/
};

absl::Span<const Architecture> Architectures();

}  // namespace memplan::models

#endif  // MEMPLAN_MODELS_GENERATE_ARCHITECTURES_H_
