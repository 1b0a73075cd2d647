#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/embed.h"
#include "planner/usage_error.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/json_report.h"
#include "tools/model_options.h"
#include "tools/output_file.h"
#include "tools/planned_model.h"

namespace memplan {
namespace {

struct EmbedArguments {
  ModelOptions model;
  SearchOptions search;
  bool require_complete = false;
  bool add = false;
  bool same_file = false;
  std::string output;
  std::string sidecar;
  std::string json;
};

absl::Status CheckTarget(const EmbedArguments& arguments) {
  const int targets = (arguments.output.empty() ? 0 : 1) +
                      (arguments.sidecar.empty() ? 0 : 1) +
                      (arguments.same_file ? 1 : 0);
  if (targets != 1) {
    return UsageError(
        "embed needs one of -o OUT, --in-place and --sidecar FILE");
  }
  if (arguments.same_file && arguments.model.model == "-") {
    return UsageError("--in-place: standard input cannot be written to");
  }
  if (arguments.json == "-" && arguments.output == "-") {
    return UsageError("--json - and -o - both want standard output");
  }
  return absl::OkStatus();
}

absl::Status WriteRecord(const EmbedArguments& arguments,
                         const PlannedModel& planned) {
  if (!arguments.output.empty()) {
    return WriteEmbedded(planned, arguments.output, arguments.add);
  }
  const absl::StatusOr<std::string> record = RecordOf(planned, arguments.add);
  if (!record.ok()) return record.status();
  if (!arguments.sidecar.empty()) {
    return WriteSidecar(arguments.sidecar, *record);
  }
  return EmbedInPlace(arguments.model.model, *record, planned.orders).status();
}

ExitCode Run(const EmbedArguments& arguments) {
  absl::Status status = CheckTarget(arguments);
  if (!status.ok()) return Fail(status);
  absl::StatusOr<PlannedModel> planned =
      PlanFromOptions(arguments.model, arguments.search);
  if (!planned.ok()) return Fail(planned.status());
  // A plan beside the model follows its order, and changes nothing.
  if (arguments.sidecar.empty()) status = FitFile(*planned);
  if (!status.ok()) return Fail(status);
  const ExitCode verdict = Judge(*planned, arguments.require_complete);
  if (verdict != ExitCode::kDone) return verdict;
  status = WriteRecord(arguments, *planned);
  if (status.ok() && !arguments.json.empty()) {
    status = WriteOutput(arguments.json, JsonText(PlanToJson(planned->plan)));
  }
  return status.ok() ? ExitCode::kDone : Fail(status);
}

}  // namespace

void AddEmbedCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<EmbedArguments>();
  CLI::App* const command = program.add_subcommand(
      "embed",
      "Put a model's plan into its metadata, touching nothing else; with "
      "--order, also list its nodes in that order");
  AddModelOptions(*command, arguments->model);
  AddPlanOptions(*command, arguments->model, arguments->require_complete);
  AddSearchOptions(*command, arguments->search);
  AddFileOption(*command, "-o,--output", arguments->output,
                "the model with the plan; - is standard output");
  command
      ->add_flag("--same-file", arguments->same_file,
                 "write into MODEL itself; --in-place without a mode means "
                 "the same")
      ->group("Output");
  AddFileOption(*command, "--sidecar", arguments->sidecar,
                "write the plan to a file of its own, for signed models");
  command
      ->add_flag("--add", arguments->add,
                 "keep the plans that the model carries for other input shapes")
      ->group("Output");
  AddFileOption(*command, "--json", arguments->json, "write the plan as JSON");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
