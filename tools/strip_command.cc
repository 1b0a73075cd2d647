#include <iostream>
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

namespace memplan {
namespace {

struct StripArguments {
  std::string model;
  bool same_file = false;
  std::string output;
  std::string json;
};

ExitCode Run(const StripArguments& arguments) {
  if (arguments.same_file != arguments.output.empty()) {
    return Fail(UsageError("strip needs one of -o OUT and --in-place"));
  }
  if (arguments.json == "-" && arguments.output == "-") {
    return Fail(UsageError("--json - and -o - both want standard output"));
  }
  const absl::StatusOr<EmbedResult> result =
      arguments.same_file ? StripInPlace(arguments.model)
                          : StripRecord(arguments.model, arguments.output);
  if (!result.ok()) return Fail(result.status());
  for (const std::string& warning : result->warnings) Warn(warning);
  if (result->records_removed == 0) {
    std::cerr << "memplan: the model carries no plan; it stays as it is\n";
  }
  if (arguments.json.empty()) return ExitCode::kDone;
  Json json;
  json["schema_version"] = kJsonSchemaVersion;
  json["records_removed"] = result->records_removed;
  json["file_bytes"] = result->file_bytes;
  const absl::Status status = WriteOutput(arguments.json, JsonText(json));
  return status.ok() ? ExitCode::kDone : Fail(status);
}

}  // namespace

void AddStripCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<StripArguments>();
  CLI::App* const command = program.add_subcommand(
      "strip",
      "Take the plan out again: the original file, bit for bit (but nodes that "
      "embed --order has put in another order keep it)");
  AddModelArgument(*command, arguments->model);
  AddFileOption(*command, "-o,--output", arguments->output,
                "the model without the plan; - is standard output");
  command
      ->add_flag("--in-place,--same-file", arguments->same_file,
                 "write into MODEL itself")
      ->group("Output");
  AddFileOption(*command, "--json", arguments->json,
                "write what was done as JSON");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
