#ifndef MEMPLAN_ONNX_FRONTEND_COMPARE_PATTERN_H_
#define MEMPLAN_ONNX_FRONTEND_COMPARE_PATTERN_H_

#include <string>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "planner/memory_pattern.h"

namespace memplan {

// What is wrong with a pattern, one line each, for people, beside a plan that
// was made anew: every tensor there with its size and lifespan, and no tensor's
// bytes overwritten before their last reader. Offsets and sharing are the
// pattern's, all else is the plan's.
std::vector<std::string> ComparePattern(const MemoryPattern& pattern,
                                        const Plan& plan);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_COMPARE_PATTERN_H_
