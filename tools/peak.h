#ifndef MEMPLAN_TOOLS_PEAK_H_
#define MEMPLAN_TOOLS_PEAK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "planner/problem.h"

namespace memplan {

// The first step at which the most bytes are live.
struct Peak {
  int64_t step = 0;
  int64_t bytes = 0;
  std::vector<size_t> live;  // buffers, the largest first
};

// O(n log n).
Peak FindPeak(const Problem& problem);

// The innermost node that runs at this step: "Conv node 'conv_3'"; "" where
// there is none.
std::string NodeAt(const Plan& plan, int64_t step);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_PEAK_H_
