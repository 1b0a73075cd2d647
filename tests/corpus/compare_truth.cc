// Plans every model of the corpus and compares type, shape and bytes of each
// value with what a runtime found:
//
//   compare_truth [--verbose] [--reasons] [PART_OF_A_PATH...]
//
// prints a table by kind of file; --verbose each value that differs or is
// missing, --reasons the commonest reasons. Fails where a value differs, a
// model that the runtime took is refused, or anything crashes.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/corpus/compare.h"
#include "tests/corpus/fork_pool.h"
#include "tests/corpus/truth.h"
#include "tests/test_paths.h"

namespace memplan {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kSeconds = 120;  // for one model, sanitizers included
constexpr int kSkip = 77;           // ctest's code for "not run"
constexpr size_t kMaxReasons = 40;

struct Options {
  bool verbose = false;
  bool reasons = false;
  std::vector<std::string> parts;
};

struct Totals {
  int64_t models = 0;
  int64_t planned = 0;
  int64_t complete = 0;  // planned, and no value without a size
  int64_t refused = 0;   // though the runtime took it
  int64_t crashed = 0;
  int64_t compared = 0;
  int64_t equal = 0;
  int64_t bounded = 0;
  int64_t different = 0;
  int64_t missing = 0;
};

// Casts to type 24, which onnx.proto calls FLOAT8E8M0, 8 bits; the truth has it
// as int2.
constexpr std::string_view kDisputed =
    "gh/xboot+libonnx/tests/node/test_cast_e8m0_FLOAT_to_FLOAT8E8M0/model.onnx";

std::string CorpusFolder() { return SharedDir() + "/corpus"; }

// With the inputs of the truth; then with nothing said, which must not crash.
std::string PlanRow(const std::string& folder, const TruthRow& row) {
  Json result;
  const absl::StatusOr<Model> model = ReadModel(folder + "/" + row.path);
  if (!model.ok()) {
    result["error"] = std::string(model.status().message());
    return result.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  (void)PlanModel(*model, {});
  PlanOptions options;
  options.inputs = row.inputs;
  const absl::StatusOr<Plan> plan = PlanModel(*model, options);
  if (!plan.ok()) {
    result["error"] = std::string(plan.status().message());
  } else {
    const Comparison comparison = CompareWithTruth(*plan, row);
    result["complete"] =
        std::all_of(plan->graph.values.begin(), plan->graph.values.end(),
                    [](const Value& value) { return value.size.has_value(); });
    result["equal"] = comparison.equal;
    result["bounded"] = comparison.bounded;
    result["different"] = comparison.different;
    result["missing"] = comparison.missing;
  }
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Report {
 public:
  explicit Report(const Options& options) : options_(options) {}

  void Add(const TruthRow& row, const TaskResult& task) {
    Totals& totals = totals_[row.kind];
    ++totals.models;
    const auto compared = static_cast<int64_t>(row.values.size());
    totals.compared += compared;
    if (!task.failure.empty()) {
      ++totals.crashed;
      totals.missing += compared;
      std::cout << "crashed: " << row.path << ": " << task.failure << "\n";
      return;
    }
    const Json json = Json::parse(task.output);
    if (json.contains("error")) {
      AddError(row, json.at("error"), totals);
      return;
    }
    ++totals.planned;
    if (json.at("complete")) ++totals.complete;
    totals.equal += json.at("equal").get<int64_t>();
    totals.bounded += json.at("bounded").get<int64_t>();
    totals.missing += static_cast<int64_t>(json.at("missing").size());
    // A difference is always shown: it is a fault, of ours or of the truth.
    const bool is_disputed = row.path == kDisputed;
    for (const auto& line : json.at("different")) {
      std::cout << (is_disputed ? "disputed: " : "different: ") << row.path
                << ": " << line.get<std::string>() << "\n";
      ++(is_disputed ? disputed_ : totals.different);
    }
    for (const auto& line : json.at("missing")) {
      AddMissing(row, line);
    }
  }

  void Print() const {
    if (options_.reasons) PrintReasons();
    std::cout << absl::StrFormat(
        "%-9s %7s %8s %9s %8s %8s %9s %8s %8s %10s %8s\n", "kind", "models",
        "planned", "complete", "refused", "crashed", "compared", "equal",
        "bounded", "different", "missing");
    Totals sum;
    for (const auto& [kind, totals] : totals_) {
      PrintRow(kind, totals);
      Accumulate(totals, sum);
    }
    PrintRow("all", sum);
    if (disputed_ > 0) {
      std::cout << disputed_ << " disputed, and not counted as different\n";
    }
  }

  bool ok() const {
    return std::all_of(totals_.begin(), totals_.end(), [](const auto& row) {
      const Totals& totals = row.second;
      return totals.different + totals.crashed + totals.refused == 0;
    });
  }

 private:
  void AddError(const TruthRow& row, const std::string& error, Totals& totals) {
    totals.missing += static_cast<int64_t>(row.values.size());
    if (row.ran) {
      ++totals.refused;
      std::cout << "refused: " << row.path << ": " << error << "\n";
    } else if (options_.verbose) {
      std::cout << "error: " << row.path << ": " << error << "\n";
    }
  }

  void AddMissing(const TruthRow& row, const std::string& line) {
    if (options_.verbose) {
      std::cout << "missing: " << row.path << ": " << line << "\n";
    }
    ++reasons_[line.substr(line.rfind(": ") + 2)];
  }

  void PrintReasons() const {
    std::vector<std::pair<int64_t, std::string>> sorted;
    for (const auto& [reason, count] : reasons_) {
      sorted.emplace_back(-count, reason);
    }
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < std::min(sorted.size(), kMaxReasons); ++i) {
      std::cout << absl::StrFormat("%7d  %s\n", -sorted[i].first,
                                   sorted[i].second);
    }
  }

  static void PrintRow(const std::string& kind, const Totals& totals) {
    std::cout << absl::StrFormat(
        "%-9s %7d %8d %9d %8d %8d %9d %8d %8d %10d %8d\n", kind, totals.models,
        totals.planned, totals.complete, totals.refused, totals.crashed,
        totals.compared, totals.equal, totals.bounded, totals.different,
        totals.missing);
  }

  static void Accumulate(const Totals& part, Totals& sum) {
    sum.models += part.models;
    sum.planned += part.planned;
    sum.complete += part.complete;
    sum.refused += part.refused;
    sum.crashed += part.crashed;
    sum.compared += part.compared;
    sum.equal += part.equal;
    sum.bounded += part.bounded;
    sum.different += part.different;
    sum.missing += part.missing;
  }

  const Options& options_;
  std::map<std::string, Totals> totals_;
  std::map<std::string, int64_t> reasons_;
  int64_t disputed_ = 0;
};

bool IsWanted(const Options& options, const std::string& path) {
  return options.parts.empty() ||
         std::any_of(options.parts.begin(), options.parts.end(),
                     [&](const std::string& part) {
                       return path.find(part) != std::string::npos;
                     });
}

int Run(const Options& options) {
  const std::string folder = CorpusFolder();
  std::ifstream file(folder + "/truth_handed.jsonl");
  if (!file) {
    std::cout << "no corpus at " << folder
              << "; MEMPLAN_SHARED names the folder that holds it\n";
    return kSkip;
  }
  std::vector<TruthRow> rows;
  for (std::string line; std::getline(file, line);) {
    TruthRow row = ParseTruthRow(line);
    if (IsWanted(options, row.path)) rows.push_back(std::move(row));
  }
  Report report(options);
  RunForked(
      rows.size(), std::max(1u, std::thread::hardware_concurrency()), kSeconds,
      [&](size_t i) { return PlanRow(folder, rows[i]); },
      [&](size_t i, const TaskResult& task) { report.Add(rows[i], task); });
  report.Print();
  return report.ok() ? 0 : 1;
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) {
  memplan::Options options;
  for (const std::string_view argument :
       std::vector<std::string_view>(argv + 1, argv + argc)) {
    if (argument == "--verbose") {
      options.verbose = true;
    } else if (argument == "--reasons") {
      options.reasons = true;
    } else {
      options.parts.emplace_back(argument);
    }
  }
  return memplan::Run(options);
}
