// The device's base64 decoder beside Abseil's, and records as models hold them.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/escaping.h"
#include "planner/pattern_record.h"
#include "runtime/example/base64.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  (void)memplan::DecodeBase64Record(text);
  std::string expected;
  const bool abseil_takes_it = absl::Base64Unescape(text, &expected);
  std::string decoded = text;
  size_t length = 0;
  if (base64_decode(reinterpret_cast<uint8_t*>(decoded.data()), size,
                    &length) != 0) {
    // Abseil also minds bits that stand for nothing; what both take is equal.
    decoded.resize(length);
    if (abseil_takes_it && decoded != expected) std::abort();
  }
  std::string base64;
  absl::Base64Escape(text, &base64);
  if (base64_decode(reinterpret_cast<uint8_t*>(base64.data()), base64.size(),
                    &length) == 0 ||
      base64.substr(0, length) != text) {
    std::abort();
  }
  return 0;
}
