#include "onnx_frontend/infer_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "planner/usage_error.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::Status InferError(std::string_view text, const InputOptions& options) {
  absl::StatusOr<ModelGraph> graph = GraphFromText(text);
  if (!graph.ok()) return graph.status();
  return InferShapes(options, *graph).status();
}

constexpr std::string_view kSymbolic = R"(
  g (float[batch, 8] x, float[batch, 4] z) => (float[batch, 8] y) {
    t = Relu(x)
    y = Exp(t)
    w = Neg(z)
  })";

TEST(InferShapesTest, SymbolsFlowWhereNothingIsBound) {
  EXPECT_EQ(TypeOf(Inferred(kSymbolic), "t"), "float32[batch, 8]");
}

TEST(InferShapesTest, ADimBindsItsSymbolEverywhere) {
  InputOptions options;
  options.dims = {{"batch", 3}};
  const ModelGraph graph = Inferred(kSymbolic, options);
  EXPECT_EQ(TypeOf(graph, "y"), "float32[3, 8]");
  EXPECT_EQ(TypeOf(graph, "w"), "float32[3, 4]");
}

TEST(InferShapesTest, AnInputShapeBindsItsSymbolsEverywhere) {
  InputOptions options;
  options.shapes = {{"x", {"5", "8"}}};
  EXPECT_EQ(TypeOf(Inferred(kSymbolic, options), "w"), "float32[5, 4]");
}

TEST(InferShapesTest, TwoNumbersForOneSymbolNameBothSayings) {
  InputOptions options;
  options.dims = {{"batch", 3}};
  options.shapes = {{"x", {"5", "8"}}};
  const absl::Status status = InferError(kSymbolic, options);
  EXPECT_TRUE(IsUsageError(status));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("'batch' is 5 by dimension 0 of --input-shape x, "
                        "and 3 by --dim batch=3"));
}

TEST(InferShapesTest, UnknownNamesComeWithTheNearest) {
  InputOptions options;
  options.dims = {{"bacth", 3}};
  const absl::Status status = InferError(kSymbolic, options);
  EXPECT_TRUE(IsUsageError(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("did you mean 'batch'"));
}

TEST(InferShapesTest,
     AStaticShapeMayBeOverriddenAndThenDeclaredOnesAreNotTrusted) {
  InputOptions options;
  options.shapes = {{"x", {"2", "8"}}};
  const ModelGraph graph = Inferred(R"(
    g (float[1, 8] x) => (float[1, 8] y) { y = Relu(x) })",
                                    options);
  EXPECT_EQ(TypeOf(graph, "y"), "float32[2, 8]");
  EXPECT_THAT(graph.warnings,
              ElementsAre(HasSubstr("dimension 0 of 'x' is 1 in the model")));
}

TEST(InferShapesTest, FoldsTheArithmeticThatShapesAreComputedBy) {
  const ModelGraph graph = Inferred(R"(
    g (float[2, 3, 4] x) => (y) {
      s = Shape(x)
      zero = Constant<value_int = 0>()
      axes = Constant<value_ints = [0]>()
      minus = Constant<value_ints = [-1]>()
      n = Gather<axis = 0>(s, zero)
      u = Unsqueeze(n, axes)
      target = Concat<axis = 0>(u, minus)
      y = Reshape(x, target)
    })");
  EXPECT_EQ(TypeOf(graph, "y"), "float32[2, 12]");
}

TEST(InferShapesTest, TheContentsOfAnInputDecideAShapeOnlyWhereTheyAreGiven) {
  constexpr std::string_view kReshape = R"(
    g (float[2, 6] x, int64[2] target) => (y) { y = Reshape(x, target) })";
  const ModelGraph unknown = Inferred(kReshape);
  EXPECT_EQ(ValueNamed(unknown, "y").unknown_reason,
            "shape depends on the contents of 'target'; add --input-value "
            "target:...");
  InputOptions options;
  options.values = {{"target", {"4", "-1"}}};
  EXPECT_EQ(TypeOf(Inferred(kReshape, options), "y"), "float32[4, 3]");
}

