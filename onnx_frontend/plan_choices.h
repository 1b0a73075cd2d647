#ifndef MEMPLAN_ONNX_FRONTEND_PLAN_CHOICES_H_
#define MEMPLAN_ONNX_FRONTEND_PLAN_CHOICES_H_

#include "absl/status/status.h"
#include "onnx_frontend/plan_model.h"

namespace memplan {

// The options with what follows from others filled in: a runtime that is to be
// followed brings its own order, alignment and solver.
PlanOptions Completed(PlanOptions options);

// Fills in plan.schedule (and plan.order), from plan.graph.
absl::Status ChooseOrder(const PlanOptions& options, Plan& plan);

// Fills in plan.lifespans and plan.storage, from plan.timeline. May add sharing
// rules to plan.graph: those of the runtime's kernels.
absl::Status ChooseStorage(const PlanOptions& options, Plan& plan);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_PLAN_CHOICES_H_
