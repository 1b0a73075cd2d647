// What sharing and order save, over every whole model of the corpus and the
// architectures of models/:
//
//   memory_table [PART_OF_A_PATH...]
//
// prints max live bytes and arena of each model for each way to plan it, then
// the geometric means of the arenas against ONNX Runtime's prediction. Each way
// has what the one before it has, and more: views, in-place outputs, the order
// of ONNX Runtime, the order for memory, parts.
//
// ONNX Runtime's block holds the values of the main graph; bodies get blocks of
// their own, each time they run. So for models with bodies the arena of the
// main graph's values alone is compared (and printed behind the model's name),
// though our plans have the bodies' values, too.
//
// Fails where a plan in ONNX Runtime's own order, or in the order for memory,
// is above ONNX Runtime's. In file order, ours may be: that order may need
// more.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "planner/graph_index.h"
#include "planner/solve.h"
#include "tests/corpus/fork_pool.h"
#include "tests/corpus/truth.h"
#include "tests/test_paths.h"

namespace memplan {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kSeconds = 300;  // for one model
constexpr int kSkip = 77;           // ctest's code for "not run"
constexpr int64_t kEffort = 100'000;

struct Subject {
  std::string name;
  std::string path;
  InputOptions inputs;
};

struct Way {
  const char* name;
  PlanOptions options;
};

constexpr size_t kOnnxRuntime = 1;
constexpr size_t kNumWays = 7;

Way MakeWay(const char* name, InPlaceMode in_place, OrderKind order) {
  Way way{name, {}};
  way.options.storage.in_place = in_place;
  way.options.order = order;
  way.options.solve.effort = kEffort;
  return way;
}

std::array<Way, kNumWays> Ways() {
  Way none = MakeWay("no reuse", InPlaceMode::kOff, OrderKind::kFile);
  none.options.solve.solver = "none";
  // Its own order, sharing and online placement; 256 bytes (facts of its
  // arena).
  Way runtime =
      MakeWay("onnxruntime", InPlaceMode::kSafe, OrderKind::kOnnxRuntime);
  runtime.options.runtime = RuntimeKind::kOnnxRuntime;
  runtime.options.solve.solver = "replay";
  runtime.options.alignment = 256;
  return {none,
          runtime,
          MakeWay("views", InPlaceMode::kViews, OrderKind::kFile),
          MakeWay("in-place", InPlaceMode::kSafe, OrderKind::kFile),
          MakeWay("its order", InPlaceMode::kSafe, OrderKind::kOnnxRuntime),
          MakeWay("order", InPlaceMode::kSafe, OrderKind::kMemory),
          MakeWay("aggressive", InPlaceMode::kAggressive, OrderKind::kMemory)};
}

struct Cell {
  int64_t max_live = 0;
  int64_t arena = 0;
  bool optimal = false;
  int64_t main_arena = 0;  // of the main graph's values alone
};

// What the plan's arena would be without the values of bodies; the plan's own
// where there are none.
int64_t MainArena(const Plan& plan, const SolveOptions& options) {
  if (plan.graph.bodies.size() == 1) return plan.pattern.arena_size;
  const GraphIndex index = IndexGraph(plan.graph);
  std::set<ValueIndex> roots;
  for (size_t v = 0; v < plan.storage.size(); ++v) {
    if (index.home[v] == 0) roots.insert(plan.storage[v].root);
  }
  Problem problem;
  for (size_t i = 0; i < plan.placement.buffer_roots.size(); ++i) {
    if (!roots.contains(plan.placement.buffer_roots[i])) continue;
    problem.buffers.push_back(plan.placement.problem.buffers[i]);
  }
  const auto solved = Solve(problem, options);
  return solved.ok() ? solved->solution.arena_size : plan.pattern.arena_size;
}

std::string PlanAllWays(const Subject& subject) {
  Json result = Json::array();
  const auto model = ReadModel(subject.path);
  if (!model.ok()) return "";
  for (const Way& way : Ways()) {
    PlanOptions options = way.options;
    options.inputs = subject.inputs;
    const auto plan = PlanModel(*model, options);
    if (!plan.ok()) return "";
    result.push_back({plan->pattern.max_live_bytes, plan->pattern.arena_size,
                      plan->pattern.optimal, MainArena(*plan, options.solve)});
  }
  return result.dump();
}

std::vector<Subject> Architectures() {
  const std::string folder = SourceDir() + "/models/";
  std::vector<Subject> subjects;
  const auto add = [&](const std::string& file,
                       std::map<std::string, int64_t> dims) {
    subjects.push_back({file, folder + file, {}});
    subjects.back().inputs.dims = std::move(dims);
  };
  add("resnet50.onnx", {});
  add("mobilenet_v2.onnx", {});
  add("bert_base.onnx", {{"batch", 1}, {"sequence", 128}});
  add("gpt2_decoder.onnx", {{"batch", 1},
                            {"sequence", 1},
                            {"past_sequence", 127},
                            {"total_sequence", 128}});
  return subjects;
}

// False without a corpus.
bool AddCorpus(std::vector<Subject>& subjects) {
  const std::string folder = SharedDir() + "/corpus";
  std::ifstream file(folder + "/truth_handed.jsonl");
  if (!file) return false;
  for (std::string line; std::getline(file, line);) {
    TruthRow row = ParseTruthRow(line);
    if (row.kind != "model" || !row.ran) continue;
    subjects.push_back(
        {row.path, folder + "/" + row.path, std::move(row.inputs)});
  }
  return true;
}

class Table {
 public:
  void PrintHead() const {
    for (const Way& way : ways_) std::cout << absl::StrFormat("%25s", way.name);
    std::cout << "\n";
    for (size_t i = 0; i < kNumWays; ++i) {
      std::cout << absl::StrFormat(" %12s%12s", "max live", "arena ");
    }
    std::cout << "\n";
  }

