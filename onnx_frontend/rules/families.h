#ifndef MEMPLAN_ONNX_FRONTEND_RULES_FAMILIES_H_
#define MEMPLAN_ONNX_FRONTEND_RULES_FAMILIES_H_

#include "absl/types/span.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {

// One function a family file; rule_table.cc joins them.

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULES_FAMILIES_H_
