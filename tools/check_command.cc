#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/check_plan.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/read_model.h"
#include "planner/numbers_text.h"
#include "planner/printable.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/json_report.h"
#include "tools/model_options.h"
#include "tools/output_file.h"

namespace memplan {
namespace {

struct CheckArguments {
  ModelOptions model;
  std::string sidecar;
  std::string json;
};

const char* StateName(CheckState state) {
  switch (state) {
    case CheckState::kGood:
      return "good";
    case CheckState::kNoPlan:
      return "no_plan";
    case CheckState::kDamaged:
      return "damaged";
    case CheckState::kStale:
      return "stale";
  }
  return "unknown";
}

std::string Verdict(const CheckResult& result) {
  switch (result.state) {
    case CheckState::kGood:
      return absl::StrCat(
          "the plan holds for this model: ",
          Counted(static_cast<int64_t>(result.record.patterns.size()),
                  "pattern"),
          ", every tensor in its place");
    case CheckState::kNoPlan:
      return "the model carries no plan; memplan embed puts one in";
    case CheckState::kDamaged:
      return "the plan is damaged; memplan embed makes a new one";
    case CheckState::kStale:
      return "the plan is stale, made for another graph; memplan embed makes a "
             "new one";
  }
  return "";
}

ExitCode CodeFor(CheckState state) {
  if (state == CheckState::kGood) return ExitCode::kDone;
  return state == CheckState::kStale ? ExitCode::kStale
                                     : ExitCode::kCheckFailed;
}

absl::StatusOr<CheckResult> Check(const CheckArguments& arguments) {
  absl::StatusOr<PlanOptions> options = ToPlanOptions(arguments.model, {});
  if (!options.ok()) return options.status();
  const absl::StatusOr<Model> model = ReadModel(arguments.model.model);
  if (!model.ok()) return model.status();
  if (arguments.sidecar.empty()) {
    return CheckEmbeddedPlan(*model, options->inputs);
  }
  const absl::StatusOr<std::string> record = ReadSidecar(arguments.sidecar);
  if (!record.ok()) return record.status();
  return CheckRecord(*model, *record, options->inputs);
}

absl::Status WriteJson(const CheckArguments& arguments,
                       const CheckResult& result) {
  Json json;
  json["schema_version"] = kJsonSchemaVersion;
  json["state"] = StateName(result.state);
  json["findings"] = result.findings;
  json["patterns"] = result.record.patterns.size();
  return WriteOutput(arguments.json, JsonText(json));
}

ExitCode Run(const CheckArguments& arguments) {
  const absl::StatusOr<CheckResult> result = Check(arguments);
  if (!result.ok()) return Fail(result.status());
  std::string text = absl::StrCat(Verdict(*result), "\n");
  if (result->state != CheckState::kNoPlan) {
    for (const std::string& finding : result->findings) {
      absl::StrAppend(&text, "  ", Printable(finding), "\n");
    }
  }
  absl::Status status;
  if (!arguments.json.empty()) status = WriteJson(arguments, *result);
  if (status.ok() && arguments.json != "-") status = WriteOutput("-", text);
  return status.ok() ? CodeFor(result->state) : Fail(status);
}

}  // namespace

void AddCheckCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* const command = program.add_subcommand(
      "check", "Say whether the plan that a model carries holds for it");
  AddModelOptions(*command, arguments->model);
  AddFileOption(*command, "--sidecar", arguments->sidecar,
                "check the plan in this file instead");
  AddFileOption(*command, "--json", arguments->json,
                "write the result as JSON; - is standard output");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
