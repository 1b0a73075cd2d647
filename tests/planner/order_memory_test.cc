#include "planner/order_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>

#include "planner/liveness.h"
#include "planner/order_onnxruntime.h"
#include "planner/order_window.h"
#include "tests/planner/graph_builder.h"
#include "tests/planner/random_graph.h"

namespace memplan {
namespace {

OrderOptions Options(InPlaceMode mode = InPlaceMode::kSafe) {
  OrderOptions options;
  options.storage.in_place = mode;
  options.storage.place_outputs = true;
  options.alignment = 1;
  options.storage.alignment = 1;
  return options;
}

int64_t LiveBytes(const Graph& graph, const Schedule& schedule,
                  const OrderOptions& options) {
  const auto timeline = MakeTimeline(graph, schedule);
  EXPECT_TRUE(timeline.ok()) << timeline.status();
  const std::vector<Lifespan> lifespans = ComputeLifespans(graph, *timeline);
  const auto placement = BuildProblem(
      graph, AssignStorage(graph, *timeline, lifespans, options.storage),
      lifespans, options.alignment);
  return MaxLiveBytes(placement->problem);
}

// Every order of every body, tried one by one.
int64_t LeastByTrial(const Graph& graph, const OrderOptions& options) {
  Schedule schedule = FileOrder(graph);
  int64_t least = INT64_MAX;
  const std::function<void(size_t)> permute = [&](size_t b) {
    if (b == schedule.orders.size()) {
      if (MakeTimeline(graph, schedule).ok()) {
        least = std::min(least, LiveBytes(graph, schedule, options));
      }
      return;
    }
    std::vector<NodeIndex>& order = schedule.orders[b];
    std::sort(order.begin(), order.end());
    do {
      permute(b + 1);
    } while (std::next_permutation(order.begin(), order.end()));
  };
  permute(0);
  return least;
}

void ExpectMinimal(const Graph& graph, const OrderOptions& options) {
  const auto result = OrderForMemory(graph, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->max_live_bytes, LeastByTrial(graph, options));
  EXPECT_EQ(LiveBytes(graph, result->schedule, options),
            result->max_live_bytes);
  EXPECT_TRUE(result->proved_minimal);
}

// nntrainer issue 1126, a residual block: L, M, N on one branch (100, 25, 100),
// P on the other (100), and an addition in place. P before N never holds the
// input and both results at once.
TEST(OrderForMemoryTest, WaitsWithWhatIsLargeUntilTheInputIsDead) {
  GraphBuilder g;
  const ValueIndex input = g.Input("input", 100);
  const ValueIndex m = g.Op("M", {g.Op("L", {input}, 100)}, 25);
  const ValueIndex n = g.Op("N", {m}, 100);
  const ValueIndex p = g.Op("P", {input}, 100);
  g.Output(g.Op("y", {g.InPlace("add", n, {p})}, 1));
  OrderOptions options = Options();
  options.storage.place_inputs = true;
  const auto result = OrderForMemory(g.graph(), options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->file_max_live_bytes, 300);
  EXPECT_EQ(result->max_live_bytes, 225);
  EXPECT_TRUE(result->proved_minimal);
}

TEST(OrderForMemoryTest, FinishesOneBranchBeforeItBeginsTheOther) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 1);
  const ValueIndex a = g.Op("a", {x}, 100);
  const ValueIndex c = g.Op("c", {x}, 100);
  const ValueIndex b = g.Op("b", {a}, 25);
  const ValueIndex d = g.Op("d", {c}, 25);
  g.Output(g.Op("y", {b, d}, 100));
  const auto result = OrderForMemory(g.graph(), Options());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->file_max_live_bytes, 225);
  EXPECT_EQ(result->max_live_bytes, 150);
  EXPECT_TRUE(result->proved_minimal);
}

// Samsung ONE issue 8089 (the example of Liberis and Lane, 2020): operators 1
// to 7; in file order the third needs 3136 + 1568 + 512 bytes, with the right
// branch first the second needs 3136 + 1568 + 256.
TEST(OrderForMemoryTest, TakesTheBranchFirstThatLeavesLessBehind) {
  GraphBuilder g;
  const ValueIndex t1 = g.Op("1", {g.Input("0", 1568)}, 3136);
  const ValueIndex t2 = g.Op("2", {t1}, 1568);
  const ValueIndex t3 = g.Op("3", {t2}, 512);
  const ValueIndex t4 = g.Op("4", {t1}, 512);
  const ValueIndex t5 = g.Op("5", {t3}, 256);
  const ValueIndex t6 = g.Op("6", {t4}, 256);
  g.Output(g.Op("7", {t5, t6}, 512));
  OrderOptions options = Options();
  options.storage.place_inputs = true;
  const auto result = OrderForMemory(g.graph(), options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->file_max_live_bytes, 5216);
  EXPECT_EQ(result->max_live_bytes, 4960);
  EXPECT_TRUE(result->proved_minimal);
  EXPECT_EQ(result->schedule.orders[0],
            (std::vector<NodeIndex>{0, 3, 5, 1, 2, 4, 6}));
}

