#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "planner/export_c_header.h"
#include "planner/export_tflm.h"
#include "planner/problem_csv.h"
#include "planner/usage_error.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/json_report.h"
#include "tools/model_options.h"
#include "tools/output_file.h"
#include "tools/plan_csv.h"
#include "tools/planned_model.h"
#include "tools/value_rows.h"

namespace memplan {
namespace {

struct ExportArguments {
  ModelOptions model;
  SearchOptions search;
  bool require_complete = false;
  std::string format = "c";
  std::string prefix = "model";
  std::string output = "-";
};

using Exporter = absl::StatusOr<std::string> (*)(const Plan& plan,
                                                 const std::string& prefix);

absl::StatusOr<std::string> ExportC(const Plan& plan,
                                    const std::string& prefix) {
  absl::StatusOr<std::string> header = ExportCHeader(plan.pattern, prefix);
  if (header.ok()) return header;
  const absl::string_view reason = header.status().message();
  return UsageError(std::string_view(reason.data(), reason.size()));
}

absl::StatusOr<std::string> ExportOfflinePlan(const Plan& plan,
                                              const std::string&) {
  return ExportTflm(plan.pattern, MainGraphNames(plan.graph));
}

// The buffers by the name of their root, with its scope before it.
absl::StatusOr<std::string> ExportProblem(const Plan& plan,
                                          const std::string&) {
  CsvProblem problem;
  problem.problem = plan.placement.problem;
  for (const ValueIndex root : plan.placement.buffer_roots) {
    const Value& value = plan.graph.values[static_cast<size_t>(root)];
    problem.ids.push_back(value.scope.empty()
                              ? value.name
                              : absl::StrCat(value.scope, ":", value.name));
  }
  return WriteProblemCsv(problem, &plan.solved.solution);
}

absl::StatusOr<std::string> ExportJson(const Plan& plan, const std::string&) {
  return JsonText(PlanToJson(plan));
}

absl::StatusOr<std::string> ExportCsv(const Plan& plan, const std::string&) {
  return ValuesCsv(RowsOf(plan));
}

const std::map<std::string, Exporter>& Exporters() {
  static const auto* const kExporters =
      new std::map<std::string, Exporter>{{"c", ExportC},
                                          {"csv", ExportCsv},
                                          {"json", ExportJson},
                                          {"minimalloc", ExportProblem},
                                          {"tflm", ExportOfflinePlan}};
  return *kExporters;
}

ExitCode Run(const ExportArguments& arguments) {
  const absl::StatusOr<PlannedModel> planned =
      PlanFromOptions(arguments.model, arguments.search);
  if (!planned.ok()) return Fail(planned.status());
  const ExitCode verdict = Judge(*planned, arguments.require_complete);
  if (verdict != ExitCode::kDone) return verdict;
  const absl::StatusOr<std::string> text =
      Exporters().at(arguments.format)(planned->plan, arguments.prefix);
  if (!text.ok()) return Fail(text.status());
  const absl::Status status = WriteOutput(arguments.output, *text);
  return status.ok() ? ExitCode::kDone : Fail(status);
}

}  // namespace

void AddExportCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* const command = program.add_subcommand(
      "export",
      "Write a model's plan for others: a C header, TFLM, MiniMalloc");
  AddModelOptions(*command, arguments->model);
  AddPlanOptions(*command, arguments->model, arguments->require_complete);
  AddSearchOptions(*command, arguments->search);
  command
      ->add_option("--format", arguments->format,
                   "c: a header; tflm: the OfflineMemoryAllocation record; "
                   "minimalloc: the problem with offsets")
      ->type_name("c|csv|json|minimalloc|tflm")
      ->check(CLI::IsMember(&Exporters()).description(""))
      ->capture_default_str()
      ->group("Output");
  command
      ->add_option("--prefix", arguments->prefix,
                   "begins each name in the C header")
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Output");
  AddFileOption(*command, "-o,--output", arguments->output,
                "where to write it (default: standard output)");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
