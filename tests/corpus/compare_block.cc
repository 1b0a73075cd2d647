// Predicts, for every model of the corpus with a measured one, the block that
// ONNX Runtime allocates for its memory pattern, and compares:
//
//   compare_block [PART_OF_A_PATH...]
//
// prints each miss, then how many of how many by kind of file. A miss is no
// fault of a plan: docs/onnxruntime.md says what is not followed. Fails where
// fewer are predicted than were.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/corpus/fork_pool.h"
#include "tests/corpus/truth.h"
#include "tests/test_paths.h"

namespace memplan {
namespace {

constexpr unsigned kSeconds = 120;  // for one model
constexpr int kSkip = 77;           // ctest's code for "not run"

// How many of how many are predicted to the byte; what is better is written
// down here. A smaller corpus says nothing of it.
struct Expected {
  std::string_view kind;
  int64_t predicted;
  int64_t measured;
};
constexpr Expected kExpected[] = {{"fragment", 273, 273},
                                  {"model", 219, 219},
                                  {"optest", 220, 221},
                                  {"tiny", 74, 75}};

// "=" where the block is predicted, else what is wrong.
std::string Predict(const std::string& folder, const TruthRow& row) {
  const absl::StatusOr<Model> model = ReadModel(folder + "/" + row.path);
  if (!model.ok()) return std::string(model.status().message());
  PlanOptions options;
  options.inputs = row.inputs;
  options.runtime = RuntimeKind::kOnnxRuntime;
  const absl::StatusOr<Plan> plan = PlanModel(*model, options);
  if (!plan.ok()) return std::string(plan.status().message());
  const int64_t predicted = plan->pattern.arena_size;
  if (predicted == *row.block) return "=";
  int64_t unknown = 0;
  for (const Value& value : plan->graph.values) {
    if (!value.size && value.scope.empty()) ++unknown;
  }
  return absl::StrCat("predicted ", predicted, ", measured ", *row.block, "; ",
                      unknown, " values of unknown size");
}

std::vector<TruthRow> MeasuredRows(std::ifstream& file,
                                   const std::vector<std::string>& parts) {
  std::vector<TruthRow> rows;
  for (std::string line; std::getline(file, line);) {
    TruthRow row = ParseTruthRow(line);
    const bool is_wanted =
        parts.empty() ||
        std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
          return row.path.find(part) != std::string::npos;
        });
    if (row.block && is_wanted) rows.push_back(std::move(row));
  }
  return rows;
}

int Run(const std::vector<std::string>& parts) {
  const std::string folder = SharedDir() + "/corpus";
  std::ifstream file(folder + "/truth_handed.jsonl");
  if (!file) {
    std::cout << "no corpus at " << folder
              << "; MEMPLAN_SHARED names the folder that holds it\n";
    return kSkip;
  }
  const std::vector<TruthRow> rows = MeasuredRows(file, parts);
  std::map<std::string, std::pair<int64_t, int64_t>> by_kind;  // equal, all
  RunForked(
      rows.size(), std::max(1u, std::thread::hardware_concurrency()), kSeconds,
      [&](size_t i) { return Predict(folder, rows[i]); },
      [&](size_t i, const TaskResult& task) {
        auto& [equal, all] = by_kind[rows[i].kind];
        ++all;
        if (task.failure.empty() && task.output == "=") {
          ++equal;
          return;
        }
        std::cout << rows[i].path << ": " << task.failure << task.output
                  << "\n";
      });
  bool is_good = true;
  for (const auto& [kind, counts] : by_kind) {
    for (const Expected& expected : kExpected) {
      if (expected.kind != kind || counts.second < expected.measured) continue;
      is_good &= counts.first >= expected.predicted;
    }
    std::cout << absl::StrFormat("%-9s %d of %d blocks predicted\n", kind,
                                 counts.first, counts.second);
  }
  return is_good || !parts.empty() ? 0 : 1;
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) {
  return memplan::Run(std::vector<std::string>(argv + 1, argv + argc));
}
