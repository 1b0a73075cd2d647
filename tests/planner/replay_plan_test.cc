#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "planner/liveness.h"
#include "planner/verify.h"
#include "tests/planner/graph_builder.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;

class ReplayPlanTest : public ::testing::Test {
 protected:
  // Every value by itself, at these offsets; unset is outside the arena.
  absl::Status Replay(std::vector<std::optional<int64_t>> offsets) {
    std::vector<ValueStorage> storage(g.graph().values.size());
    for (size_t v = 0; v < storage.size(); ++v) {
      storage[v].root = storage[v].shares_with = static_cast<ValueIndex>(v);
    }
    for (const ValueStorage& s : shared) {
      ValueStorage& own = storage[static_cast<size_t>(s.why_not[0])];
      own = s;
    }
    return ReplayPlan(g.graph(), FileOrder(g.graph()), storage, offsets);
  }
  void Share(ValueIndex v, ValueIndex base, SharingKind kind,
             int64_t offset = 0) {
    ValueStorage s;
    s.root = s.shares_with = base;
    s.sharing = kind;
    s.offset_in_root = offset;
    s.why_not = std::string(1, static_cast<char>(v));
    shared.push_back(s);
  }

  GraphBuilder g;
  std::vector<ValueStorage> shared;
};

constexpr std::nullopt_t kOutside = std::nullopt;

// x -> a -> b -> c(a, b): c reads a, so b may not stand on it.
TEST_F(ReplayPlanTest, NamesWhoReadsWhatAndWhoOverwroteIt) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex b = g.Op("b", {a}, 8);
  g.Output(g.Op("c", {a, b}, 8));
  EXPECT_TRUE(Replay({kOutside, 0, 8, kOutside}).ok());
  const absl::Status status = Replay({kOutside, 0, 7, kOutside});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "node 'b' needs tensor 'a' at bytes [0, 8), but tensor 'b' was "
            "written there");
}

// The verifier is content with whatever the lifespans say.
TEST_F(ReplayPlanTest, FindsAWrongLifespanThatTheVerifierBelieves) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex b = g.Op("b", {g.Input("z", 8)}, 8);
  g.Output(g.Op("c", {a, b}, 8));
  Problem wrong;
  wrong.buffers.resize(2);
  wrong.buffers[0].size = wrong.buffers[1].size = 8;
  wrong.buffers[0].lifespan = {0, 1};  // but a is read at step 2
  wrong.buffers[1].lifespan = {1, 3};
  EXPECT_TRUE(VerifySolution(wrong, {.offsets = {0, 0}, .arena_size = 8}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, kOutside, 0, kOutside}).ok());
}

// The replay sees no alignment, no capacity, and nothing wrong with bytes that
// nobody reads again; the verifier does.
TEST_F(ReplayPlanTest, LeavesToTheVerifierWhatNoReadCanTell) {
  const ValueIndex x = g.Input("x", 8);
  g.Op("dead", {x}, 8);
  g.Output(g.Op("y", {x}, 8));
  EXPECT_TRUE(Replay({kOutside, 3, kOutside}).ok());
  Problem problem;
  problem.buffers.resize(1);
  problem.buffers[0].size = 8;
  problem.buffers[0].lifespan = {0, 1};
  problem.buffers[0].alignment = 4;
  EXPECT_FALSE(
      VerifySolution(problem, {.offsets = {3}, .arena_size = 11}).ok());
}

TEST_F(ReplayPlanTest, FindsOutputsOfOneNodeInTheSameBytes) {
  const NodeIndex split = g.Node("split", {g.Input("x", 8)});
  g.AddOutput(split, "dead", 4);
  g.Output(g.Op("y", {g.AddOutput(split, "read", 4)}, 4));
  EXPECT_TRUE(Replay({kOutside, 0, 4, kOutside}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, 2, kOutside}).ok());
}

TEST_F(ReplayPlanTest, FindsAnOverwrittenGraphOutputOrInitializer) {
  const ValueIndex w = g.Constant("w", 8);
  const ValueIndex y = g.Op("y", {w}, 8);
  g.Output(y);
  const ValueIndex late = g.InPlace("late", w);
  g.Op("later", {late}, 8);
  EXPECT_TRUE(Replay({kOutside, 0, 8, 16}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, 8, 0}).ok());  // y is gone at the end
  Share(late, w, SharingKind::kInPlace);           // the next run finds no w
  EXPECT_THAT(std::string(Replay({kOutside, 0, 0, 16}).message()),
              HasSubstr("the caller needs tensor 'w'"));
}

// The second iteration reads x again, after the first has overwritten it.
TEST_F(ReplayPlanTest, RunsALoopTwiceSoThatCapturesAreReadAgain) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const NodeIndex loop = g.Node("loop", {});
  g.OpenBody(loop, /*repeats=*/true);
  const ValueIndex p = g.Op("p", {a}, 8);
  const ValueIndex q = g.Op("q", {p}, 8);  // a is not read after p
  g.Output(g.Op("r", {q}, 8));
  g.CloseBody();
  g.Output(g.AddOutput(loop, "y", 8));
  EXPECT_TRUE(Replay({kOutside, 0, 8, 16, 8, kOutside}).ok());
  EXPECT_THAT(std::string(Replay({kOutside, 0, 8, 0, 16, kOutside}).message()),
              HasSubstr("node 'p' in 'loop.body0' needs tensor 'a'"));
}

