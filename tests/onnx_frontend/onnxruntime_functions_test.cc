#include "onnx_frontend/onnxruntime_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;

// What the runtime itself (1.30, optimisation disabled) makes of each of these.

// The operators in the order in which they run.
std::vector<std::string> Operators(
    std::string_view graph, int opset,
    RuntimeKind runtime = RuntimeKind::kOnnxRuntime) {
  const absl::StatusOr<Model> model = ReadModelFromBytes(
      absl::StrCat("<ir_version: 8, opset_import: [\"\" : ", opset,
                   ", \"com.microsoft\" : 1]>\n", AsAbsl(graph)),
      "test.onnxtxt");
  EXPECT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.runtime = runtime;
  const absl::StatusOr<Plan> plan = PlanModel(*model, options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  std::vector<std::string> operators;
  if (!plan.ok()) return operators;
  for (NodeIndex n : plan->schedule.orders[0]) {
    operators.push_back(plan->graph.nodes[static_cast<size_t>(n)].op_type);
  }
  return operators;
}

TEST(OnnxRuntimeFunctionsTest, ExpandsWhatHasNoKernel) {
  constexpr std::string_view kHardSwish =
      "g (float[4] x) => (float[4] y) { y = HardSwish(x) }";
  EXPECT_THAT(Operators(kHardSwish, 14), ElementsAre("HardSigmoid", "Mul"));
  EXPECT_THAT(Operators(kHardSwish, 14, RuntimeKind::kGeneric),
              ElementsAre("HardSwish"));
  EXPECT_THAT(Operators("g (float[4] x) => (float[4] y) { y = Mish(x) }", 18),
              ElementsAre("Softplus", "Tanh", "Mul"));
  EXPECT_THAT(Operators("g (float[4] x) => (float[4] y) { y = Swish(x) }", 24),
              ElementsAre("Cast", "Mul", "Sigmoid", "Mul"));
  EXPECT_THAT(
      Operators("g (float[4] x) => (float[4] y) { y = Bernoulli(x) }", 15),
      ElementsAre("RandomUniformLike", "Greater", "Cast"));
}

TEST(OnnxRuntimeFunctionsTest, AKernelForOtherTypesIsNone) {
  EXPECT_THAT(
      Operators("g (float[4] x) => (float[4] y) { y = Softmax(x) }", 13),
      ElementsAre("Softmax"));
  EXPECT_THAT(
      Operators("g (float16[4] x) => (float16[4] y) { y = Softmax(x) }", 13),
      ElementsAre("Cast", "ReduceMax", "Sub", "Exp", "ReduceSum", "Div",
                  "Cast"));
}

TEST(OnnxRuntimeFunctionsTest, ConstantsOfItsOwnOperatorsHaveTheInputsType) {
  // Four of them, each in float16, and so each with a Cast.
  EXPECT_THAT(
      Operators(R"(
    g (float16[4] x) => (float16[4] y) {
      y = com.microsoft.FastGelu(x)
    })",
                13),
      ElementsAre("Cast", "Identity", "Cast", "Cast", "Cast", "Cast", "Mul",
                  "Mul", "Add", "Mul", "Tanh", "Add", "Mul", "Mul", "Cast"));
}

TEST(OnnxRuntimeFunctionsTest, KnowsTheRuntimesOwnGelus) {
  EXPECT_THAT(Operators(R"(
    g (float16[4] x) => (float16[4] y) {
      y = com.microsoft.Gelu(x)
    })",
                        13),
              ElementsAre("Cast", "Cast", "Cast", "Cast", "Mul", "Erf", "Add",
                          "Mul", "Mul", "Cast"));
  EXPECT_THAT(Operators(R"(
    g (float16[4] x) => (float16[4] y) {
      y = com.microsoft.QuickGelu(x)
    })",
                        13),
              ElementsAre("Cast", "Cast", "Mul", "Sigmoid", "Mul", "Cast"));
}

TEST(OnnxRuntimeFunctionsTest, ExpandsTheFunctionsThatFunctionsCall) {
  // By its name alone, the inner one would have no ignore_index.
  EXPECT_THAT(Operators(R"(
    g (float[3, 5] x, int64[3] t) => (float y) {
      y = SoftmaxCrossEntropyLoss<reduction = "sum", ignore_index = 2>(x, t)
    })",
                        13),
              ElementsAre("Unsqueeze", "Cast", "Equal", "Sub", "Where", "Shape",
                          "Reshape", "Transpose", "LogSoftmax", "Transpose",
                          "Reshape", "GatherElements", "Where", "Neg", "Slice",
                          "Squeeze", "Squeeze", "Where", "Mul", "ReduceSum"));
}

TEST(OnnxRuntimeFunctionsTest, KnowsBothGroupNormalizations) {
  EXPECT_THAT(
      Operators(R"(
    g (float[2, 4, 3] x, float[2] s, float[2] b) => (float[2, 4, 3] y) {
      y = GroupNormalization<num_groups = 2>(x, s, b)
    })",
                18),
      ElementsAre("Cast", "Reshape", "Shape", "Shape", "Shape", "Div", "Concat",
                  "Reshape", "Reshape", "ReduceMean", "Sub", "Mul", "Mul",
                  "ReduceMean", "Sub", "Cast", "Add", "Sqrt", "Div", "Mul",
                  "Cast", "Reshape", "Add", "Shape", "Reshape"));
  EXPECT_THAT(Operators(R"(
    g (float[2, 4, 3] x, float[4] s, float[4] b) => (float[2, 4, 3] y) {
      y = GroupNormalization<num_groups = 2>(x, s, b)
    })",
                        21),
              ElementsAre("Cast", "Reshape", "Shape", "Shape", "Shape", "Div",
                          "Concat", "Cast", "Reshape", "Reshape", "ReduceMean",
                          "Sub", "Mul", "Mul", "ReduceMean", "Sub", "Cast",
                          "Add", "Sqrt", "Div", "Shape", "Reshape", "Reshape",
                          "Cast", "Mul", "Cast", "Reshape", "Add", "Reshape"));
}

TEST(OnnxRuntimeFunctionsTest, NewNodesCountAsBehindTheFiles) {
  // Of what Add reads, the node with the highest number runs first.
  EXPECT_THAT(Operators(R"(
    g (float[4] x) => (float[4] y) {
      a = HardSwish(x)
      b = Neg(x)
      y = Add(a, b)
    })",
                        14),
              ElementsAre("HardSigmoid", "Mul", "Neg", "Add"));
}

TEST(OnnxRuntimeFunctionsTest, WhatMakesNoSenseExpandedStaysAsItIs) {
  // In this version, scale and bias are one for each group, of which there are
  // two.
  EXPECT_THAT(Operators(R"(
    g (float[2, 4, 3] x, float[4] s, float[4] b) => (float[2, 4, 3] y) {
      y = GroupNormalization<num_groups = 2>(x, s, b)
    })",
                        18),
              ElementsAre("GroupNormalization"));
}

TEST(OnnxRuntimeFunctionsTest, PlansWhatIsLeftWhereAttributesMakeNoSense) {
  const absl::StatusOr<Model> model = ReadModelFromBytes(R"(
    <ir_version: 8, opset_import: ["" : 21]>
    g (float[2, 4, 3] x, float[4] s, float[4] b) => (float[2, 4, 3] y) {
      y = GroupNormalization<num_groups = 0, stash_type = 99>(x, s, b)
    })",
                                                         "test.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.runtime = RuntimeKind::kOnnxRuntime;
  EXPECT_TRUE(PlanModel(*model, options).ok());
}

}  // namespace
}  // namespace memplan
