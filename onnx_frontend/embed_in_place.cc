#include "onnx_frontend/embed_in_place.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_frontend/own_fields.h"

namespace memplan {
namespace {

constexpr int64_t kPage = 4096;
constexpr char kMore = '\x80';  // of a varint's byte: another one follows

// The digits of the field's length, base 128, lowest first.
std::vector<char> LengthDigits(std::string_view field) {
  std::vector<char> digits;
  do {
    digits.push_back(field[1 + digits.size()]);
  } while ((digits.back() & kMore) != 0);
  for (char& digit : digits) digit = static_cast<char>(digit & 0x7f);
  return digits;
}

// A field of zeros, `size` bytes with its header; 2 <= size <= 2^14.
std::string ZeroField(int64_t size) {
  std::string bytes = {kReservedTag};
  if (size - 2 < 128) {
    bytes.push_back(static_cast<char>(size - 2));
  } else {
    bytes.push_back(static_cast<char>(((size - 3) & 0x7f) | 0x80));
    bytes.push_back(static_cast<char>((size - 3) >> 7));
  }
  bytes.resize(static_cast<size_t>(size));
  return bytes;
}

// Fills [begin, end) with fields that end with their page where they can. A
// field has two bytes at least, so no single byte may be left over.
void GrowTo(int64_t begin, int64_t end, std::vector<FileWrite>& writes) {
  while (begin < end) {
    int64_t piece_end = std::min(end, (begin / kPage + 1) * kPage);
    piece_end = std::max(piece_end, begin + 2);
    if (end - piece_end == 1) piece_end = end;
    writes.push_back({begin, ZeroField(piece_end - begin), false});
    begin = piece_end;
  }
}

}  // namespace

std::vector<FileWrite> PlanAppend(int64_t file_size, std::string_view field) {
  std::vector<FileWrite> writes;
  const std::vector<char> digits = LengthDigits(field);
  const auto header = static_cast<int64_t>(1 + digits.size());
  const std::string_view payload = field.substr(1 + digits.size());

  std::string first = {kReservedTag};
  first.push_back(digits[0]);
  for (size_t i = 1; i < digits.size(); ++i) {
    first.back() = static_cast<char>(first.back() | kMore);
    first.push_back('\0');
  }
  first += payload.substr(0, static_cast<size_t>(digits[0]));
  writes.push_back({file_size, first, false});

  int64_t joined = file_size + header + digits[0];
  int64_t weight = 1;
  for (size_t i = 1; i < digits.size(); ++i) {
    weight *= 128;
    const int64_t next = joined + digits[i] * weight;
    GrowTo(joined, next, writes);
    joined = next;
  }

  bool after_sync = true;
  for (size_t i = 1; i < digits.size(); ++i) {
    const char more = i + 1 < digits.size() ? kMore : '\0';
    const auto at = file_size + 1 + static_cast<int64_t>(i);
    const std::string byte(1, static_cast<char>(digits[i] | more));
    if (byte[0] == first[1 + i]) continue;
    writes.push_back({at, byte, after_sync});
    after_sync = false;
  }
  writes.push_back({file_size + header, std::string(payload), true});
  writes.push_back({file_size, std::string(1, kMetadataTag), true});
  return writes;
}

}  // namespace memplan
