// The order search on randomly wired networks, in the manner of the benchmark
// of Ahn et al., "Ordering Chaos" (MLSys 2020): cells whose nodes are joined at
// random, one after the other. Generators of our own; the file's order is the
// generator's.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "planner/order_memory.h"
#include "tests/planner/graph_builder.h"

namespace memplan {
namespace {

using Edges = std::vector<std::pair<int, int>>;  // from < to

// RandWire's three models of random graphs, made acyclic by the nodes' order.
Edges WattsStrogatz(int nodes, int neighbors, double rewire, std::mt19937& r) {
  Edges edges;
  std::uniform_real_distribution<double> chance(0, 1);
  for (int i = 0; i < nodes; ++i) {
    for (int k = 1; k <= neighbors / 2; ++k) {
      int to = (i + k) % nodes;
      if (chance(r) < rewire)
        to = static_cast<int>(r() % static_cast<uint32_t>(nodes));
      if (to != i) edges.push_back({std::min(i, to), std::max(i, to)});
    }
  }
  return edges;
}

Edges ErdosRenyi(int nodes, double probability, std::mt19937& r) {
  Edges edges;
  std::uniform_real_distribution<double> chance(0, 1);
  for (int i = 0; i < nodes; ++i) {
    for (int j = i + 1; j < nodes; ++j) {
      if (chance(r) < probability) edges.push_back({i, j});
    }
  }
  return edges;
}

Edges BarabasiAlbert(int nodes, int links, std::mt19937& r) {
  Edges edges;
  std::vector<int> ends;  // each node as often as it has edges
  for (int i = 0; i < links; ++i) ends.push_back(i);
  for (int i = links; i < nodes; ++i) {
    std::vector<int> chosen;
    while (static_cast<int>(chosen.size()) < links) {
      const int to = ends[r() % ends.size()];
      if (std::find(chosen.begin(), chosen.end(), to) == chosen.end()) {
        chosen.push_back(to);
      }
    }
    for (int to : chosen) {
      edges.push_back({to, i});
      ends.push_back(to);
      ends.push_back(i);
    }
  }
  return edges;
}

// A cell of RandWire: each node adds its inputs up, then convolves; nodes
// without input read the cell's, and those that nobody reads are averaged.
ValueIndex WiredCell(GraphBuilder& g, ValueIndex from, int nodes,
                     const Edges& edges, int64_t size) {
  std::vector<std::vector<ValueIndex>> inputs(static_cast<size_t>(nodes));
  std::vector<ValueIndex> values;
  std::vector<bool> is_read(static_cast<size_t>(nodes));
  for (int i = 0; i < nodes; ++i) {
    std::vector<ValueIndex> reads;
    for (const auto& [a, b] : edges) {
      if (b != i) continue;
      const ValueIndex v = values[static_cast<size_t>(a)];
      if (std::find(reads.begin(), reads.end(), v) != reads.end()) continue;
      reads.push_back(v);
      is_read[static_cast<size_t>(a)] = true;
    }
    if (reads.empty()) reads.push_back(from);
    values.push_back(g.Op("conv", reads, size));
  }
  std::vector<ValueIndex> ends;
  for (int i = 0; i < nodes; ++i) {
    if (!is_read[static_cast<size_t>(i)])
      ends.push_back(values[static_cast<size_t>(i)]);
  }
  return g.Op("mean", ends, size);
}

// A cell in DARTS' normal form: each of four nodes joins two earlier ones
// through separable convolutions (three steps each), then all are concatenated.
ValueIndex DartsCell(GraphBuilder& g, ValueIndex before, ValueIndex from,
                     std::mt19937& r, int64_t size) {
  std::vector<ValueIndex> nodes = {g.Op("pre0", {before}, size),
                                   g.Op("pre1", {from}, size)};
  for (int node = 0; node < 4; ++node) {
    std::vector<ValueIndex> joined;
    for (int branch = 0; branch < 2; ++branch) {
      ValueIndex v = nodes[r() % nodes.size()];
      for (int i = 0; i < 3; ++i) v = g.Op("sep", {v}, size);
      joined.push_back(v);
    }
    nodes.push_back(g.Op("add", joined, size));
  }
  return g.Op("concat", {nodes[2], nodes[3], nodes[4], nodes[5]}, 4 * size);
}

// A cell like SwiftNet's: branches of several depths side by side, small and
// large tensors mixed, joined pairwise. Emitted level by level.
ValueIndex SwiftCell(GraphBuilder& g, ValueIndex from, std::mt19937& r,
                     int64_t size) {
  const int branches = 8;
  std::vector<ValueIndex> level(branches, from);
  for (int depth = 0; depth < 4; ++depth) {
    std::vector<ValueIndex> next;
    for (int b = 0; b < branches; ++b) {
      const int64_t factor = depth == 3 ? 1 : 1 + static_cast<int64_t>(r() % 8);
      std::vector<ValueIndex> reads = {level[static_cast<size_t>(b)]};
      if (depth > 0 && r() % 6 == 0) {
        reads.push_back(level[static_cast<size_t>((b + 1) % branches)]);
      }
      next.push_back(g.Op("op", reads, size * factor / 4));
    }
    level = next;
  }
  return g.Op("concat", level, branches * size / 4);
}

using MakeCell = std::function<ValueIndex(GraphBuilder&, ValueIndex)>;

Graph ThreeCells(const MakeCell& cell) {
  GraphBuilder g;
  ValueIndex v = g.Op("stem", {g.Input("x", 64)}, 64);
  for (int i = 0; i < 3; ++i) v = cell(g, v);
  g.Output(g.Op("y", {v}, 8));
  return g.graph();
}

// Each line says how far the search came. Where it says "proved" no order needs
// less, so the factor tells of the generator's order, not of the search.
TEST(WiredNetworksTest, NeedLessThanInTheGeneratorsOrder) {
  struct Row {
    std::string name;
    Graph graph;
  };
  std::vector<Row> rows;
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    std::mt19937 r(seed);
    const auto add = [&](const std::string& name, const MakeCell& cell) {
      rows.push_back({name, ThreeCells(cell)});
    };
    add("RandWire WS", [&](GraphBuilder& g, ValueIndex v) {
      return WiredCell(g, v, 32, WattsStrogatz(32, 4, 0.75, r), 64);
    });
    add("RandWire ER", [&](GraphBuilder& g, ValueIndex v) {
      return WiredCell(g, v, 32, ErdosRenyi(32, 0.1, r), 64);
    });
    add("RandWire BA", [&](GraphBuilder& g, ValueIndex v) {
      return WiredCell(g, v, 32, BarabasiAlbert(32, 5, r), 64);
    });
    add("DARTS-like", [&](GraphBuilder& g, ValueIndex v) {
      return DartsCell(g, v, v, r, 16);
    });
    add("SwiftNet-like",
        [&](GraphBuilder& g, ValueIndex v) { return SwiftCell(g, v, r, 64); });
  }
  OrderOptions options;
  options.alignment = options.storage.alignment = 1;
  double sum_of_logs = 0;
  for (const Row& row : rows) {
    const auto begin = std::chrono::steady_clock::now();
    const auto result = OrderForMemory(row.graph, options);
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(result.ok());
    EXPECT_LE(result->max_live_bytes, result->file_max_live_bytes);
    const double factor = static_cast<double>(result->file_max_live_bytes) /
                          static_cast<double>(result->max_live_bytes);
    sum_of_logs += std::log(factor);
    std::printf("%-14s %3zu nodes  %6ld -> %6ld  %.2fx  %s  %.2f s\n",
                row.name.c_str(), row.graph.nodes.size(),
                static_cast<long>(result->file_max_live_bytes),
                static_cast<long>(result->max_live_bytes), factor,
                result->proved_minimal ? "proved" : "best found", took.count());
  }
  const double mean = std::exp(sum_of_logs / static_cast<double>(rows.size()));
  std::printf("geometric mean %.2fx\n", mean);
  EXPECT_GT(mean, 1.1);
}

}  // namespace
}  // namespace memplan
