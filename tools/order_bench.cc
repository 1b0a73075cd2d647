// memplan_order_bench: what an order for memory saves in irregularly wired
// cells, and what the search takes as graphs grow, as Markdown tables.
//
//   memplan_order_bench [SEEDS [EFFORT]]
//
// Max live bytes, alignment 1, in the file's order (as the network's code makes
// the nodes), breadth first (Kahn's algorithm, first come, first served), depth
// first (reverse post-order, as tf2onnx writes the nodes), and ours; once
// without in-place outputs, once with, once with inputs laid in their Concat.
// "=" where it is proved that no order needs less.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "models/generate/wired.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/lower_graph.h"
#include "onnx_frontend/read_model.h"
#include "planner/graph_index.h"
#include "planner/liveness.h"
#include "planner/order_memory.h"
#include "planner/problem.h"
#include "planner/reads.h"
#include "planner/storage.h"
#include "planner/timeline.h"

namespace memplan {
namespace {

struct Cell {
  std::string name;
  Graph graph;
};

bool AddCell(const std::string& name, const std::string& bytes,
             std::vector<Cell>& cells) {
  const auto model = ReadModelFromBytes(bytes, name);
  if (!model.ok()) return false;
  auto resolved = BuildGraph(*model);
  if (!resolved.ok() || !InferShapes({}, *resolved).ok()) return false;
  auto graph = LowerGraph(*resolved);
  if (!graph.ok()) return false;
  cells.push_back({name, *std::move(graph)});
  return true;
}

// Nodes of one body by their place in the file: the steps that must come before
// each, and the sequence asked for.
using Sequence = std::vector<size_t>;
using Before = std::vector<std::vector<int32_t>>;

std::vector<std::vector<size_t>> After(const Before& before) {
  std::vector<std::vector<size_t>> after(before.size());
  for (size_t i = 0; i < before.size(); ++i) {
    for (const int32_t p : before[i]) {
      after[static_cast<size_t>(p)].push_back(i);
    }
  }
  return after;
}

// Nodes run in the sequence in which they become ready.
Sequence BreadthFirst(const Before& before) {
  const auto after = After(before);
  std::vector<size_t> waits;
  Sequence ready;
  for (size_t i = 0; i < before.size(); ++i) {
    waits.push_back(before[i].size());
    if (waits[i] == 0) ready.push_back(i);
  }
  for (size_t k = 0; k < ready.size(); ++k) {
    for (const size_t next : after[ready[k]]) {
      if (--waits[next] == 0) ready.push_back(next);
    }
  }
  return ready;
}

// The reverse of the sequence in which a walk from writers to readers leaves
// the nodes.
Sequence DepthFirst(const Before& before) {
  const auto after = After(before);
  std::vector<size_t> entered(before.size());  // readers entered, one more
  Sequence left;
  for (size_t from = 0; from < before.size(); ++from) {
    Sequence path;
    if (entered[from] == 0) path.push_back(from);
    while (!path.empty()) {
      const size_t node = path.back();
      const size_t k = entered[node]++;
      if (k == after[node].size()) {
        left.push_back(node);
        path.pop_back();
      } else if (entered[after[node][k]] == 0) {
        path.push_back(after[node][k]);
      }
    }
  }
  return {left.rbegin(), left.rend()};
}

Schedule InEachBody(const Graph& graph, Sequence (*order)(const Before&)) {
  const auto before =
      Predecessors(graph, IndexGraph(graph), KeptOrder::kAmongKeepers);
  Schedule schedule = FileOrder(graph);
  for (size_t b = 0; b < before.size(); ++b) {
    const Sequence sequence = order(before[b]);
    for (size_t k = 0; k < sequence.size(); ++k) {
      schedule.orders[b][k] = graph.bodies[b].nodes[sequence[k]];
    }
  }
  return schedule;
}

// 0 where sizes overflow, which no cell here does.
int64_t LiveBytes(const Graph& graph, const Schedule& schedule,
                  const StorageOptions& storage) {
  const auto timeline = MakeTimeline(graph, schedule);
  if (!timeline.ok()) return 0;
  const std::vector<Lifespan> lifespans = ComputeLifespans(graph, *timeline);
  const auto problem =
      BuildProblem(graph, AssignStorage(graph, *timeline, lifespans, storage),
                   lifespans, storage.alignment);
  return problem.ok() ? MaxLiveBytes(problem->problem) : 0;
}

OrderOptions Options(InPlaceMode in_place, int64_t effort) {
  OrderOptions options;
  options.effort = effort;
  options.alignment = options.storage.alignment = 1;
  options.storage.in_place = in_place;
  return options;
}

// What the orders need relative to ours, multiplied up.
struct Factors {
  double log_of_file = 0;
  double log_of_breadth = 0;
  double log_of_depth = 0;
  int cells = 0;
  int proved = 0;