TEST(InferShapesTest, FloatContentsOfAnInputDecideShapesToo) {
  constexpr std::string_view kResize = R"(
    g (float[1, 3, 4, 4] x, float[4] scales, float limit) => (y, r) {
      y = Resize(x, , scales)
      zero = Constant<value_float = 0.0>()
      step = Constant<value_float = 0.25>()
      r = Range(zero, limit, step)
    })";
  const ModelGraph unknown = Inferred(kResize);
  EXPECT_EQ(ValueNamed(unknown, "y").unknown_reason,
            "shape depends on the contents of 'scales'; add --input-value "
            "scales:...");
  EXPECT_EQ(ValueNamed(unknown, "r").unknown_reason,
            "shape depends on the contents of 'limit'; add --input-value "
            "limit:...");
  InputOptions options;
  options.values = {{"scales", {"1", "1", "2", "0.5"}}, {"limit", {"1.1"}}};
  const ModelGraph known = Inferred(kResize, options);
  EXPECT_EQ(TypeOf(known, "y"), "float32[1, 3, 8, 2]");
  EXPECT_EQ(TypeOf(known, "r"), "float32[5]");
}

TEST(InferShapesTest, AnOptionalThatIsGivenIsThereAndItsContentsDecide) {
  absl::StatusOr<ModelGraph> graph = GraphFromText(R"(
    g (float[2, 6] x, int64[2] maybe) => (y, has) {
      has = OptionalHasElement(maybe)
      target = OptionalGetElement(maybe)
      y = Reshape(x, target)
    })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  // The library's text syntax has no optionals.
  for (ModelValue& value : graph->values) {
    if (value.name == "maybe") value.declared = Type::Optional(value.declared);
  }
  InputOptions options;
  options.values = {{"maybe", {"4", "-1"}}};
  ASSERT_TRUE(InferShapes(options, *graph).ok());
  EXPECT_EQ(TypeOf(*graph, "y"), "float32[4, 3]");
  EXPECT_EQ(KnownInts(*ValueNamed(*graph, "has").value),
            std::vector<int64_t>{1});
}

TEST(InferShapesTest, AnUnknownOperatorIsNamedAndTheRestGoesOn) {
  const ModelGraph graph = Inferred(R"(
    g (float[4] x) => (a, b) {
      a = Mystery(x)
      c = Relu(a)
      b = Relu(x)
    })");
  EXPECT_EQ(TypeOf(graph, "b"), "float32[4]");
  EXPECT_THAT(ValueNamed(graph, "c").unknown_reason,
              HasSubstr("operator Mystery (opset 17) is not known"));
  EXPECT_EQ(ValueNamed(graph, "c").unknown_node, "Mystery_0");
}

TEST(InferShapesTest, ADeclaredShapeStandsInForAnUnknownOperator) {
  const ModelGraph graph = Inferred(R"(
    g (float[4] x) => (float[9] a) { a = Mystery(x) })");
  EXPECT_EQ(TypeOf(graph, "a"), "float32[9]");
  EXPECT_TRUE(ValueNamed(graph, "a").type_is_declared);
}

TEST(InferShapesTest, ADeclaredShapeCountsWhereTheOperatorLeavesItOpen) {
  const ModelGraph graph = Inferred(R"(
    g (float[1, 2, 4, 4] dy) => (float[1, 2, 8, 8] dx) {
      dx = AveragePoolGrad <kernel_shape = [2, 2]> (dy)
    })");
  EXPECT_EQ(TypeOf(graph, "dx"), "float32[1, 2, 8, 8]");
  EXPECT_TRUE(ValueNamed(graph, "dx").type_is_declared);
}

TEST(InferShapesTest, AContradictionIsReportedAndTheComputedShapeUsed) {
  constexpr std::string_view kWrong =
      "g (float[4] x) => (float[9] y) { y = Relu(x) }";
  const ModelGraph graph = Inferred(kWrong);
  EXPECT_EQ(TypeOf(graph, "y"), "float32[4]");
  EXPECT_THAT(graph.warnings,
              ElementsAre(HasSubstr("declares float32[9], but node 'Relu_0' "
                                    "gives float32[4]")));
  InputOptions strict;
  strict.strict = true;
  EXPECT_FALSE(InferError(kWrong, strict).ok());
}

