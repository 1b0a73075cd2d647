#include "planner/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/graph_builder.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;

GraphBuilder Chain() {
  GraphBuilder g;
  g.Output(g.Op("b", {g.Op("a", {g.Input("x", 4)}, 4)}, 4));
  return g;
}

std::string ErrorOf(const GraphBuilder& g) {
  const absl::Status status = CheckGraph(g.graph());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(CheckGraphTest, AcceptsAChain) {
  EXPECT_TRUE(CheckGraph(Chain().graph()).ok());
}

TEST(CheckGraphTest, RefusesAGraphWithoutAMainBody) {
  EXPECT_FALSE(CheckGraph(Graph()).ok());
}

TEST(CheckGraphTest, RefusesIndicesOutOfRange) {
  GraphBuilder g = Chain();
  g.node(0).inputs = {99};
  EXPECT_THAT(ErrorOf(g), HasSubstr("out of range"));
  g = Chain();
  g.body(0).outputs = {-1};
  EXPECT_THAT(ErrorOf(g), HasSubstr("out of range"));
}

TEST(CheckGraphTest, NamesAValueWithTwoProducers) {
  GraphBuilder g = Chain();
  g.node(1).outputs = {g.node(0).outputs[0]};
  EXPECT_THAT(ErrorOf(g), HasSubstr("tensor 'a' has two producers"));
}

TEST(CheckGraphTest, NamesAReadBeforeItsProducer) {
  GraphBuilder g = Chain();
  std::swap(g.body(0).nodes[0], g.body(0).nodes[1]);
  EXPECT_THAT(ErrorOf(g), HasSubstr("node 'b' would read tensor 'a'"));
}

TEST(CheckGraphTest, RefusesAReadOfWhatIsInsideABody) {
  GraphBuilder g;
  const ValueIndex x = g.Input("x", 4);
  const NodeIndex choice = g.Node("if", {x});
  g.OpenBody(choice);
  const ValueIndex inner = g.Op("inner", {x}, 4);
  g.Output(inner);
  g.CloseBody();
  g.AddOutput(choice, "y", 4);
  EXPECT_TRUE(CheckGraph(g.graph()).ok());
  g.Op("thief", {inner}, 4);
  EXPECT_THAT(ErrorOf(g), HasSubstr("before it is produced"));
}

TEST(CheckGraphTest, RefusesAnOutputThatNobodyProduces) {
  GraphBuilder g = Chain();
  g.body(0).nodes.pop_back();
  g.node(1) = g.node(0);
  EXPECT_FALSE(CheckGraph(g.graph()).ok());
}

TEST(CheckGraphTest, RefusesABodyThatEnclosesItself) {
  GraphBuilder g = Chain();
  const NodeIndex outer = g.Node("outer", {});
  g.OpenBody(outer);
  g.node(g.Node("inner", {})).bodies = {1};
  EXPECT_THAT(ErrorOf(g), HasSubstr("two owners"));
}

TEST(CheckGraphTest, RefusesRulesAndCarriedPairsForOthersValues) {
  GraphBuilder g = Chain();
  g.Rule(1, {.value = g.node(0).outputs[0], .base = g.node(1).outputs[0]});
  EXPECT_THAT(ErrorOf(g), HasSubstr("sharing rule"));

  g = Chain();
  const NodeIndex loop = g.Node("loop", {});
  g.OpenBody(loop, true);
  const ValueIndex in = g.BodyInput("in", 4);
  g.Carry(in, g.Op("out", {in}, 4));  // but it is no output of the body
  EXPECT_THAT(ErrorOf(g), HasSubstr("carries"));
}

}  // namespace
}  // namespace memplan
