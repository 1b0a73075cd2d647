#ifndef MEMPLAN_TOOLS_PLANNED_MODEL_H_
#define MEMPLAN_TOOLS_PLANNED_MODEL_H_

#include <string>

#include "absl/status/statusor.h"
#include "onnx_frontend/file_orders.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tools/exit_code.h"
#include "tools/model_options.h"

namespace memplan {

// A model with its plan, and what was asked for.
struct PlannedModel {
  Model model;
  std::string stdin_bytes;  // the file, where it came from standard input
  PlanOptions options;
  Plan plan;
  FileOrders orders;  // that the model is to be written in
};

// Reads and plans the model of the options; warnings go to stderr.
absl::StatusOr<PlannedModel> PlanFromOptions(const ModelOptions& model,
                                             const SearchOptions& search);

// Says on stderr, with the exit code, why a plan that is right is still not
// what the user asked for: over the capacity, or with `require_complete` with a
// tensor of unknown size.
ExitCode Judge(const PlannedModel& planned, bool require_complete);

// The plan as the record that a model carries. With `keep_others`, the plans
// that it has for other input shapes stay; an error (FailedPrecondition) where
// they were made for another graph.
absl::StatusOr<std::string> RecordOf(const PlannedModel& planned,
                                     bool keep_others);

// Makes it the plan for the file in the plan's order (FitFileToPlan): to be
// called before a plan is reported and then written into the model.
absl::Status FitFile(PlannedModel& planned);

// Writes the model with the record in it to `output` ("-" is stdout).
absl::Status WriteEmbedded(const PlannedModel& planned,
                           const std::string& output, bool keep_others);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_PLANNED_MODEL_H_
