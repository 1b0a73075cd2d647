#ifndef MEMPLAN_PLANNER_CHECKED_MATH_H_
#define MEMPLAN_PLANNER_CHECKED_MATH_H_

#include <cstdint>
#include <optional>

namespace memplan {

// Sums and products of byte counts. Unset where the result does not fit
// int64_t.
inline std::optional<int64_t> CheckedAdd(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

inline std::optional<int64_t> CheckedMul(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// How far `bytes` (>= 0) is above a multiple of `alignment` (> 0). Most are
// powers of two, for which a division would take ten times as long.
inline int64_t AboveMultiple(int64_t bytes, int64_t alignment) {
  const bool is_power_of_two = (alignment & (alignment - 1)) == 0;
  return is_power_of_two ? bytes & (alignment - 1) : bytes % alignment;
}

// The smallest multiple of `alignment` (> 0) that is at least `bytes` (>= 0).
inline std::optional<int64_t> CheckedAlignUp(int64_t bytes, int64_t alignment) {
  const int64_t rest = AboveMultiple(bytes, alignment);
  if (rest == 0) return bytes;
  return CheckedAdd(bytes, alignment - rest);
}

// The same where the caller knows that the result fits.
inline int64_t AlignUp(int64_t bytes, int64_t alignment) {
  const int64_t rest = AboveMultiple(bytes, alignment);
  return rest == 0 ? bytes : bytes + (alignment - rest);
}

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_CHECKED_MATH_H_
