#include "planner/printable.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace memplan {
namespace {

// The character that `text` begins with, and its bytes; length 0 where it is no
// UTF-8.
struct Character {
  uint32_t code = 0;
  size_t length = 0;
};

Character FirstCharacter(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  uint32_t code = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[length] || code > 0x10ffff || is_surrogate) return {};
  return {code, length};
}

bool IsHarmless(uint32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool turns_text = code == 0x061c || code == 0x200e || code == 0x200f ||
                          (code >= 0x2028 && code <= 0x202e) ||
                          (code >= 0x2066 && code <= 0x2069);
  return !is_control && !turns_text;
}

std::string Escaped(uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return code < 0x80 ? absl::StrFormat("\\x%02x", code)
                         : absl::StrFormat("\\u%04x", code);
  }
}

}  // namespace

std::string Printable(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const Character character = FirstCharacter(name);
    const size_t length = character.length == 0 ? 1 : character.length;
    if (character.length == 0) {
      absl::StrAppendFormat(&text, "\\x%02x", static_cast<uint8_t>(name[0]));
    } else if (IsHarmless(character.code)) {
      text += name.substr(0, length);
    } else {
      text += Escaped(character.code);
    }
    name.remove_prefix(length);
  }
  return text;
}

}  // namespace memplan