TEST(OrderForMemoryTest, KeepsTheFilesOrderWhereNothingIsGained) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 1);
  const ValueIndex a = g.Op("a", {x}, 8);
  const ValueIndex b = g.Op("b", {x}, 8);
  g.Output(g.Op("y", {a, b}, 8));
  const auto result = OrderForMemory(g.graph(), Options());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->schedule, FileOrder(g.graph()));
  EXPECT_TRUE(result->proved_minimal);
}

TEST(OrderForMemoryTest, NodesWithSideEffectsStayInOrder) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 1);
  const ValueIndex a = g.Op("a", {x}, 100);
  const ValueIndex c = g.Op("c", {x}, 100);
  const ValueIndex b = g.Op("b", {a}, 25);
  const ValueIndex d = g.Op("d", {c}, 25);
  g.Output(g.Op("y", {b, d}, 1));
  for (NodeIndex n : {0, 1, 2, 3}) g.node(n).keeps_order = true;
  const auto result = OrderForMemory(g.graph(), Options());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->max_live_bytes, 225);
}

TEST(OrderForMemoryTest, EqualsBruteForceOnSmallRandomGraphs) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph = RandomGraph(seed, {.nodes = 7, .max_depth = 0}).Make();
    for (const InPlaceMode mode :
         {InPlaceMode::kOff, InPlaceMode::kViews, InPlaceMode::kSafe}) {
      OrderOptions options = Options(mode);
      options.storage.place_outputs = seed % 2 == 0;
      ExpectMinimal(graph, options);
    }
  }
}

TEST(OrderForMemoryTest, OrdersTheBodiesOfControlFlowToo) {
  int checked = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph = RandomGraph(seed, {.nodes = 7, .max_depth = 1}).Make();
    size_t orders = 1;
    for (const Body& body : graph.bodies) {
      for (size_t i = 2; i <= body.nodes.size(); ++i) orders *= i;
    }
    if (graph.bodies.size() == 1 || orders > 3000) continue;
    ++checked;
    ExpectMinimal(graph, Options());
  }
  EXPECT_GT(checked, 20);
}

// A generator in the manner of the randomly wired networks: cells of nodes
// joined at random, file order that of the generator. Each node is a
// convolution with one output.
Graph RandomlyWired(uint32_t seed, int cells, int nodes_a_cell, double joins) {
  std::mt19937 random(seed);
  GraphBuilder g;
  ValueIndex from = g.Input("x", 64);
  for (int cell = 0; cell < cells; ++cell) {
    std::vector<ValueIndex> nodes;
    std::vector<bool> is_read;
    for (int i = 0; i < nodes_a_cell; ++i) {
      std::vector<ValueIndex> inputs;
      for (size_t j = 0; j < nodes.size(); ++j) {
        if ((random() % 1000) < joins * 1000) {
          inputs.push_back(nodes[j]);
          is_read[j] = true;
        }
      }
      if (inputs.empty()) inputs.push_back(from);
      nodes.push_back(g.Op("n", inputs, 16 << random() % 3));
      is_read.push_back(false);
    }
    std::vector<ValueIndex> ends;
    for (size_t j = 0; j < nodes.size(); ++j) {
      if (!is_read[j]) ends.push_back(nodes[j]);
    }
    from = g.Op("cell", ends, 64);
  }
  g.Output(from);
  return g.graph();
}

TEST(OrderForMemoryTest, IsNeverWorseThanTheFileAndAlwaysTheSame) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const Graph graph = seed % 2 == 0 ? RandomGraph(seed, {.nodes = 60}).Make()
                                      : RandomlyWired(seed, 2, 24, 0.1);
    OrderOptions options = Options();
    options.effort = 5000;
    const auto once = OrderForMemory(graph, options);
    const auto twice = OrderForMemory(graph, options);
    ASSERT_TRUE(once.ok());
    EXPECT_EQ(once->schedule, twice->schedule);
    EXPECT_LE(once->max_live_bytes, once->file_max_live_bytes);
    EXPECT_EQ(LiveBytes(graph, once->schedule, options), once->max_live_bytes);
  }
}

TEST(OrderForMemoryTest, CutsCellsApartAndProvesEach) {
  const auto result = OrderForMemory(RandomlyWired(7, 20, 12, 0.2), Options());
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->proved_minimal);
  EXPECT_LT(result->max_live_bytes, result->file_max_live_bytes);
}

TEST(OrderForMemoryTest, TenThousandNodesTakeSeconds) {
  const Graph graph = RandomlyWired(3, 100, 100, 0.03);
  const auto begin = std::chrono::steady_clock::now();
  const auto result = OrderForMemory(graph, Options());
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(result.ok());
  EXPECT_LT(result->max_live_bytes, result->file_max_live_bytes);
  EXPECT_LT(took.count(), 20);
  RecordProperty("seconds", std::to_string(took.count()));
  std::printf("10,100 nodes: %.2f s, %ld -> %ld bytes, proved %d\n",
              took.count(), static_cast<long>(result->file_max_live_bytes),
              static_cast<long>(result->max_live_bytes),
              result->proved_minimal ? 1 : 0);
}

TEST(OrderForMemoryTest, AWideFanNeedsNoQuadraticTime) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 8);
  std::vector<ValueIndex> ends;
  for (int i = 0; i < 5000; ++i)
    ends.push_back(g.Op("b", {g.Op("a", {x}, 64)}, 8));
  g.Output(g.Op("y", ends, 8));
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(OrderForMemory(g.graph(), Options()).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace memplan