TEST(InferShapesTest, ABoundIsUsedForWhatOnlyARunCanTell) {
  InputOptions options;
  options.bounds = {{"y", {10, 3}}};
  const ModelGraph graph = Inferred(R"(
    g (float[n] x, int64[2] t) => (y) { y = Reshape(x, t) })",
                                    options);
  const ModelValue& y = ValueNamed(graph, "y");
  ASSERT_TRUE(y.type.has_shape());
  const auto range = graph.symbol_ranges.find(y.type.shape->at(0).ToString());
  ASSERT_NE(range, graph.symbol_ranges.end());
  EXPECT_EQ(range->second.second, 10);
}

// ------------------------------------------------------------ control flow

std::string IfText(std::string_view else_shape) {
  return absl::StrCat(R"(
    g (float[2, 3] x, bool c) => (y) {
      s = Constant<value_ints = )",
                      AsAbsl(else_shape), R"(>()
      y = If (c) <
        then_branch = t () => (float[] a) { a = Relu(x) },
        else_branch = e () => (float[] b) { b = Reshape(x, s) } >
    })");
}

TEST(InferShapesTest, BranchesOfOneShapeGiveThatShape) {
  EXPECT_EQ(TypeOf(Inferred(IfText("[2, 3]")), "y"), "float32[2, 3]");
}

TEST(InferShapesTest, BranchesOfDifferentShapesGiveWhatTheyHaveInCommon) {
  const ModelGraph graph = Inferred(R"(
    g (float[2, 3] x, float[2, 5] z, bool c) => (y) {
      y = If (c) <
        then_branch = t () => (a) { a = Relu(x) },
        else_branch = e () => (b) { b = Relu(z) } >
    })");
  EXPECT_EQ(TypeOf(graph, "y"), "float32[2, ?]");
  EXPECT_EQ(ValueNamed(graph, "y").unknown_reason,
            "shape depends on which branch runs");
}

TEST(InferShapesTest, AKnownConditionTakesItsBranch) {
  InputOptions options;
  options.values = {{"c", {"false"}}};
  EXPECT_EQ(TypeOf(Inferred(IfText("[6]"), options), "y"), "float32[6]");
}

std::string LoopText(std::string_view trips, std::string_view next) {
  return absl::StrCat(R"(
    g (float[2, 3] x) => (y, scans) {
      m = Constant<value_int = )",
                      AsAbsl(trips), R"(>()
      go = Constant<value = bool {1}>()
      y, scans = Loop (m, go, x) <
        body = b (int64 i, bool c, float[a, b] v) => (c2, v2, v3) {
          c2 = Identity(c)
          v2 = )",
                      AsAbsl(next), R"(
          v3 = Exp(v)
        } >
    })");
}

TEST(InferShapesTest, ALoopsTripCountIsTheFirstDimensionOfItsScans) {
  const ModelGraph graph = Inferred(LoopText("5", "Relu(v)"));
  EXPECT_EQ(TypeOf(graph, "y"), "float32[2, 3]");
  EXPECT_EQ(TypeOf(graph, "scans"), "float32[5, 2, 3]");
  EXPECT_EQ(TypeOf(graph, "v2", "2.body"), "float32[2, 3]");
}

TEST(InferShapesTest,
     WhatChangesInALoopIsUnknownInsideAndToldTripByTripOutside) {
  const ModelGraph graph = Inferred(LoopText("3", "Concat<axis = 1>(v, v)"));
  EXPECT_EQ(TypeOf(graph, "v2", "2.body"), "float32[2, ?]");
  EXPECT_EQ(TypeOf(graph, "y"), "float32[2, 24]");
}

