#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "planner/nearest_name.h"
#include "planner/numbers_text.h"
#include "planner/problem_csv.h"
#include "planner/solve.h"
#include "planner/usage_error.h"
#include "planner/verify.h"
#include "tools/capacity.h"
#include "tools/commands.h"
#include "tools/exit_code.h"
#include "tools/interrupt.h"
#include "tools/json_report.h"
#include "tools/model_options.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace memplan {
namespace {

struct SolveArguments {
  std::string problem;
  SearchOptions search;
  std::vector<std::string> fixes;
  std::string json;
  std::string output;
};

absl::Status FixBuffer(const std::string& text, CsvProblem& problem) {
  const size_t equals = text.rfind('=');
  int64_t offset = 0;
  if (equals == std::string::npos || equals == 0 ||
      !absl::SimpleAtoi(text.substr(equals + 1), &offset) || offset < 0) {
    return UsageError(absl::StrCat("--fix '", text,
                                   "': expected ID=OFFSET, such as b7=1024"));
  }
  const std::string id = text.substr(0, equals);
  const auto found = std::find(problem.ids.begin(), problem.ids.end(), id);
  if (found == problem.ids.end()) {
    return UsageError(absl::StrCat("--fix: the problem has no buffer '", id,
                                   "'", NameHint(id, problem.ids)));
  }
  Buffer& buffer =
      problem.problem.buffers[static_cast<size_t>(found - problem.ids.begin())];
  if (buffer.fixed_offset.value_or(offset) != offset) {
    return UsageError(absl::StrCat("--fix ", text, ": buffer '", id,
                                   "' is fixed at ", *buffer.fixed_offset,
                                   " already"));
  }
  buffer.fixed_offset = offset;
  return absl::OkStatus();
}

absl::StatusOr<CsvProblem> ReadProblem(const SolveArguments& arguments) {
  const absl::StatusOr<std::string> text = ReadInput(arguments.problem);
  if (!text.ok()) return text.status();
  absl::StatusOr<CsvProblem> problem = ReadProblemCsv(*text);
  const auto in_file = [&](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat("'", arguments.problem,
                                                    "': ", status.message()));
  };
  if (!problem.ok()) return in_file(problem.status());
  for (const std::string& fix : arguments.fixes) {
    const absl::Status status = FixBuffer(fix, *problem);
    if (!status.ok()) return status;
  }
  const absl::Status checked = CheckCsvProblem(*problem);
  if (!checked.ok()) return in_file(checked);
  return problem;
}

Json SolveToJson(const CsvProblem& problem, const SolveResult& solved,
                 double seconds) {
  Json json;
  json["schema_version"] = kJsonSchemaVersion;
  json["arena_size"] = solved.solution.arena_size;
  json["lower_bound"] = solved.lower_bound;
  json["max_live_bytes"] = MaxLiveBytes(problem.problem);
  json["optimal"] = solved.optimal;
  json["feasible"] = nullptr;
  if (solved.feasible.has_value()) json["feasible"] = *solved.feasible;
  json["search_nodes"] = solved.search_nodes;
  json["seconds"] = seconds;
  json["solver"] = solved.solver;
  json["machine_dependent"] = solved.stopped_by_time;
  Json buffers = Json::array();
  for (size_t i = 0; i < problem.ids.size(); ++i) {
    const Buffer& buffer = problem.problem.buffers[i];
    Json row;
    row["id"] = problem.ids[i];
    row["lower"] = buffer.lifespan.begin;
    row["upper"] = buffer.lifespan.end;
    row["size"] = buffer.size;
    row["offset"] = solved.solution.offsets[i];
    buffers.push_back(std::move(row));
  }
  json["buffers"] = std::move(buffers);
  return json;
}

// One line for people; the offsets are data, and go where the user says.
void PrintSummary(const SolveResult& solved, double seconds) {
  const int64_t gap = solved.solution.arena_size - solved.lower_bound;
  std::cerr << absl::StrFormat(
      "memplan: arena %s bytes, %s; solver %s, %s, %.2f s%s\n",
      Grouped(solved.solution.arena_size),
      solved.optimal ? std::string("proved optimal")
                     : absl::StrCat("lower bound ", Grouped(solved.lower_bound),
                                    ", gap ", Grouped(gap)),
      solved.solver, Counted(solved.search_nodes, "search node"), seconds,
      solved.stopped_by_time ? "; stopped early: not proved, and another "
                               "machine may get another plan"
                             : "");
}

absl::Status WriteResults(const SolveArguments& arguments,
                          const CsvProblem& problem, const SolveResult& solved,
                          double seconds) {
  if (!arguments.json.empty()) {
    const absl::Status status = WriteOutput(
        arguments.json, JsonText(SolveToJson(problem, solved, seconds)));
    if (!status.ok()) return status;
  }
  if (arguments.output.empty() && arguments.json == "-") {
    return absl::OkStatus();
  }
  return WriteOutput(arguments.output.empty() ? "-" : arguments.output,
                     WriteProblemCsv(problem, &solved.solution));
}

ExitCode Run(const SolveArguments& arguments) {
  if (arguments.json == "-" && arguments.output == "-") {
    return Fail(UsageError("--json - and -o - both want standard output"));
  }
  absl::StatusOr<SolveOptions> options = ToSolveOptions(arguments.search);
  if (!options.ok()) return Fail(options.status());
  const absl::StatusOr<CsvProblem> problem = ReadProblem(arguments);
  if (!problem.ok()) return Fail(problem.status());
  options->cancel = CancelOnInterrupt();
  options->progress = ProgressOnTerminal();
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<SolveResult> solved = Solve(problem->problem, *options);
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  ClearProgress();
  if (!solved.ok()) return Fail(solved.status());
  const absl::Status verified =
      VerifySolution(problem->problem, solved->solution);
  if (!verified.ok()) {
    return Fail(absl::InternalError(
        absl::StrCat("the solution failed its check: ", verified.message())));
  }
  const absl::Status written =
      WriteResults(arguments, *problem, *solved, elapsed.count());
  if (!written.ok()) return Fail(written);
  PrintSummary(*solved, elapsed.count());
  if (options->capacity.has_value() && solved->feasible != true) {
    return FailForCapacity(*options->capacity, *solved);
  }
  return ExitCode::kDone;
}

}  // namespace

void AddSolveCommand(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<SolveArguments>();
  CLI::App* const command = program.add_subcommand(
      "solve", "Place the buffers of a problem in MiniMalloc's CSV format");
  command
      ->add_option("problem", arguments->problem,
                   "id,lower,upper,size[,alignment][,offset]; - is standard "
                   "input")
      ->type_name("PROBLEM.csv")
      ->required();
  AddSearchOptions(*command, arguments->search);
  command->add_option("--fix", arguments->fixes, "the offset of one buffer")
      ->type_name("ID=OFFSET")
      ->allow_extra_args(false)
      ->take_all()
      ->group("Search");
  AddFileOption(*command, "-o,--output", arguments->output,
                "the problem with offsets, as CSV (default: standard output)");
  AddFileOption(*command, "--json", arguments->json,
                "write the result as JSON; - is standard output");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace memplan