  void Add(const Subject& subject, const TaskResult& task) {
    if (task.output.empty()) {
      std::cout << "no plan: " << subject.name << " " << task.failure << "\n";
      ++unplanned_;
      return;
    }
    const Json json = Json::parse(task.output);
    std::array<Cell, kNumWays> cells;
    for (size_t i = 0; i < kNumWays; ++i) {
      cells[i] = {json[i][0], json[i][1], json[i][2], json[i][3]};
    }
    Print(subject, cells);
    if (cells[kOnnxRuntime].arena == 0) return;
    ++counted_;
    for (size_t i = 0; i < kNumWays; ++i) Count(subject, cells, i);
  }

  void PrintMeans() const {
    std::cout << "\n"
              << counted_ << " models with an arena, " << unplanned_
              << " without a plan; arena / onnxruntime's, geometric mean; "
              << "optimal plans; models above\n";
    for (size_t i = 0; i < kNumWays; ++i) {
      const auto n = static_cast<double>(std::max<int64_t>(counted_, 1));
      std::cout << absl::StrFormat("%-12s %8.4f %6d %6d\n", ways_[i].name,
                                   std::exp(logs_[i] / n), optimal_[i],
                                   above_[i]);
    }
  }

  bool ok() const { return is_good_; }

 private:
  static void Print(const Subject& subject,
                    const std::array<Cell, kNumWays>& cells) {
    for (const Cell& cell : cells) {
      std::cout << absl::StrFormat(" %12d%11d%s", cell.max_live, cell.arena,
                                   cell.optimal ? "*" : " ");
    }
    std::cout << "  " << subject.name;
    const bool has_bodies = std::any_of(
        cells.begin(), cells.end(),
        [](const Cell& cell) { return cell.main_arena != cell.arena; });
    for (const Cell& cell : cells) {
      if (has_bodies) {
        std::cout << (&cell == cells.data() ? "; main graph alone: " : ", ")
                  << cell.main_arena;
      }
    }
    std::cout << "\n";
  }

  void Count(const Subject& subject, const std::array<Cell, kNumWays>& cells,
             size_t i) {
    const int64_t theirs = cells[kOnnxRuntime].main_arena;
    const int64_t ours = std::max<int64_t>(cells[i].main_arena, 1);
    logs_[i] +=
        std::log(static_cast<double>(ours) / static_cast<double>(theirs));
    optimal_[i] += cells[i].optimal;
    if (ours <= theirs) return;
    ++above_[i];
    if (ways_[i].options.order == OrderKind::kFile) return;
    std::cout << "above onnxruntime: " << subject.name << " " << ways_[i].name
              << " " << ours << " > " << theirs << "\n";
    is_good_ = false;
  }

  const std::array<Way, kNumWays> ways_ = Ways();
  std::array<double, kNumWays> logs_ = {};
  std::array<int64_t, kNumWays> optimal_ = {};
  std::array<int64_t, kNumWays> above_ = {};  // ONNX Runtime's
  int64_t counted_ = 0;
  int64_t unplanned_ = 0;
  bool is_good_ = true;
};

int Run(const std::vector<std::string>& parts) {
  std::vector<Subject> subjects = Architectures();
  const bool has_corpus = AddCorpus(subjects);
  std::erase_if(subjects, [&](const Subject& subject) {
    return !parts.empty() &&
           std::none_of(parts.begin(), parts.end(), [&](const auto& part) {
             return subject.name.find(part) != std::string::npos;
           });
  });
  Table table;
  table.PrintHead();
  RunForked(
      subjects.size(), 2, kSeconds,
      [&](size_t i) { return PlanAllWays(subjects[i]); },
      [&](size_t i, const TaskResult& task) { table.Add(subjects[i], task); });
  table.PrintMeans();
  if (!has_corpus) return kSkip;
  return table.ok() ? 0 : 1;
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) {
  return memplan::Run(std::vector<std::string>(argv + 1, argv + argc));
}
