#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "planner/memory_map.h"
#include "planner/usage_error.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/json_report.h"
#include "tools/model_options.h"
#include "tools/output_file.h"
#include "tools/plan_csv.h"
#include "tools/plan_text.h"
#include "tools/planned_model.h"
#include "tools/value_rows.h"

namespace memplan {
namespace {

struct PlanArguments {
  ModelOptions model;
  SearchOptions search;
  bool require_complete = false;
  std::string json;
  std::string csv;
  std::string html;
  std::string output;
};

bool UsesStdout(const PlanArguments& arguments) {
  const std::vector<std::string> files = {arguments.json, arguments.csv,
                                          arguments.html, arguments.output};
  return std::count(files.begin(), files.end(), "-") > 0;
}

absl::Status CheckStdoutUse(const PlanArguments& arguments) {
  const std::vector<std::string> files = {arguments.json, arguments.csv,
                                          arguments.html, arguments.output};
  if (std::count(files.begin(), files.end(), "-") <= 1) return absl::OkStatus();
  return UsageError(
      "only one of --json, --csv, --html and -o can have standard output (-)");
}

absl::Status WriteReports(const PlanArguments& arguments, const Plan& plan) {
  absl::Status status;
  if (!arguments.json.empty()) {
    status = WriteOutput(arguments.json, JsonText(PlanToJson(plan)));
  }
  if (status.ok() && !arguments.csv.empty()) {
    status = WriteOutput(arguments.csv, ValuesCsv(RowsOf(plan)));
  }
  if (status.ok() && !arguments.html.empty()) {
    status = WriteOutput(arguments.html,
                         MemoryMapHtml(plan.pattern, arguments.model.model));
  }
  if (!status.ok() || UsesStdout(arguments)) return status;
  return WriteOutput("-", PlanText(arguments.model.model, plan));
}

ExitCode Run(const PlanArguments& arguments) {
  absl::Status status = CheckStdoutUse(arguments);
  if (!status.ok()) return Fail(status);
  absl::StatusOr<PlannedModel> planned =
      PlanFromOptions(arguments.model, arguments.search);
  if (!planned.ok()) return Fail(planned.status());
  if (!arguments.output.empty()) status = FitFile(*planned);
  if (!status.ok()) return Fail(status);
  status = WriteReports(arguments, planned->plan);
  if (!status.ok()) return Fail(status);
  const ExitCode verdict = Judge(*planned, arguments.require_complete);
  if (verdict != ExitCode::kDone || arguments.output.empty()) return verdict;
  status = WriteEmbedded(*planned, arguments.output, /*keep_others=*/false);
  return status.ok() ? ExitCode::kDone : Fail(status);
}

}  // namespace

void AddPlanCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* const command =
      program.add_subcommand("plan", "Give every tensor of a model its place");
  AddModelOptions(*command, arguments->model);
  AddPlanOptions(*command, arguments->model, arguments->require_complete);
  AddSearchOptions(*command, arguments->search);
  AddFileOption(*command, "--json", arguments->json,
                "write the plan as JSON; - is standard output");
  AddFileOption(*command, "--csv", arguments->csv, "write the tensors as CSV");
  AddFileOption(*command, "--html", arguments->html,
                "write a map of the arena over time");
  AddFileOption(*command, "-o,--output", arguments->output,
                "write the model with the plan in it, as embed does");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
