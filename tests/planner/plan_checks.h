#ifndef MEMPLAN_TESTS_PLANNER_PLAN_CHECKS_H_
#define MEMPLAN_TESTS_PLANNER_PLAN_CHECKS_H_

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "planner/problem.h"

namespace memplan {

// What is wrong with a plan, "" if nothing is. Every pair is looked at: slow
// and plain, so that tests need not trust the verifier.
inline std::string WhatIsWrong(const Problem& problem,
                               const Solution& solution) {
  const auto& buffers = problem.buffers;
  if (solution.offsets.size() != buffers.size()) return "number of offsets";
  int64_t arena_size = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const std::string at = absl::StrCat(" of buffer ", i);
    const int64_t offset = solution.offsets[i];
    if (offset < 0) return "negative offset" + at;
    if (offset % buffers[i].alignment != 0) return "alignment" + at;
    if (buffers[i].fixed_offset && *buffers[i].fixed_offset != offset) {
      return "fixed offset" + at;
    }
    arena_size = std::max(arena_size, offset + buffers[i].size);
  }
  if (arena_size != solution.arena_size) return "arena size";
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].lifespan.begin == buffers[i].lifespan.end) continue;
    for (size_t j = 0; j < i; ++j) {
      if (buffers[j].lifespan.begin == buffers[j].lifespan.end) continue;
      if (!Overlaps(buffers[i].lifespan, buffers[j].lifespan)) continue;
      if (solution.offsets[i] + buffers[i].size <= solution.offsets[j])
        continue;
      if (solution.offsets[j] + buffers[j].size <= solution.offsets[i])
        continue;
      if (buffers[i].size == 0 || buffers[j].size == 0) continue;
      return absl::StrCat("buffers ", j, " and ", i, " overlap");
    }
  }
  return "";
}

}  // namespace memplan

#endif  // MEMPLAN_TESTS_PLANNER_PLAN_CHECKS_H_
