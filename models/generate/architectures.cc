#include "models/generate/architectures.h"

namespace memplan::models {

absl::Span<const Architecture> Architectures() {
  static constexpr Architecture kArchitectures[] = {
      {"resnet50", ResNet50, true},
  };
  return kArchitectures;
}

}  // namespace memplan::models
