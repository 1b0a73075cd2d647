#ifndef MEMPLAN_PLANNER_CRC32_H_
#define MEMPLAN_PLANNER_CRC32_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memplan {

// CRC-32 as in IEEE 802.3, zip and PNG: reflected polynomial 0xEDB88320, start
// and final inversion. Its check value, of "123456789", is 0xCBF43926. To go on
// over a second piece, give the first one's result as `crc`.
inline uint32_t Crc32(std::string_view bytes, uint32_t crc = 0) {
  static constexpr auto kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) {
        value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
      }
      table[i] = value;
    }
    return table;
  }();
  crc = ~crc;
  for (const char c : bytes) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  }
  return ~crc;
}

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_CRC32_H_