// Doubles until the condition says no more.
std::string WhileText(std::string_view limit) {
  return absl::StrCat(R"(
    g (float start) => (y, scans) {
      go = Constant<value = bool {1}>()
      most = Constant<value_int = 9223372036854775807>()
      y, scans = Loop (most, go, start) <
        body = b (int64 i, bool c, float v) => (c2, v2, v3) {
          v2 = Add(v, v)
          limit = Constant<value_float = )",
                      AsAbsl(limit), R"(>()
          c2 = Less(v2, limit)
          v3 = Exp(v2)
        } >
    })");
}

TEST(InferShapesTest, ALoopThatItsConditionEndsIsToldTripByTrip) {
  InputOptions options;
  options.values = {{"start", {"0.5"}}};
  EXPECT_EQ(TypeOf(Inferred(WhileText("30.0"), options), "scans"),
            "float32[6]");
  const ModelGraph unknown = Inferred(WhileText("30.0"));
  EXPECT_FALSE(ValueNamed(unknown, "scans").type.shape->at(0).is_number());
  options.values = {{"start", {"-1"}}};  // for ever
  const ModelGraph endless = Inferred(WhileText("30.0"), options);
  EXPECT_FALSE(ValueNamed(endless, "scans").type.shape->at(0).is_number());
}

TEST(InferShapesTest, ABodyThatDeclaresItsIterationAsAVectorGetsOne) {
  const ModelGraph graph = Inferred(R"(
    g (float[4, 3] x) => (rows) {
      most = Constant<value_int = 4>()
      go = Constant<value = bool {1}>()
      rows = Loop (most, go) <
        body = b (int64[1] i, bool c) => (c2, row) {
          c2 = Identity(c)
          row = Gather(x, i)
        } >
    })");
  EXPECT_EQ(TypeOf(graph, "row", "2.body"), "float32[1, 3]");
  EXPECT_EQ(TypeOf(graph, "rows"), "float32[4, 1, 3]");
}

TEST(InferShapesTest, AScanStacksWhatItsBodyReturns) {
  const ModelGraph graph = Inferred(R"(
    g (float[4] state, float[7, 5] xs) => (last, ys) {
      last, ys = Scan <num_scan_inputs = 1, scan_input_axes = [1],
                       scan_output_axes = [-1],
        body = b (float[4] s, float[7] x) => (s2, y) {
          s2 = Relu(s)
          y = Exp(x)
        } > (state, xs)
    })");
  EXPECT_EQ(TypeOf(graph, "last"), "float32[4]");
  EXPECT_EQ(TypeOf(graph, "ys"), "float32[7, 5]");
}

TEST(InferShapesTest, ASequenceMapRunsItsBodyForEachElement) {
  const ModelGraph graph = Inferred(R"(
    g (float[2, 3] a, float[5] b, float[1] c) => (float[s] y, float[t] z) {
      pair = SequenceConstruct(a, b)
      mapped = SequenceMap <body = each (float x, float w) => (float v) {
        v = Concat <axis = -1> (x, x)
      }> (pair, c)
      zero = Constant <value = int64 {0}> ()
      y = SequenceAt(mapped, zero)
      one = Constant <value = int64 {1}> ()
      z = SequenceAt(mapped, one)
    })");
  EXPECT_EQ(TypeOf(graph, "y"), "float32[2, 6]");
  EXPECT_EQ(TypeOf(graph, "z"), "float32[10]");
  // The body's own values hold for each element.
  EXPECT_EQ(TypeOf(graph, "v", "1.body"), "float32[...]");
}

TEST(InferShapesTest, AScoreModifierSeesTheScoresOfEachQueryForEachKey) {
  const ModelGraph graph = Inferred(R"(
    g (float16[2, 8, 4, 16] q, float16[2, 2, 6, 16] k, float16[2, 2, 6, 32] v)
        => (float16[a, b, c, d] y) {
      y = ai.onnx.preview.FlexAttention <score_mod = mod (float s) => (float t) {
        t = Tanh(s)
      }> (q, k, v)
    })");
  EXPECT_EQ(TypeOf(graph, "y"), "float16[2, 8, 4, 32]");
  EXPECT_EQ(TypeOf(graph, "t", "0.score_mod"), "float32[2, 8, 4, 6]");
}

}  // namespace
}  // namespace memplan
