#ifndef MEMPLAN_TESTS_PLANNER_BRUTE_FORCE_H_
#define MEMPLAN_TESTS_PLANNER_BRUTE_FORCE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "planner/problem.h"

namespace memplan {

// Tries every offset of every buffer. For tiny numbers only.
inline bool FitsByBruteForce(const Problem& problem, int64_t height,
                             std::vector<int64_t>& offsets) {
  const size_t i = offsets.size();
  if (i == problem.buffers.size()) return true;
  const Buffer& buffer = problem.buffers[i];
  for (int64_t offset = 0; offset + buffer.size <= height;
       offset += buffer.alignment) {
    if (buffer.fixed_offset && *buffer.fixed_offset != offset) continue;
    bool is_free = true;
    for (size_t j = 0; j < i && is_free; ++j) {
      const Buffer& other = problem.buffers[j];
      is_free = !Overlaps(buffer.lifespan, other.lifespan) ||
                buffer.lifespan.begin == buffer.lifespan.end ||
                other.lifespan.begin == other.lifespan.end ||
                offset + buffer.size <= offsets[j] ||
                offsets[j] + other.size <= offset || buffer.size == 0 ||
                other.size == 0;
    }
    if (!is_free) continue;
    offsets.push_back(offset);
    if (FitsByBruteForce(problem, height, offsets)) return true;
    offsets.pop_back();
  }
  return false;
}

inline int64_t OptimumByBruteForce(const Problem& problem) {
  for (int64_t height = 0;; ++height) {
    std::vector<int64_t> offsets;
    if (FitsByBruteForce(problem, height, offsets)) return height;
  }
}

}  // namespace memplan

#endif  // MEMPLAN_TESTS_PLANNER_BRUTE_FORCE_H_