  void Add(const Factors& other) {
    log_of_file += other.log_of_file;
    log_of_breadth += other.log_of_breadth;
    log_of_depth += other.log_of_depth;
    cells += other.cells;
    proved += other.proved;
  }
};

double Log(int64_t theirs, int64_t ours) {
  return std::log(static_cast<double>(theirs) / static_cast<double>(ours));
}

Factors PrintCell(const Cell& cell, const OrderOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto result = OrderForMemory(cell.graph, options);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  if (!result.ok()) return {};
  const auto in_order = [&](Sequence (*order)(const Before&)) {
    return LiveBytes(cell.graph, InEachBody(cell.graph, order),
                     options.storage);
  };
  const int64_t file = result->file_max_live_bytes;
  const int64_t breadth = in_order(BreadthFirst);
  const int64_t depth = in_order(DepthFirst);
  const int64_t ours = result->max_live_bytes;
  const Factors factors = {Log(file, ours), Log(breadth, ours),
                           Log(depth, ours), 1, result->proved_minimal ? 1 : 0};
  std::printf(
      "| %s | %zu | %lld | %lld | %lld | %lld%s | %.2f | %.2f | %.2f | "
      "%.2f |\n",
      cell.name.c_str(), cell.graph.nodes.size(), static_cast<long long>(file),
      static_cast<long long>(breadth), static_cast<long long>(depth),
      static_cast<long long>(ours), result->proved_minimal ? " =" : "",
      std::exp(factors.log_of_file), std::exp(factors.log_of_breadth),
      std::exp(factors.log_of_depth), seconds.count());
  std::fflush(stdout);
  return factors;
}

void PrintMean(const char* name, const Factors& factors) {
  const double n = std::max(factors.cells, 1);
  std::printf(
      "| **%s** | | | | | %d of %d proved | **%.2f** | **%.2f** | "
      "**%.2f** | |\n",
      name, factors.proved, factors.cells, std::exp(factors.log_of_file / n),
      std::exp(factors.log_of_breadth / n), std::exp(factors.log_of_depth / n));
}

// Cells of one kind.
using Family = std::vector<Cell>;

void PrintTable(const std::vector<Family>& families, const char* title,
                const OrderOptions& options) {
  std::printf(
      "\n%s\n\n| cell | nodes | file | breadth first | depth first | ours | "
      "file / ours | breadth first / ours | depth first / ours | s |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
      title);
  Factors all;
  for (const Family& family : families) {
    Factors mean;
    for (const Cell& cell : family) mean.Add(PrintCell(cell, options));
    if (family.size() > 1) PrintMean("mean of these", mean);
    all.Add(mean);
  }
  PrintMean("mean of all cells", all);
}

std::vector<Family> MakeFamilies(uint32_t seeds) {
  std::vector<Family> families(5);
  bool is_good = AddCell("DARTS", models::DartsNormalCell(), families[0]);
  for (uint32_t seed = 1; seed <= seeds; ++seed) {
    const std::string suffix = " " + std::to_string(seed);
    is_good &= AddCell("SwiftNet-like" + suffix, models::SwiftNetLikeCell(seed),
                       families[1]);
    const auto add = [&](const char* name, models::Wiring wiring, Family& to) {
      is_good &=
          AddCell(name + suffix, models::RandWireStage(wiring, seed), to);
    };
    add("RandWire WS", models::Wiring::kWattsStrogatz, families[2]);
    add("RandWire ER", models::Wiring::kErdosRenyi, families[3]);
    add("RandWire BA", models::Wiring::kBarabasiAlbert, families[4]);
  }
  if (!is_good) std::abort();  // a generator's fault
  return families;
}

// Each node reads up to three of the 50 before it: no place to cut.
Graph Tangle(int32_t nodes) {
  std::mt19937 random(1);
  const auto below = [&](int32_t limit) {
    return static_cast<int32_t>(random() % static_cast<uint32_t>(limit));
  };
  Graph graph;
  graph.bodies.emplace_back();
  for (int32_t i = 0; i < nodes; ++i) {
    Value value;
    value.name = "v" + std::to_string(i);
    value.size = 1 + below(1000);
    graph.values.push_back(value);
    Node node;
    node.name = value.name;
    node.outputs = {i};
    node.file_index = node.file_slot = i;
    for (int k = 0; k < 3 && i > 0; ++k) {
      const ValueIndex read = i - 1 - below(std::min(i, 50));
      if (std::find(node.inputs.begin(), node.inputs.end(), read) ==
          node.inputs.end()) {
        node.inputs.push_back(read);
      }
    }
    graph.bodies[0].nodes.push_back(i);
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

void PrintGrowth(const OrderOptions& options) {
  std::printf(
      "\nTime against size\n\n| nodes | file | ours | s |\n"
      "|---:|---:|---:|---:|\n");
  for (const int32_t nodes : {100, 1'000, 10'000, 100'000}) {
    const Graph graph = Tangle(nodes);
    const auto begin = std::chrono::steady_clock::now();
    const auto result = OrderForMemory(graph, options);
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    if (!result.ok()) continue;
    std::printf("| %d | %lld | %lld | %.2f |\n", nodes,
                static_cast<long long>(result->file_max_live_bytes),
                static_cast<long long>(result->max_live_bytes),
                seconds.count());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) {
  using memplan::InPlaceMode;
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 3;
  const int64_t effort =
      argc > 2 ? std::atoll(argv[2]) : 1'000'000;  // PlanModel's
  const auto families =
      memplan::MakeFamilies(static_cast<uint32_t>(std::max(seeds, 1)));
  const auto options = [&](InPlaceMode in_place) {
    return memplan::Options(in_place, effort);
  };
  memplan::PrintTable(families, "Without in-place outputs",
                      options(InPlaceMode::kViews));
  memplan::PrintTable(families, "With in-place outputs",
                      options(InPlaceMode::kSafe));
  memplan::PrintTable(families, "With inputs laid in their Concat",
                      options(InPlaceMode::kAggressive));
  memplan::PrintGrowth(options(InPlaceMode::kSafe));
  return 0;
}
