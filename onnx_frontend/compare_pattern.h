#ifndef MEMPLAN_ONNX_FRONTEND_COMPARE_PATTERN_H_
#define MEMPLAN_ONNX_FRONTEND_COMPARE_PATTERN_H_

#include <string>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "planner/memory_pattern.h"

namespace memplan {

// What is wrong with a pattern, one line each, for people.
struct PatternFindings {
  std::vector<std::string> lines;
  // Some are about the graph itself, and hold whatever the order of the nodes
  // and whatever shares.
  bool in_graph = false;
  // Some are about lifespans, and hold in this order whatever shares.
  bool in_lifespans = false;
};

// Holds a pattern beside a plan that was made anew: every tensor there with its
// size and lifespan, and no tensor's bytes overwritten before their last
// reader. Offsets and sharing are the pattern's, all else is the plan's.
PatternFindings ComparePattern(const MemoryPattern& pattern, const Plan& plan);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_COMPARE_PATTERN_H_
