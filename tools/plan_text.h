#ifndef MEMPLAN_TOOLS_PLAN_TEXT_H_
#define MEMPLAN_TOOLS_PLAN_TEXT_H_

#include <string>

#include "onnx_frontend/plan_model.h"

namespace memplan {

// The plan for people: how large the arena is, how good that is, who is live
// where most bytes are, and what has no place and why.
std::string PlanText(const std::string& model_path, const Plan& plan);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_PLAN_TEXT_H_
