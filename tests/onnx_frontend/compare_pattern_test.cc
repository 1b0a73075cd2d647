#include "onnx_frontend/compare_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"

namespace memplan {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

Plan PlanOf(const std::string& nodes) {
  const auto model = ReadModelFromBytes(
      R"(< ir_version: 8, opset_import: ["" : 17] >
         g (float[8, 64] x) => (float[8, 64] y) {)" +
          nodes + "}",
      "m.onnxtxt");
  EXPECT_TRUE(model.ok()) << model.status();
  auto plan = PlanModel(*model, {});
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *std::move(plan);
}

constexpr char kNodes[] = "a = Relu (x) b = Exp (x) c = Neg (b) y = Add (a, c)";

TEST(ComparePatternTest, APlanHoldsForItself) {
  const Plan plan = PlanOf(kNodes);
  const PatternFindings found = ComparePattern(plan.pattern, plan);
  EXPECT_THAT(found.lines, IsEmpty());
  EXPECT_FALSE(found.in_graph);
  EXPECT_FALSE(found.in_lifespans);
}

// Another order may mend what is said of lifespans, but no order brings back a
// tensor, its size, or a step.
TEST(ComparePatternTest, TellsWhatNoOrderOfTheNodesCanMend) {
  const MemoryPattern pattern = PlanOf(kNodes).pattern;
  const PatternFindings swapped = ComparePattern(
      pattern, PlanOf("b = Exp (x) a = Relu (x) c = Neg (b) y = Add (a, c)"));
  EXPECT_THAT(swapped.lines, Not(IsEmpty()));
  EXPECT_FALSE(swapped.in_graph);
  EXPECT_TRUE(swapped.in_lifespans);

  const PatternFindings renamed = ComparePattern(
      pattern, PlanOf("a = Relu (x) q = Exp (x) c = Neg (q) y = Add (a, c)"));
  EXPECT_TRUE(renamed.in_graph);

  MemoryPattern larger = pattern;
  larger.tensors[0].size += 64;
  EXPECT_TRUE(ComparePattern(larger, PlanOf(kNodes)).in_graph);

  const PatternFindings longer = ComparePattern(
      pattern,
      PlanOf(
          "a = Relu (x) b = Exp (x) c = Neg (b) d = Add (a, c) y = Neg (d)"));
  EXPECT_TRUE(longer.in_graph);
  EXPECT_EQ(longer.lines[0], "the model takes 5 steps, the plan 4");
}

}  // namespace
}  // namespace memplan
