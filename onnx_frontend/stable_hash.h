#ifndef MEMPLAN_ONNX_FRONTEND_STABLE_HASH_H_
#define MEMPLAN_ONNX_FRONTEND_STABLE_HASH_H_

#include <cstdint>
#include <string_view>

#include "absl/numeric/int128.h"

namespace memplan {

// FNV-1a with 128 bits (Fowler, Noll, Vo): the same on every machine and in
// every version, unlike absl::Hash. Tells changes apart, not attackers.
class StableHash {
 public:
  void Number(int64_t value) {
    auto rest = static_cast<uint64_t>(value);
    for (int i = 0; i < 8; ++i, rest >>= 8) {
      Byte(static_cast<uint8_t>(rest & 0xff));
    }
  }
  // With its length, so that ("ab", "c") is not ("a", "bc").
  void Text(std::string_view text) {
    Number(static_cast<int64_t>(text.size()));
    for (const char c : text) Byte(static_cast<uint8_t>(c));
  }

  uint64_t high() const { return absl::Uint128High64(state_); }
  uint64_t low() const { return absl::Uint128Low64(state_); }

 private:
  static constexpr absl::uint128 kBasis =
      absl::MakeUint128(0x6c62272e07bb0142, 0x62b821756295c58d);
  static constexpr absl::uint128 kPrime = absl::MakeUint128(1 << 24, 0x13b);

  void Byte(uint8_t byte) {
    state_ ^= byte;
    state_ *= kPrime;
  }

  absl::uint128 state_ = kBasis;
};

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_STABLE_HASH_H_
