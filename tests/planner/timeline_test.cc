#include "planner/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/graph_builder.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;

Timeline FileTimeline(const GraphBuilder& g) {
  absl::StatusOr<Timeline> timeline =
      MakeTimeline(g.graph(), FileOrder(g.graph()));
  EXPECT_TRUE(timeline.ok()) << timeline.status();
  return *std::move(timeline);
}

// step    0     1    2            3            4        5
//         relu  if   [then: add]  [else: mul]  if ends  exp
TEST(TimelineTest, BodiesLieInsideTheirNodeOneAfterTheOther) {
  GraphBuilder g;
  const ValueIndex relu = g.Op("relu", {g.Input("x", 4)}, 4);
  const NodeIndex choice = g.Node("if", {relu});
  g.OpenBody(choice);
  g.Output(g.Op("add", {relu}, 4));
  g.CloseBody();
  g.OpenBody(choice);
  g.Output(g.Op("mul", {relu}, 4));
  g.CloseBody();
  g.Output(g.Op("exp", {g.AddOutput(choice, "y", 4)}, 4));

  const Timeline t = FileTimeline(g);
  EXPECT_THAT(t.node_steps,
              ElementsAre(Lifespan{0, 1}, Lifespan{1, 5}, Lifespan{2, 3},
                          Lifespan{3, 4}, Lifespan{5, 6}));
  EXPECT_THAT(t.body_steps,
              ElementsAre(Lifespan{0, 6}, Lifespan{2, 3}, Lifespan{3, 4}));
  EXPECT_THAT(t.order, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(t.num_steps, 6);
}

TEST(TimelineTest, AnEmptyBodyTakesAnEmptyRange) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  const NodeIndex choice = g.Node("if", {x});
  g.OpenBody(choice);
  g.Output(x);
  g.CloseBody();
  g.Output(g.AddOutput(choice, "y", 4));
  const Timeline t = FileTimeline(g);
  EXPECT_EQ(t.node_steps[0], (Lifespan{0, 2}));
  EXPECT_EQ(t.body_steps[1], (Lifespan{1, 1}));
}

TEST(TimelineTest, FollowsAnotherOrder) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  g.Op("a", {x}, 4);
  g.Op("b", {x}, 4);
  const auto t = MakeTimeline(g.graph(), {.orders = {{1, 0}}});
  ASSERT_TRUE(t.ok());
  EXPECT_THAT(t->order, ElementsAre(1, 0));
  EXPECT_EQ(t->node_steps[0], (Lifespan{1, 2}));
}

TEST(TimelineTest, RefusesWhatIsNoPermutationOrRunsTooEarly) {
  GraphBuilder g;
  g.Op("b", {g.Op("a", {g.Input("x", 4)}, 4)}, 4);
  for (const std::vector<NodeIndex>& order :
       std::vector<std::vector<NodeIndex>>{
           {}, {0}, {0, 0}, {0, 1, 1}, {0, 7}, {0, -1}, {1, 0}}) {
    EXPECT_FALSE(MakeTimeline(g.graph(), {.orders = {order}}).ok());
  }
  EXPECT_FALSE(MakeTimeline(g.graph(), {}).ok());
}

// A body reads what the node itself does not list: the node must still wait.
TEST(TimelineTest, ANodeWaitsForWhatItsBodiesCapture) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  const ValueIndex a = g.Op("a", {x}, 4);
  const NodeIndex outer = g.Node("outer", {x});
  g.OpenBody(outer);
  const NodeIndex inner = g.Node("inner", {x});
  g.OpenBody(inner);
  g.Output(g.Op("deep", {a}, 4));
  g.CloseBody();
  g.Output(g.AddOutput(inner, "i", 4));
  g.CloseBody();
  g.Output(g.AddOutput(outer, "o", 4));
  Schedule schedule = FileOrder(g.graph());
  EXPECT_TRUE(MakeTimeline(g.graph(), schedule).ok());
  std::swap(schedule.orders[0][0], schedule.orders[0][1]);
  EXPECT_FALSE(MakeTimeline(g.graph(), schedule).ok());
}

TEST(TimelineTest, BodiesMayNestHundredThousandDeep) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  constexpr int kDepth = 100'000;
  for (int i = 0; i < kDepth; ++i) g.OpenBody(g.Node("n", {x}));
  EXPECT_TRUE(CheckGraph(g.graph()).ok());
  EXPECT_EQ(FileTimeline(g).num_steps, 2 * kDepth);
}

}  // namespace
}  // namespace memplan
