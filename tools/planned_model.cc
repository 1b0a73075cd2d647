#include "tools/planned_model.h"

#include <iostream>
#include <utility>

#include "absl/status/status.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/plan_for_file.h"
#include "planner/pattern_record.h"
#include "planner/printable.h"
#include "tools/capacity.h"
#include "tools/output_file.h"

namespace memplan {

absl::StatusOr<PlannedModel> PlanFromOptions(const ModelOptions& model,
                                             const SearchOptions& search) {
  PlannedModel planned;
  absl::StatusOr<PlanOptions> options = ToPlanOptions(model, search);
  if (!options.ok()) return options.status();
  planned.options = *std::move(options);
  absl::StatusOr<Model> read = absl::UnknownError("");
  if (model.model == "-") {
    absl::StatusOr<std::string> bytes = ReadInput("-");
    if (!bytes.ok()) return bytes.status();
    planned.stdin_bytes = *std::move(bytes);
    read = ReadModelFromBytes(planned.stdin_bytes, "standard input");
  } else {
    read = ReadModel(model.model);
  }
  if (!read.ok()) return read.status();
  planned.model = *std::move(read);
  absl::StatusOr<Plan> plan = PlanModel(planned.model, planned.options);
  if (!plan.ok()) return plan.status();
  planned.plan = *std::move(plan);
  for (const std::string& warning : planned.plan.warnings) Warn(warning);
  return planned;
}

ExitCode Judge(const PlannedModel& planned, bool require_complete) {
  const auto& capacity = planned.options.solve.capacity;
  if (capacity.has_value() && planned.plan.solved.feasible != true) {
    return FailForCapacity(*capacity, planned.plan.solved);
  }
  if (!require_complete) return ExitCode::kDone;
  for (const Value& value : planned.plan.graph.values) {
    if (value.size.has_value()) continue;
    std::cerr << "memplan: the plan is incomplete: tensor '"
              << Printable(value.name)
              << "': " << Printable(value.unplaced_reason) << "\n";
    return ExitCode::kIncomplete;
  }
  return ExitCode::kDone;
}

absl::Status FitFile(PlannedModel& planned) {
  absl::StatusOr<PlanForFile> fitted =
      FitFileToPlan(planned.model, planned.options, std::move(planned.plan));
  if (!fitted.ok()) return fitted.status();
  planned.model = std::move(fitted->model);
  planned.plan = std::move(fitted->plan);
  planned.orders = std::move(fitted->orders);
  return absl::OkStatus();
}

absl::StatusOr<std::string> RecordOf(const PlannedModel& planned,
                                     bool keep_others) {
  PatternRecord record;
  record.fingerprint = FingerprintModel(planned.model);
  for (const std::string& carried : planned.model.embedded_records) {
    if (!keep_others) break;
    absl::StatusOr<PatternRecord> earlier = DecodeBase64Record(carried);
    if (!earlier.ok()) return earlier.status();
    if (!planned.orders.empty()) {
      return absl::FailedPreconditionError(
          "--add: the plans that the model carries are for the order that its "
          "nodes have now; plan with --order file, or without --add");
    }
    if (earlier->fingerprint != record.fingerprint) {
      return absl::FailedPreconditionError(
          "the plans that the model carries were made for another graph; "
          "without --add the new plan replaces them");
    }
    record.patterns = std::move(earlier->patterns);
  }
  AddPattern(planned.plan.pattern, record);
  return EncodeRecord(record);
}

absl::Status WriteEmbedded(const PlannedModel& planned,
                           const std::string& output, bool keep_others) {
  const absl::StatusOr<std::string> record = RecordOf(planned, keep_others);
  if (!record.ok()) return record.status();
  if (!planned.stdin_bytes.empty()) {
    const absl::StatusOr<std::string> bytes =
        EmbedInBytes(planned.stdin_bytes, *record, planned.orders);
    return bytes.ok() ? WriteOutput(output, *bytes) : bytes.status();
  }
  const absl::StatusOr<EmbedResult> result =
      EmbedRecord(planned.model.path, output, *record, planned.orders);
  if (!result.ok()) return result.status();
  for (const std::string& warning : result->warnings) Warn(warning);
  return absl::OkStatus();
}

}  // namespace memplan
