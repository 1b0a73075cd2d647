#include "planner/liveness.h"

#include <gtest/gtest.h>

#include "tests/planner/graph_builder.h"

namespace memplan {
namespace {

class LivenessTest : public ::testing::Test {
 protected:
  Lifespan Of(ValueIndex v) {
    const auto timeline = MakeTimeline(g.graph(), FileOrder(g.graph()));
    EXPECT_TRUE(timeline.ok()) << timeline.status();
    return ComputeLifespans(g.graph(), *timeline)[static_cast<size_t>(v)];
  }

  GraphBuilder g;
};

// step   0   1   2   3
//        a   b   c   d
// a      |---|---|         read by b and c
// b          |---|---|---| read by d
TEST_F(LivenessTest, LastsFromTheProducerToTheLastReader) {
  const ValueIndex a = g.Op("a", {g.Input("x", 4)}, 4);
  const ValueIndex b = g.Op("b", {a}, 4);
  const ValueIndex c = g.Op("c", {a}, 4);
  const ValueIndex d = g.Op("d", {b, c}, 4);
  g.Output(d);
  EXPECT_EQ(Of(a), (Lifespan{0, 3}));
  EXPECT_EQ(Of(b), (Lifespan{1, 4}));
  EXPECT_EQ(Of(d), (Lifespan{3, 4}));
}

TEST_F(LivenessTest, AnOutputThatNobodyReadsLivesForItsProducersStep) {
  const NodeIndex split = g.Node("split", {g.Input("x", 8)});
  const ValueIndex dead = g.AddOutput(split, "dead", 4);
  const ValueIndex read = g.AddOutput(split, "read", 4);
  g.Output(g.Op("y", {read}, 4));
  EXPECT_EQ(Of(dead), (Lifespan{0, 1}));
  EXPECT_EQ(Of(read), (Lifespan{0, 2}));
}

TEST_F(LivenessTest, AGraphOutputLivesToTheEnd) {
  const ValueIndex a = g.Op("a", {g.Input("x", 4)}, 4);
  g.Output(a);
  g.Output(a);  // listed twice, it is one value
  g.Output(g.Op("b", {a}, 4));
  g.Op("c", {a}, 4);
  EXPECT_EQ(Of(a), (Lifespan{0, 3}));
}

TEST_F(LivenessTest, InputsAndInitializersBeginAtZero) {
  const ValueIndex x = g.Input("x", 4);
  const ValueIndex ignored = g.Input("ignored", 4);
  const ValueIndex w = g.Constant("w", 4);
  g.Op("a", {x}, 4);
  g.Output(g.Op("b", {x, w}, 4));
  EXPECT_EQ(Of(x), (Lifespan{0, 2}));
  EXPECT_EQ(Of(ignored), (Lifespan{0, 1}));
  EXPECT_EQ(Of(w), (Lifespan{0, 2}));
}

// step  0    1    2      3      4        5      6     7
//       a    if   inner  deep   ends     ends   b
// a     |------------------------------------|        read by `deep`
// i          (inner's output) |--2 to 5--|
TEST_F(LivenessTest, ACaptureLastsToTheEndOfTheOutermostNodeBelowItsScope) {
  const ValueIndex x = g.Input("x", 4);
  const ValueIndex a = g.Op("a", {x}, 4);
  const NodeIndex outer = g.Node("if", {x});
  g.OpenBody(outer);
  const NodeIndex inner = g.Node("inner", {x});
  g.OpenBody(inner);
  const ValueIndex deep = g.Op("deep", {a}, 4);
  g.Output(deep);
  g.CloseBody();
  const ValueIndex i = g.AddOutput(inner, "i", 4);
  g.Output(i);
  g.CloseBody();
  const ValueIndex y = g.AddOutput(outer, "y", 4);
  g.Output(g.Op("b", {y}, 4));
  EXPECT_EQ(Of(a), (Lifespan{0, 6}));
  EXPECT_EQ(Of(deep), (Lifespan{3, 4}));
  EXPECT_EQ(Of(i), (Lifespan{2, 5}));
  EXPECT_EQ(Of(y), (Lifespan{1, 7}));  // may be written from the If's begin
}

TEST_F(LivenessTest, TheBranchesOfAnIfDoNotMeet) {
  const ValueIndex x = g.Input("x", 4);
  const NodeIndex choice = g.Node("if", {x});
  g.OpenBody(choice);
  const ValueIndex then_out = g.Op("then", {x}, 4);
  g.Output(then_out);
  g.CloseBody();
  g.OpenBody(choice);
  const ValueIndex else_out = g.Op("else", {x}, 4);
  g.Output(else_out);
  g.CloseBody();
  g.Output(g.AddOutput(choice, "y", 4));
  EXPECT_FALSE(Overlaps(Of(then_out), Of(else_out)));
}

TEST_F(LivenessTest, ACaptureThatABodyHandsOnIsRead) {
  const ValueIndex a = g.Op("a", {g.Input("x", 4)}, 4);
  const NodeIndex choice = g.Node("if", {});
  g.OpenBody(choice);
  g.Output(a);
  g.CloseBody();
  g.Output(g.AddOutput(choice, "y", 4));
  EXPECT_EQ(Of(a), (Lifespan{0, 3}));
}

// step   0     1   2   3   4
//        loop  p   q   r   ends
// in           |-----------|      through the whole body, though p reads last
// out              |-------|      from its producer to the body's end
// tmp          |---|
TEST_F(LivenessTest, WhatALoopCarriesLivesThroughTheBody) {
  const ValueIndex x = g.Input("x", 4);
  const NodeIndex loop = g.Node("loop", {x});
  g.OpenBody(loop, /*repeats=*/true);
  const ValueIndex in = g.BodyInput("in", 4);
  const ValueIndex ignored = g.BodyInput("ignored", 4);
  const ValueIndex tmp = g.Op("p", {in}, 4);
  const ValueIndex out = g.Op("q", {tmp}, 4);
  g.Op("r", {out}, 4);
  g.Output(out);
  g.Carry(in, out);
  g.CloseBody();
  const ValueIndex y = g.AddOutput(loop, "y", 4);
  g.Output(y);
  EXPECT_EQ(Of(x), (Lifespan{0, 5}));
  EXPECT_EQ(Of(in), (Lifespan{1, 4}));
  EXPECT_EQ(Of(ignored), (Lifespan{1, 4}));
  EXPECT_EQ(Of(out), (Lifespan{2, 4}));
  EXPECT_EQ(Of(tmp), (Lifespan{1, 3}));
  EXPECT_EQ(Of(y), (Lifespan{0, 5}));
}

TEST_F(LivenessTest, AnEmptyBodyStillNeedsBytesForWhatItReceives) {
  const ValueIndex x = g.Input("x", 4);
  const NodeIndex loop = g.Node("loop", {x});
  g.OpenBody(loop, /*repeats=*/true);
  const ValueIndex in = g.BodyInput("in", 4);
  g.Output(in);
  g.Carry(in, in);
  g.CloseBody();
  g.Output(g.AddOutput(loop, "y", 4));
  EXPECT_EQ(Of(in), (Lifespan{1, 2}));
}

}  // namespace
}  // namespace memplan
