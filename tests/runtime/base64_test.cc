#include "runtime/example/base64.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"

namespace memplan {
namespace {

bool Decode(std::string text, std::string& bytes) {
  size_t size = 0;
  if (base64_decode(reinterpret_cast<uint8_t*>(text.data()), text.size(),
                    &size) == 0) {
    return false;
  }
  bytes = text.substr(0, size);
  return true;
}

TEST(Base64Test, DecodesWhatTheHostEncodes) {
  std::string bytes, decoded, base64;
  for (int i = 0; i < 300; ++i) {
    absl::Base64Escape(bytes, &base64);
    ASSERT_TRUE(Decode(base64, decoded)) << base64;
    EXPECT_EQ(decoded, bytes);
    bytes.push_back(static_cast<char>(i * 37));
  }
}

TEST(Base64Test, RefusesWhatIsNoBase64) {
  std::string decoded;
  for (const char* text : {"A", "AB", "ABC", "A===", "AB=C",
                           "====", "AB CD===", "AB-_", "AAAA=", "=AAA"}) {
    EXPECT_FALSE(Decode(text, decoded)) << text;
  }
}

}  // namespace
}  // namespace memplan
