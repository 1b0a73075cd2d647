// The model reader, and what embeds and strips: any bytes.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "onnx_frontend/embed.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = memplan::ReadModelFromBytes(bytes, "fuzz.onnx");
  if (model.ok()) (void)memplan::FingerprintModel(*model);
  const auto stripped = memplan::StripBytes(bytes);
  if (model.ok() && !model->is_text && !stripped.ok()) std::abort();
  if (!stripped.ok()) return 0;
  // Embedding does not change what is not ours.
  const auto embedded = memplan::EmbedInBytes(bytes, "record");
  if (!embedded.ok() || *memplan::StripBytes(*embedded) != *stripped) {
    std::abort();
  }
  const auto again = memplan::ReadModelFromBytes(*embedded, "fuzz.onnx");
  if (again.ok() != model.ok()) std::abort();
  if (again.ok() && (again->embedded_records.size() != 1 ||
                     memplan::FingerprintModel(*again) !=
                         memplan::FingerprintModel(*model))) {
    std::abort();
  }
  return 0;
}
