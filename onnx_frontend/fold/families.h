#ifndef MEMPLAN_ONNX_FRONTEND_FOLD_FAMILIES_H_
#define MEMPLAN_ONNX_FRONTEND_FOLD_FAMILIES_H_

#include "absl/types/span.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {

// One function a family file; fold_table.cc joins them. What an operator means
// is in the specification's Operators.md under its name; the evaluators name
// only what is not there.
absl::Span<const EvaluatorRow> ArithmeticEvaluators();
absl::Span<const EvaluatorRow> CastEvaluators();
absl::Span<const EvaluatorRow> GatherEvaluators();
absl::Span<const EvaluatorRow> LogicEvaluators();
absl::Span<const EvaluatorRow> MakeEvaluators();
absl::Span<const EvaluatorRow> MoveEvaluators();
absl::Span<const EvaluatorRow> ReduceEvaluators();
absl::Span<const EvaluatorRow> ScatterEvaluators();
absl::Span<const EvaluatorRow> SearchEvaluators();
absl::Span<const EvaluatorRow> ShapeEvaluators();

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FOLD_FAMILIES_H_