TEST_F(ReplayPlanTest, FindsACarriedValueThatIsWrittenOverWhatItCameFrom) {
  const NodeIndex loop = g.Node("loop", {g.Input("x", 8)});
  g.OpenBody(loop, /*repeats=*/true);
  const ValueIndex in = g.BodyInput("in", 8);
  const ValueIndex out = g.Op("out", {g.Op("p", {in}, 8)}, 8);
  const ValueIndex scan = g.Op("scan", {in}, 8);
  g.Output(out);
  g.Output(scan);
  g.Carry(in, out);
  g.CloseBody();
  g.Output(g.AddOutput(loop, "y", 8));
  EXPECT_TRUE(Replay({kOutside, 0, 8, 16, 24, kOutside}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, 8, 0, 16, kOutside}).ok());
}

// A body may write the node's outputs at any time.
TEST_F(ReplayPlanTest, KeepsBodiesAwayFromTheirNodesOutputsAndInputs) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const NodeIndex choice = g.Node("if", {a});
  g.OpenBody(choice);
  g.Output(g.Op("p", {a}, 8));
  g.CloseBody();
  g.Output(g.Op("z", {g.AddOutput(choice, "y", 8)}, 8));
  EXPECT_TRUE(Replay({kOutside, 0, 8, 16, kOutside}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, 16, 16, kOutside}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, 0, 16, kOutside}).ok());
}

TEST_F(ReplayPlanTest, AViewMustStandAtItsBaseAndHaveARule) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex v = g.View("v", a);
  g.Output(g.Op("y", {a, v}, 8));
  Share(v, a, SharingKind::kView);
  EXPECT_TRUE(Replay({kOutside, 0, kOutside, kOutside}).ok());
  g.node(1).share_rules.clear();
  EXPECT_THAT(std::string(Replay({kOutside, 0, kOutside, kOutside}).message()),
              HasSubstr("no rule"));
}

TEST_F(ReplayPlanTest, AnInPlaceOutputEndsItsBase) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex b = g.InPlace("b", a);
  Share(b, a, SharingKind::kInPlace);
  const ValueIndex c = g.Op("c", {b}, 8);
  g.Output(c);
  EXPECT_TRUE(Replay({kOutside, 0, kOutside, kOutside}).ok());
  g.node(2).inputs.push_back(a);
  EXPECT_FALSE(Replay({kOutside, 0, kOutside, kOutside}).ok());
}

TEST_F(ReplayPlanTest, SizesMayBeHuge) {
  constexpr int64_t kHuge = int64_t{1} << 60;
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, kHuge);
  const ValueIndex b = g.Op("b", {a}, kHuge);
  g.Output(g.Op("y", {b}, 8));
  EXPECT_TRUE(Replay({kOutside, 0, kHuge, kOutside}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, kHuge - 1, kOutside}).ok());
  EXPECT_FALSE(Replay({kOutside, 0, INT64_MAX - 8, kOutside}).ok());
}

TEST_F(ReplayPlanTest, DeepNestingOfLoopsDoesNotDoubleAtEachLevel) {
  const ValueIndex x = g.Input("x", 4);
  for (int i = 0; i < 20'000; ++i) g.OpenBody(g.Node("n", {x}), true);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(Replay({kOutside}).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

// 100,000 nodes, two buffers in turn, a chain of views beside them.
TEST(LongChainTest, AHundredThousandNodesTakeNoTime) {
  GraphBuilder g;
  ValueIndex v = g.Op("first", {g.Input("x", 8)}, 8);
  for (int i = 0; i < 100'000; ++i) {
    switch (i % 3) {
      case 0:
        v = g.View("v", v);
        break;
      case 1:
        v = g.InPlace("i", v);
        break;
      default:
        v = g.Op("o", {v}, 8);
    }
  }
  g.Output(v);
  const Graph& graph = g.graph();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(CheckGraph(graph).ok());
  const auto timeline = MakeTimeline(graph, FileOrder(graph));
  ASSERT_TRUE(timeline.ok());
  const std::vector<Lifespan> lifespans = ComputeLifespans(graph, *timeline);
  const std::vector<ValueStorage> storage =
      AssignStorage(graph, *timeline, lifespans, {});
  const auto placement = BuildProblem(graph, storage, lifespans, 8);
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(placement->buffer_roots.size(), 33'334u);

  Solution two_in_turn;
  std::vector<std::optional<int64_t>> offsets(graph.values.size());
  for (size_t b = 0; b < placement->buffer_roots.size(); ++b) {
    two_in_turn.offsets.push_back(b % 2 == 0 ? 0 : 8);
    offsets[static_cast<size_t>(placement->buffer_roots[b])] =
        two_in_turn.offsets[b];
  }
  two_in_turn.arena_size = 16;
  EXPECT_TRUE(VerifySolution(placement->problem, two_in_turn).ok());
  const absl::Status replayed =
      ReplayPlan(graph, FileOrder(graph), storage, offsets);
  EXPECT_TRUE(replayed.ok()) << replayed;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace memplan
