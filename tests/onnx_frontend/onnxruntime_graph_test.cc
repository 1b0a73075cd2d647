#include "onnx_frontend/onnxruntime_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;

// What the runtime itself (1.30, optimisation disabled) makes of each of these.

Plan PlanOf(std::string_view text) {
  const absl::StatusOr<Model> model = ModelFromText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.runtime = RuntimeKind::kOnnxRuntime;
  absl::StatusOr<Plan> plan = PlanModel(*model, options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? *std::move(plan) : Plan();
}

// The operators of a body in the order in which they run.
std::vector<std::string> Operators(const Plan& plan, size_t body = 0) {
  std::vector<std::string> operators;
  for (NodeIndex n : plan.schedule.orders[body]) {
    operators.push_back(plan.graph.nodes[static_cast<size_t>(n)].op_type);
  }
  return operators;
}

std::vector<std::string> Operators(std::string_view text) {
  return Operators(PlanOf(text));
}

std::string TypeOf(const Plan& plan, std::string_view name) {
  for (const Value& value : plan.graph.values) {
    if (value.name == name) return value.type;
  }
  return "no such value";
}

TEST(OnnxRuntimeGraphTest, CastsAroundANodeThatCannotTakeFloat16) {
  const Plan plan = PlanOf(R"(
    g (float16[100] x) => (float16[100] y) {
      a = Sin(x)
      y = Identity(a)
    })");
  EXPECT_THAT(Operators(plan), ElementsAre("Cast", "Sin", "Cast", "Identity"));
  EXPECT_EQ(TypeOf(plan, "a"), "float16");
  EXPECT_EQ(TypeOf(plan, "InsertedPrecisionFreeCast_a"), "float32");
  // Two of 400 bytes, and where the first was, one of 200; each rounded up.
  EXPECT_EQ(plan.pattern.arena_size, 1024);
}

TEST(OnnxRuntimeGraphTest, OtherRuntimesRunTheModelAsItIs) {
  const absl::StatusOr<Model> model = ModelFromText(
      "g (float16[100] x) => (float16[100] y) { a = Sin(x) y = Sin(a) }");
  const absl::StatusOr<Plan> plan = PlanModel(*model, {});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(Operators(*plan), ElementsAre("Sin", "Sin"));
}

TEST(OnnxRuntimeGraphTest, CastsNothingForKernelsThatTakeFloat16) {
  EXPECT_THAT(Operators(R"(
    g (float16[2, 3] x) => (float16[3, 2] y) {
      t = Transpose(x)
      y = Clip(t)
    })"),
              ElementsAre("Transpose", "Clip"));
}

TEST(OnnxRuntimeGraphTest, HoldsInFloat32WhatSuchNodesPassOn) {
  const Plan plan = PlanOf(R"(
    g (float16[100] x) => (float16[100] y) {
      a = Sin(x)
      b = Cos(a)
      y = Identity(b)
    })");
  EXPECT_THAT(Operators(plan),
              ElementsAre("Cast", "Sin", "Cos", "Cast", "Identity"));
  EXPECT_EQ(TypeOf(plan, "a"), "float32");
  EXPECT_EQ(TypeOf(plan, "b"), "float16");
}

TEST(OnnxRuntimeGraphTest, RunsANodeBetweenSuchInFloat32) {
  EXPECT_THAT(Operators(R"(
    g (float16[2, 3] x) => (float16[3, 2] y) {
      a = Sin(x)
      t = Transpose(a)
      y = Cos(t)
    })"),
              ElementsAre("Cast", "Sin", "Transpose", "Cos", "Cast"));
  // Not where somebody takes float16, or the user gets it.
  EXPECT_THAT(
      Operators(R"(
    g (float16[2, 3] x) => (float16[3, 2] y, float16[3, 2] t) {
      a = Sin(x)
      t = Transpose(a)
      y = Cos(t)
    })"),
      ElementsAre("Cast", "Sin", "Cast", "Transpose", "Cast", "Cos", "Cast"));
}

TEST(OnnxRuntimeGraphTest, AllReadersOfAValueShareOneCast) {
  EXPECT_THAT(Operators(R"(
    g (float16[4] x) => (float16[4] y, float16[4] z) {
      y = Sin(x)
      z = Cos(x)
    })"),
              ElementsAre("Cast", "Sin", "Cast", "Cos", "Cast"));
}

TEST(OnnxRuntimeGraphTest, NewValuesHaveNamesOfTheirOwn) {
  const Plan plan = PlanOf(R"(
    g (bool c, float16[4] x, uint8[4] q, float s, uint8 z)
        => (float16[4] y, float[4] w) {
      y = If(c) <then_branch = t () => (float16[4] u) { u = Sin(x) },
                 else_branch = e () => (float16[4] v) { v = Cos(x) }>
      d = DequantizeLinear(q, s, z)
      w = Sum(d, d, d)
    })");
  std::set<std::pair<std::string, std::string>> names;
  for (const Value& value : plan.graph.values) {
    EXPECT_TRUE(names.emplace(value.scope, value.name).second)
        << value.scope << " " << value.name;
  }
}

TEST(OnnxRuntimeGraphTest, EachBodyCastsForItself) {
  const Plan plan = PlanOf(R"(
    g (bool c, float16[4] x) => (float16[4] y) {
      y = If(c) <then_branch = t () => (float16[4] u) { u = Sin(x) },
                 else_branch = e () => (float16[4] v) { v = Identity(x) }>
    })");
  EXPECT_THAT(Operators(plan), ElementsAre("If"));
  EXPECT_THAT(Operators(plan, 1), ElementsAre("Cast", "Sin", "Cast"));
  EXPECT_THAT(Operators(plan, 2), ElementsAre("Identity"));
}

TEST(OnnxRuntimeGraphTest, EachSlotReadsADequantizeLinearOfItsOwn) {
  const Plan plan = PlanOf(R"(
    g (uint8[4] x, float s, uint8 z) => (float[4] y) {
      d = DequantizeLinear(x, s, z)
      a = Sin(d)
      y = Add(a, d)
    })");
  EXPECT_THAT(Operators(plan), ElementsAre("DequantizeLinear",
                                           "DequantizeLinear", "Sin", "Add"));
  EXPECT_EQ(TypeOf(plan, "d/duplicated"), "float32");
}

TEST(OnnxRuntimeGraphTest, AnOutputsDequantizeLinearIsNoReaders) {
  EXPECT_THAT(Operators(R"(
    g (uint8[4] x, float s, uint8 z) => (float[4] y, float[4] d) {
      d = DequantizeLinear(x, s, z)
      y = Sin(d)
    })"),
              ElementsAre("DequantizeLinear", "Sin", "DequantizeLinear"));
}

TEST(OnnxRuntimeGraphTest, DropoutCopiesWhatItHandsOn) {
  constexpr char kModel[] = R"(
    <ir_version: 6, opset_import: ["" : 11]>
    g (float[64] x) => (float[64] y) {
      a = Sin(x)
      b, mask = Dropout(a)
      y = Cos(b)
    })";
  const absl::StatusOr<Model> model =
      ReadModelFromBytes(kModel, "test.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.runtime = RuntimeKind::kOnnxRuntime;
  const absl::StatusOr<Plan> plan = PlanModel(*model, options);
  ASSERT_TRUE(plan.ok()) << plan.status();
  // a and b of 256 bytes, and the mask that nobody reads.
  EXPECT_EQ(plan->pattern.arena_size, 768);
}

TEST(OnnxRuntimeGraphTest, OfTwoCastsTheFirstGoes) {
  const Plan plan = PlanOf(R"(
    g (int32[4] x) => (float[4] y) {
      a = Cast<to = 7>(x)
      b = Cast<to = 1>(a)
      y = Sin(b)
    })");
  EXPECT_THAT(Operators(plan), ElementsAre("Cast", "Sin"));
}

TEST(OnnxRuntimeGraphTest,
     LongChainsOfCastsTakeNoTimeWhicheverWayTheyAreListed) {
  std::string text;
  constexpr int kCasts = 30'000;
  for (int i = kCasts; i > 0; --i) {
    absl::StrAppend(&text, "c", i, " = Cast<to = ", i % 2 == 0 ? 7 : 6, ">(c",
                    i - 1, ")\n");
  }
  const Plan plan = PlanOf(absl::StrCat("g (int32[4] c0) => (int64[4] y) {\n",
                                        text, "y = Neg(c", kCasts, ")}"));
  EXPECT_LE(Operators(plan).size(), 3u);
}

TEST(OnnxRuntimeGraphTest, ACastThereAndBackGoes) {
  const std::string_view text = R"(
    g (float16[4] x) => (float16[4] y, bool[4] z) {
      a = Cast<to = 1>(x)
      b = Cast<to = 10>(a)
      y = Identity(b)
      z = IsNaN(a)
    })";
  // Somebody else reads the first.
  EXPECT_THAT(Operators(text), ElementsAre("Cast", "IsNaN", "Identity"));
}

TEST(OnnxRuntimeGraphTest, CastsOfTheModelThatTakePrecisionStay) {
  EXPECT_THAT(Operators(R"(
    g (float[4] x) => (float[4] y) {
      a = Cast<to = 10>(x)
      b = Cast<to = 1>(a)
      y = Sin(b)
    })"),
              ElementsAre("Cast", "Cast", "Sin"));
  EXPECT_THAT(Operators(R"(
    g (float[4] x) => (bool[4] y) {
      a = Cast<to = 6>(x)
      b = Cast<to = 9>(a)
      y = Not(b)
    })"),
              ElementsAre("Cast", "Cast", "Not"));
}

}  // namespace
}  // namespace memplan
