#include "models/generate/architectures.h"

namespace memplan::models {

absl::Span<const Architecture> Architectures() {
  static constexpr Architecture kArchitectures[] = {
      {"resnet50", ResNet50, true},
      {"mobilenet_v2", MobileNetV2, true},
      {"bert_base", BertBase, true},
      {"gpt2_decoder", Gpt2Decoder, true},
      {"mobilenet_v1", MobileNetV1, false},
      {"inception_v3", InceptionV3, false},
  };
  return kArchitectures;
}

}  // namespace memplan::models
