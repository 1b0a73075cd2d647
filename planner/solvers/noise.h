#ifndef MEMPLAN_PLANNER_SOLVERS_NOISE_H_
#define MEMPLAN_PLANNER_SOLVERS_NOISE_H_

#include <cstdint>

namespace memplan {

// Numbers that look random and are the same on every machine (splitmix64).
inline uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// A number from [0, 1).
inline double Noise(uint64_t x) {
  return static_cast<double>(Mix(x) >> 11) / 9007199254740992.0;
}

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_NOISE_H_
