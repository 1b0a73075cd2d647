// Text models. The parser is ONNX's; what is ours is what it is spared.
#include <cstdint>
#include <string_view>

#include "onnx_frontend/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)memplan::ReadModelFromBytes(
      std::string_view(reinterpret_cast<const char*>(data), size),
      "fuzz.onnxtxt");
  return 0;
}
