#include "planner/order_onnxruntime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/graph_builder.h"
#include "tests/planner/random_graph.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;

//   a(0) -> c(2) -.
//                  e(4)      the second branch first: of e's producers, d is
//   b(1) -> d(3) -'          the one with the higher index
TEST(OnnxRuntimeOrderTest, VisitsTheProducerWithTheHighestIndexFirst) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  const ValueIndex a = g.Op("a", {x}, 4);
  const ValueIndex b = g.Op("b", {x}, 4);
  const ValueIndex c = g.Op("c", {a}, 4);
  const ValueIndex d = g.Op("d", {b}, 4);
  g.Output(g.Op("e", {c, d}, 4));
  EXPECT_THAT(OnnxRuntimeOrder(g.graph()).orders,
              ElementsAre(ElementsAre(1, 3, 0, 2, 4)));
}

TEST(OnnxRuntimeOrderTest, BeginsWithTheLastLeaf) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  g.Output(g.Op("a", {x}, 4));
  g.Output(g.Op("b", {x}, 4));
  EXPECT_THAT(OnnxRuntimeOrder(g.graph()).orders,
              ElementsAre(ElementsAre(1, 0)));
}

TEST(OnnxRuntimeOrderTest, WhatABodyCapturesIsReadByTheNodeAroundIt) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  const ValueIndex a = g.Op("a", {x}, 4);
  const ValueIndex b = g.Op("b", {x}, 4);
  const NodeIndex choice = g.Node("if", {b});
  g.OpenBody(choice);
  g.Output(g.Op("inner", {a}, 4));
  g.CloseBody();
  g.Output(g.AddOutput(choice, "y", 4));
  EXPECT_THAT(OnnxRuntimeOrder(g.graph()).orders,
              ElementsAre(ElementsAre(1, 0, 2), ElementsAre(3)));
}

TEST(OnnxRuntimeOrderTest, IsAnOrderOfAnyGraph) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Graph graph = RandomGraph(seed, {.nodes = 40}).Make();
    const auto timeline = MakeTimeline(graph, OnnxRuntimeOrder(graph));
    EXPECT_TRUE(timeline.ok()) << "seed " << seed << ": " << timeline.status();
  }
}

}  // namespace
}  // namespace memplan
