#ifndef MEMPLAN_ONNX_FRONTEND_FOLD_FAMILIES_H_
#define MEMPLAN_ONNX_FRONTEND_FOLD_FAMILIES_H_

#include "absl/types/span.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {

// One function a family file; fold_table.cc joins them.
absl::Span<const EvaluatorRow> ShapeEvaluators();

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FOLD_FAMILIES_H_
