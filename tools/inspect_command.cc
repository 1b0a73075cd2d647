#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "onnx_frontend/check_plan.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "planner/memory_map.h"
#include "planner/pattern_record.h"
#include "planner/report.h"
#include "planner/usage_error.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/json_report.h"
#include "tools/list_dims.h"
#include "tools/model_options.h"
#include "tools/output_file.h"
#include "tools/plan_csv.h"
#include "tools/value_rows.h"

namespace memplan {
namespace {

struct InspectArguments {
  ModelOptions model;
  bool dims = false;
  size_t pattern = 0;  // counted from 1; 0: all
  std::string sidecar;
  std::string json;
  std::string csv;
  std::string html;
};

// The plans of a model, or of a sidecar.
absl::StatusOr<PatternRecord> ReadRecord(const InspectArguments& arguments,
                                         const Model& model) {
  if (!arguments.sidecar.empty()) {
    const absl::StatusOr<std::string> record = ReadSidecar(arguments.sidecar);
    return record.ok() ? DecodeRecord(*record) : record.status();
  }
  if (model.embedded_records.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("'", model.path,
                     "' carries no plan; memplan embed puts one in, memplan "
                     "plan shows one"));
  }
  return DecodeBase64Record(model.embedded_records.back());
}

// A plan of our own for the same inputs: it knows types, shapes and what the
// pattern does not place. Unset where the model cannot be planned so any more.
std::optional<Plan> PlanForInputs(const InspectArguments& arguments,
                                  const Model& model,
                                  const MemoryPattern& pattern) {
  absl::StatusOr<PlanOptions> options = ToPlanOptions(arguments.model, {});
  if (!options.ok()) return std::nullopt;
  options->solve.solver = "none";
  options->alignment = pattern.alignment;
  options->inputs = InputsOf(model, pattern, options->inputs);
  absl::StatusOr<Plan> plan = PlanModel(model, *options);
  if (!plan.ok()) {
    Warn(absl::StrCat("types and shapes are not shown: ",
                      plan.status().message()));
    return std::nullopt;
  }
  return *std::move(plan);
}

std::vector<TensorNote> NotesFor(const MemoryPattern& pattern,
                                 const std::vector<ValueRow>& rows) {
  std::map<std::pair<std::string, std::string>, const ValueRow*> by_name;
  for (const ValueRow& row : rows) {
    by_name.emplace(std::pair(row.value->scope, row.value->name), &row);
  }
  std::vector<TensorNote> notes;
  for (const PatternTensor& tensor : pattern.tensors) {
    const auto found = by_name.find(std::pair(tensor.scope, tensor.name));
    TensorNote note;
    if (found != by_name.end()) {
      const Value& value = *found->second->value;
      note.type = value.type;
      if (value.shape.has_value()) {
        note.shape =
            value.shape->empty() ? "scalar" : absl::StrJoin(*value.shape, "x");
      }
      if (tensor.sharing == SharingKind::kNone) {
        note.remark = found->second->why_not;
      }
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

std::string PatternText(const MemoryPattern& pattern,
                        const std::vector<ValueRow>& rows) {
  const auto join = [](std::string a, const std::string& b) {
    return b.empty() ? a : absl::StrCat(a, a.empty() ? "" : "\n", b);
  };
  std::string text = TensorTable(pattern, NotesFor(pattern, rows));
  text = join(std::move(text), PatternTotals(pattern));
  return join(std::move(text), MemoryMap(pattern));
}

absl::Status CheckStdoutUse(const InspectArguments& arguments) {
  const int uses = (arguments.json == "-" ? 1 : 0) +
                   (arguments.csv == "-" ? 1 : 0) +
                   (arguments.html == "-" ? 1 : 0);
  if (uses <= 1) return absl::OkStatus();
  return UsageError(
      "only one of --json, --csv and --html can have standard output (-)");
}

// One pattern to each of the files that were asked for.
absl::Status WriteFiles(const InspectArguments& arguments,
                        const PatternRecord& record,
                        const MemoryPattern& pattern,
                        const std::vector<ValueRow>& rows) {
  absl::Status status;
  if (!arguments.json.empty()) {
    Json json = PatternToJson(pattern, rows);
    json["fingerprint"] = ToString(record.fingerprint);
    json["patterns"] = record.patterns.size();
    status = WriteOutput(arguments.json, JsonText(json));
  }
  if (status.ok() && !arguments.csv.empty()) {
    status = WriteOutput(arguments.csv, ValuesCsv(rows));
  }
  if (status.ok() && !arguments.html.empty()) {
    status = WriteOutput(arguments.html,
                         MemoryMapHtml(pattern, arguments.model.model));
  }
  return status;
}

absl::StatusOr<std::vector<MemoryPattern>> ChoosePatterns(
    const InspectArguments& arguments, const PatternRecord& record) {
  if (arguments.pattern == 0) return record.patterns;
  if (arguments.pattern > record.patterns.size()) {
    return UsageError(absl::StrCat("--pattern ", arguments.pattern,
                                   ": the model carries ",
                                   record.patterns.size()));
  }
  return std::vector<MemoryPattern>{record.patterns[arguments.pattern - 1]};
}

absl::Status ShowPlan(const InspectArguments& arguments, const Model& model) {
  absl::Status status = CheckStdoutUse(arguments);
  if (!status.ok()) return status;
  const absl::StatusOr<PatternRecord> record = ReadRecord(arguments, model);
  if (!record.ok()) return record.status();
  const absl::StatusOr<std::vector<MemoryPattern>> patterns =
      ChoosePatterns(arguments, *record);
  if (!patterns.ok()) return patterns.status();
  std::string text;
  for (size_t i = 0; i < patterns->size(); ++i) {
    const MemoryPattern& pattern = (*patterns)[i];
    const std::optional<Plan> plan = PlanForInputs(arguments, model, pattern);
    std::vector<ValueRow> rows;
    if (plan.has_value()) rows = RowsOf(*plan, pattern);
    // The files hold one pattern: the first, or the one that --pattern names.
    if (i == 0) status = WriteFiles(arguments, *record, pattern, rows);
    if (!status.ok()) return status;
    if (i > 0) text += "\n";
    text += PatternText(pattern, rows);
  }
  const bool uses_stdout =
      arguments.json == "-" || arguments.csv == "-" || arguments.html == "-";
  return uses_stdout ? absl::OkStatus() : WriteOutput("-", text);
}

absl::Status ShowDims(const InspectArguments& arguments, const Model& model) {
  const absl::StatusOr<PlanOptions> options =
      ToPlanOptions(arguments.model, {});
  if (!options.ok()) return options.status();
  const absl::StatusOr<std::vector<SymbolUse>> uses =
      FindSymbols(model, options->inputs);
  if (!uses.ok()) return uses.status();
  if (!arguments.json.empty()) {
    const absl::Status status =
        WriteOutput(arguments.json, JsonText(SymbolsToJson(*uses)));
    if (!status.ok() || arguments.json == "-") return status;
  }
  return WriteOutput("-", SymbolsText(*uses));
}

ExitCode Run(const InspectArguments& arguments) {
  const absl::StatusOr<Model> model = ReadModel(arguments.model.model);
  if (!model.ok()) return Fail(model.status());
  const absl::Status status = arguments.dims ? ShowDims(arguments, *model)
                                             : ShowPlan(arguments, *model);
  return status.ok() ? ExitCode::kDone : Fail(status);
}

}  // namespace

void AddInspectCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<InspectArguments>();
  CLI::App* const command = program.add_subcommand(
      "inspect", "Show the plan that a model carries, and a memory map");
  AddModelOptions(*command, arguments->model);
  command->add_flag("--dims", arguments->dims,
                    "list the symbolic dimensions, and where they occur");
  command
      ->add_option("--pattern", arguments->pattern,
                   "of several plans show this one, counted from 1")
      ->type_name("N");
  AddFileOption(*command, "--sidecar", arguments->sidecar,
                "show the plan in this file instead");
  AddFileOption(*command, "--json", arguments->json,
                "write the plan as JSON; - is standard output");
  AddFileOption(*command, "--csv", arguments->csv, "write the tensors as CSV");
  AddFileOption(*command, "--html", arguments->html,
                "write a map of the arena over time");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
