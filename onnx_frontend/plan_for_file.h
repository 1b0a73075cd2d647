#ifndef MEMPLAN_ONNX_FRONTEND_PLAN_FOR_FILE_H_
#define MEMPLAN_ONNX_FRONTEND_PLAN_FOR_FILE_H_

#include "absl/status/statusor.h"
#include "onnx_frontend/file_orders.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"

namespace memplan {

// A plan that fits the file which it is written into.
struct PlanForFile {
  Model model;        // as the written file reads
  FileOrders orders;  // that the file is to be written in; empty: as it is
  Plan plan;          // of `model`, in the order of its file
};

// Where `plan` (of `model`, with `options`) runs the nodes in another order
// than the file lists them, the file must change for the plan to hold: the
// model with its nodes in that order, planned again, since scopes count nodes.
// Inside a function's call the file's order cannot change; where an order for
// memory lives of that, and the file needs less as it is, it stays as it is. A
// plan that follows a runtime has that runtime's order, whatever the file's,
// and is returned as it was.
absl::StatusOr<PlanForFile> FitFileToPlan(const Model& model,
                                          const PlanOptions& options,
                                          Plan plan);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_PLAN_FOR_FILE_H_
