#include <iostream>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "planner/usage_error.h"
#include "tools/capacity.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/json_report.h"
#include "tools/model_options.h"
#include "tools/output_file.h"
#include "tools/plan_csv.h"
#include "tools/plan_text.h"

namespace memplan {
namespace {

struct PlanArguments {
  ModelOptions model;
  SearchOptions search;
  bool require_complete = false;
  std::string json;
  std::string csv;
};

// Where the user sends several reports to stdout, they would be mixed up.
absl::Status CheckStdoutUse(const PlanArguments& arguments) {
  if (arguments.json == "-" && arguments.csv == "-") {
    return UsageError("--json - and --csv - both want standard output");
  }
  return absl::OkStatus();
}

absl::Status WriteReports(const PlanArguments& arguments, const Plan& plan) {
  if (!arguments.json.empty()) {
    const absl::Status status =
        WriteOutput(arguments.json, JsonText(PlanToJson(plan)));
    if (!status.ok()) return status;
  }
  if (!arguments.csv.empty()) {
    const absl::Status status = WriteOutput(arguments.csv, PlanCsv(plan));
    if (!status.ok()) return status;
  }
  if (arguments.json == "-" || arguments.csv == "-") return absl::OkStatus();
  return WriteOutput("-", PlanText(arguments.model.model, plan));
}

// Says why a plan that is right is still not what the user asked for.
ExitCode Judge(const PlanArguments& arguments, const PlanOptions& options,
               const Plan& plan) {
  if (options.solve.capacity.has_value() && plan.solved.feasible != true) {
    return FailForCapacity(*options.solve.capacity, plan.solved);
  }
  if (arguments.require_complete) {
    for (const Value& value : plan.graph.values) {
      if (value.size.has_value()) continue;
      std::cerr << "memplan: the plan is incomplete: tensor '" << value.name
                << "': " << value.unplaced_reason << "\n";
      return ExitCode::kIncomplete;
    }
  }
  return ExitCode::kDone;
}

ExitCode Run(const PlanArguments& arguments) {
  absl::Status status = CheckStdoutUse(arguments);
  if (!status.ok()) return Fail(status);
  const absl::StatusOr<PlanOptions> options =
      ToPlanOptions(arguments.model, arguments.search);
  if (!options.ok()) return Fail(options.status());
  const absl::StatusOr<Model> model = ReadModel(arguments.model.model);
  if (!model.ok()) return Fail(model.status());
  const absl::StatusOr<Plan> plan = PlanModel(*model, *options);
  if (!plan.ok()) return Fail(plan.status());
  for (const std::string& warning : plan->warnings) Warn(warning);
  status = WriteReports(arguments, *plan);
  if (!status.ok()) return Fail(status);
  return Judge(arguments, *options, *plan);
}

}  // namespace

void AddPlanCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* const command =
      program.add_subcommand("plan", "Give every tensor of a model its place");
  AddModelOptions(*command, arguments->model);
  AddSearchOptions(*command, arguments->search);
  command
      ->add_flag("--require-complete", arguments->require_complete,
                 "fail where a tensor has no known size")
      ->group("Plan");
  command->add_option("--json", arguments->json, "write the plan as JSON")
      ->type_name("FILE")
      ->group("Output");
  command->add_option("--csv", arguments->csv, "write the tensors as CSV")
      ->type_name("FILE")
      ->group("Output");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
