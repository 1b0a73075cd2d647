#include "planner/solvers/slots.h"

#include <algorithm>

#include "planner/bounds.h"

namespace memplan {

Slots MakeSlots(const Problem& problem) {
  std::vector<int64_t> begins;
  for (const Buffer& buffer : problem.buffers) {
    if (!CannotConflict(buffer)) begins.push_back(buffer.lifespan.begin);
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  const auto slot_of = [&](int64_t step) {
    return static_cast<int32_t>(
        std::lower_bound(begins.begin(), begins.end(), step) - begins.begin());
  };
  Slots slots;
  slots.count = static_cast<int32_t>(begins.size());
  slots.ranges.resize(problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (CannotConflict(buffer)) continue;
    slots.ranges[i] = {slot_of(buffer.lifespan.begin),
                       slot_of(buffer.lifespan.end)};
  }
  return slots;
}

}  // namespace memplan
