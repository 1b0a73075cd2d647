// Faults that users of other tools reported, as plans of small models with the
// right answer. What other tests hold already (unsorted files, cycles, names,
// orders, capacities, fixed offsets, records cut short, duplicate metadata) is
// not repeated here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "onnx_frontend/plan_model.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;

class FaultsTest : public ::testing::Test {
 protected:
  void PlanText(std::string_view text, const PlanOptions& options = {}) {
    const auto model = ModelFromText(text);
    ASSERT_TRUE(model.ok()) << model.status();
    const auto planned = PlanModel(*model, options);
    ASSERT_TRUE(planned.ok()) << planned.status();
    plan_ = *planned;
  }
  ValueIndex Index(std::string_view name, std::string_view scope = "") const {
    for (size_t i = 0; i < plan_.graph.values.size(); ++i) {
      const Value& value = plan_.graph.values[i];
      if (value.name == name && value.scope == scope) {
        return static_cast<ValueIndex>(i);
      }
    }
    ADD_FAILURE() << "no value '" << name << "'";
    return 0;
  }
  const Value& At(std::string_view name, std::string_view scope = "") const {
    return plan_.graph.values[static_cast<size_t>(Index(name, scope))];
  }
  Lifespan LifespanOf(std::string_view name,
                      std::string_view scope = "") const {
    return plan_.lifespans[static_cast<size_t>(Index(name, scope))];
  }
  std::optional<int64_t> OffsetOf(std::string_view name,
                                  std::string_view scope = "") const {
    return plan_.Offset(Index(name, scope));
  }
  bool ShareBytes(std::string_view a, std::string_view b,
                  std::string_view scope = "") const {
    const auto from = OffsetOf(a, scope);
    const auto other = OffsetOf(b, scope);
    if (!from.has_value() || !other.has_value()) return false;
    return *from < *other + *At(b, scope).size &&
           *other < *from + *At(a, scope).size;
  }
  ValueIndex RootOf(std::string_view name, std::string_view scope = "") const {
    return plan_.storage[static_cast<size_t>(Index(name, scope))].root;
  }

  Plan plan_;
};

TEST_F(FaultsTest, OutputsThatNobodyReadsLiveWhileTheyAreWritten) {
  PlanText(R"(
    g (float[30] x) => (float[10] y) {
      a, b, c = Split(x)
      t = Exp(b)
      y = Transpose(t)
    })");
  EXPECT_EQ(LifespanOf("a"), (Lifespan{0, 1}));
  EXPECT_EQ(LifespanOf("c"), (Lifespan{0, 1}));
  EXPECT_FALSE(ShareBytes("a", "b"));
  EXPECT_FALSE(ShareBytes("b", "c"));
  EXPECT_FALSE(ShareBytes("a", "c"));
}

TEST_F(FaultsTest, AnEmptyOptionalInputIsNoTensor) {
  PlanOptions options;
  PlanText(R"(
    g (float[1,1,2,2] x) => (float[1,1,4,4] y) {
      s = Constant<value = int64[4] {1, 1, 4, 4}>()
      t = Relu(x)
      y = Resize(t, , , s)
    })",
           options);
  for (const Value& value : plan_.graph.values) EXPECT_NE(value.name, "");
}

TEST_F(FaultsTest, AGraphOutputIsAliasedByNobodyBefore) {
  PlanText(R"(
    g (float[2, 6] x) => (float[2, 6] t, float[12] y) {
      s = Constant<value = int64[1] {12}>()
      t = Exp(x)
      y = Reshape(t, s)
    })");
  EXPECT_NE(RootOf("y"), RootOf("t"));
}

TEST_F(FaultsTest,
       AGraphOutputThatIsReadInsideLivesToTheEndAndIsNotOverwritten) {
  PlanText(R"(
    g (float[8] x) => (float[8] a, float[8] c) {
      a = Relu(x)
      b = Exp(a)
      c = Transpose(b)
    })");
  EXPECT_EQ(LifespanOf("a").end, plan_.timeline.num_steps);
  EXPECT_NE(RootOf("b"), RootOf("a"));
}

TEST_F(FaultsTest, AnInputThatIsReturnedIsOneTensorAndLivesThroughout) {
  PlanText("g (float[8] x) => (float[8] y, float[8] x) { y = Exp(x) }");
  EXPECT_TRUE(At("x").is_graph_input);
  EXPECT_TRUE(At("x").is_graph_output);
  EXPECT_EQ(LifespanOf("x"), (Lifespan{0, plan_.timeline.num_steps}));
}

TEST_F(FaultsTest, AnOutputThatIsListedTwiceIsOneTensor) {
  PlanText("g (float[8] x) => (float[8] y, float[8] y) { y = Exp(x) }");
  EXPECT_EQ(plan_.graph.values.size(), 2);
  EXPECT_EQ(plan_.graph.bodies[0].outputs.size(), 2);
}

TEST_F(FaultsTest, InputsAreNotOverwritten) {
  PlanText("g (float[8] x) => (float[8] y) { t = Exp(x)  y = Transpose(t) }");
  EXPECT_NE(RootOf("t"), RootOf("x"));
}

TEST_F(FaultsTest, InPlaceOnlyByTheLastReaderOfAll) {
  PlanText(R"(
    g (float[8] x) => (float[8] y) {
      b = Transpose(x)
      e = Exp(b)
      d = Add(b, e)
      y = Transpose(d)
    })");
  EXPECT_NE(RootOf("e"), RootOf("b"));  // Add reads b later
  EXPECT_EQ(RootOf("d"), RootOf("b"));  // Add is the last
}

TEST_F(FaultsTest, ConcatIsNeverInPlace) {
  PlanText(R"(
    g (float[1, 8] x) => (float[1, 16] y) {
      a = Exp(x)
      b = Abs(x)
      c = Concat<axis = 1>(a, b)
      y = Transpose<perm = [0, 1]>(c)
    })");
  EXPECT_FALSE(ShareBytes("a", "c"));
  EXPECT_FALSE(ShareBytes("b", "c"));
}

TEST_F(FaultsTest, ABroadcastOperandIsNeverOverwritten) {
  PlanText(R"(
    g (float[1, 1, 8] x, float[4, 4, 8] z) => (float[4, 4, 8] y) {
      small = Transpose<perm = [0, 1, 2]>(x)
      sum = Add(small, z)
      y = Transpose<perm = [0, 1, 2]>(sum)
    })");
  EXPECT_FALSE(ShareBytes("small", "sum"));
}

TEST_F(FaultsTest, ACastToAnotherWidthIsNotInPlaceAndOneToTheSameMayBe) {
  PlanText(R"(
    g (float16[8] x, float[8] z) => (float[8] y, int32[8] w) {
      a = Transpose(x)
      b = Cast<to = 1>(a)
      y = Transpose(b)
      c = Transpose(z)
      d = Cast<to = 6>(c)
      w = Transpose(d)
    })");
  EXPECT_FALSE(ShareBytes("a", "b"));
  EXPECT_EQ(RootOf("d"), RootOf("c"));
}

TEST_F(FaultsTest, StringsAndSequencesHaveNoPlaceAndTheirTensorsDo) {
  PlanText(R"(
    g (string[4] names, float[8] x) => (float[8] y) {
      copy = Identity(names)
      a = Exp(x)
      s = SequenceConstruct(a, a)
      zero = Constant<value_int = 0>()
      b = SequenceAt(s, zero)
      y = Transpose(b)
    })");
  EXPECT_FALSE(OffsetOf("copy").has_value());
  EXPECT_THAT(At("copy").unplaced_reason, HasSubstr("string"));
  EXPECT_FALSE(At("copy").size.has_value());
  EXPECT_FALSE(OffsetOf("s").has_value());
  EXPECT_EQ(At("b").size, 32);
  EXPECT_TRUE(OffsetOf("b").has_value());
}

TEST_F(FaultsTest, AZeroInTheShapeIsSizeZeroAndConflictsWithNobody) {
  PlanText(R"(
    g (float[0, 4] x) => (float[0, 4] y) {
      a = Exp(x)
      b = Transpose<perm = [0, 1]>(a)
      y = Transpose<perm = [0, 1]>(b)
    })");
  EXPECT_EQ(At("b").size, 0);
  EXPECT_EQ(*OffsetOf("b") % 64, 0);
  EXPECT_EQ(plan_.pattern.arena_size, 0);
}

TEST_F(FaultsTest, SubByteTypesArePackedAndRoundedUp) {
  EXPECT_EQ(TensorBytes(ElementType::kInt4, 17), 9);
  EXPECT_EQ(TensorBytes(ElementType::kInt2, 5), 2);
  EXPECT_EQ(TensorBytes(ElementType::kFloat4E2M1, 3), 2);
}

TEST_F(FaultsTest, HugeSizesAreExactOrAClearError) {
  PlanText(R"(
    g (float[65536, 65536] x) => (float[65536, 65536] y) {
      t = Exp(x)
      y = Transpose<perm = [0, 1]>(t)
    })");
  EXPECT_EQ(At("t").size, 17179869184);
  const auto model = ModelFromText(R"(
    g (float[9223372036854775807, 2] x) => (float[9223372036854775807, 2] y) {
      y = Exp(x)
    })");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto planned = PlanModel(*model, {});
  ASSERT_FALSE(planned.ok());
  EXPECT_THAT(std::string(planned.status().message()), HasSubstr("tensor 'x'"));
}

TEST_F(FaultsTest, AnErrorLeavesNothingBehindForTheNextModel) {
  const auto bad = ModelFromText(
      "g (float[9223372036854775807, 2] x) => (y) { y = Exp(x) }");
  ASSERT_TRUE(bad.ok());
  EXPECT_FALSE(PlanModel(*bad, {}).ok());
  PlanText("g (float[8] x) => (float[8] y) { t = Exp(x)  y = Transpose(t) }");
  EXPECT_EQ(plan_.pattern.arena_size, 64);
}

TEST_F(FaultsTest, EveryAlignmentIsKept) {
  for (const int64_t alignment : {1, 16, 64, 256, 4096}) {
    PlanOptions options;
    options.alignment = alignment;
    PlanText(R"(
      g (bool[3] x, float[5] z) => (bool[3] y, float[5] w) {
        a = Not(x)
        b = Transpose(z)
        y = And(a, a)
        w = Transpose(b)
      })",
             options);
    EXPECT_EQ(*OffsetOf("a") % alignment, 0);
    EXPECT_EQ(*OffsetOf("b") % alignment, 0);
    EXPECT_EQ(plan_.pattern.alignment, alignment);
  }
}

TEST_F(FaultsTest, TheSameModelGivesTheSamePlan) {
  constexpr std::string_view kText = R"(
    g (float[8, 8] x) => (float[8, 8] y) {
      a = MatMul(x, x)
      b = MatMul(a, x)
      c = MatMul(a, b)
      d = MatMul(b, c)
      y = MatMul(d, a)
    })";
  PlanText(kText);
  const MemoryPattern first = plan_.pattern;
  for (int i = 0; i < 20; ++i) {
    PlanText(kText);
    EXPECT_EQ(plan_.pattern, first);
  }
}

TEST_F(FaultsTest, AScalarIsOneElement) {
  PlanText(R"(
    g (float[8] x) => (float y) {
      s = ReduceSum<keepdims = 0>(x)
      y = Abs(s)
    })");
  EXPECT_EQ(At("s").size, 4);
  EXPECT_TRUE(OffsetOf("s").has_value());
}

TEST_F(FaultsTest, ConstantsStayOutOfTheArenaAndConstantOfShapeIsInIt) {
  PlanText(R"(
    g (float[4] x) => (float[4] y) {
      n = Constant<value = int64[1] {4}>()
      k = Constant<value = float[4] {1, 2, 3, 4}>()
      z = ConstantOfShape(n)
      a = Add(x, k)
      y = Add(a, z)
    })");
  EXPECT_FALSE(OffsetOf("k").has_value());
  EXPECT_TRUE(OffsetOf("z").has_value());
}

TEST_F(FaultsTest, OneUnknownShapeStopsNothingElse) {
  PlanText(R"(
    g (float[8] x, int64[1] n) => (float[8] y, float[k] w) {
      a = Exp(x)
      w = Reshape(x, n)
      u = ConstantOfShape(n)
      y = Transpose(a)
    })");
  EXPECT_TRUE(OffsetOf("a").has_value());
  EXPECT_FALSE(At("u").size.has_value());
  EXPECT_THAT(At("u").unplaced_reason, HasSubstr("contents of 'n'"));
}

TEST_F(FaultsTest, ASymbolWithoutANumberIsAskedFor) {
  PlanText(R"(
    g (float[batch, 8] x) => (float[batch, 8] y) { t = Exp(x)  y = Exp(t) })");
  EXPECT_FALSE(At("t").size.has_value());
  EXPECT_EQ(At("t").unplaced_reason,
            "dimension 0 is 'batch', which has no value; add --dim batch=N");
}

TEST_F(FaultsTest, TwoTensorsShareTheBytesOfALargerDeadOne) {
  PlanOptions options;
  options.alignment = 1;
  PlanText(R"(
    g (float[250] x) => (float[1] y) {
      i = Constant<value = int64[1] {0}>()
      a = Transpose(x)
      s = Gather(a, i)
      n = Constant<value = int64[1] {100}>()
      m = Constant<value = int64[1] {125}>()
      b = Expand(s, n)
      c = Expand(s, m)
      d = Concat<axis = 0>(b, c)
      y = Gather(d, i)
    })",
           options);
  EXPECT_TRUE(plan_.pattern.optimal);
  EXPECT_EQ(plan_.pattern.arena_size, plan_.pattern.max_live_bytes);
}

TEST_F(FaultsTest, ACaptureTwoLevelsDeepIsReadToTheEndOfTheOutermostNode) {
  PlanText(R"(
    g (float[8] x, bool c) => (float[8] y) {
      t = Transpose(x)
      r = If (c) <
        then_branch = a () => (float[8] p) {
          p = If (c) <
            then_branch = aa () => (float[8] q) { q = Exp(t) },
            else_branch = ab () => (float[8] s) { s = Abs(t) } >
        },
        else_branch = b () => (float[8] u) { u = Neg(x) } >
      y = Transpose(r)
    })");
  EXPECT_EQ(LifespanOf("t").end, plan_.timeline.node_steps.back().begin);
  EXPECT_NE(RootOf("q", "1.then_branch/0.then_branch"), RootOf("t"));
}

constexpr std::string_view kLoop = R"(
    g (float[8] x) => (float[8] last, s, u) {
      m = Constant<value_int = 3>()
      go = Constant<value = bool {1}>()
      last, s, u = Loop (m, go, x) <
        body = b (int64 i, bool c, float[8] v) => (bool c2, float[8] w, float[8] e, int64 i2) {
          c2 = Identity(c)
          w = Exp(v)
          e = Abs(w)
          i2 = Identity(i)
        } >
    })";

TEST_F(FaultsTest, WhatALoopCarriesInAndOutNeverSharesBytes) {
  PlanText(kLoop);
  EXPECT_FALSE(ShareBytes("v", "w", "2.body"));
  EXPECT_FALSE(ShareBytes("w", "e", "2.body"));
  EXPECT_FALSE(ShareBytes("c", "c2", "2.body"));
}

TEST_F(FaultsTest, TheIterationThatALoopReturnsIsNotTheLiveCounter) {
  PlanText(kLoop);
  EXPECT_FALSE(ShareBytes("i", "i2", "2.body"));
}

TEST_F(FaultsTest, ABodysInputGetsBytesThoughTheBodyIgnoresIt) {
  PlanText(R"(
    g (float[8] x, float[8] z) => (float[8] last) {
      m = Constant<value_int = 3>()
      go = Constant<value = bool {1}>()
      last = Loop (m, go, x) <
        body = b (int64 i, bool c, float[8] v) => (bool c2, float[8] w) {
          c2 = Identity(c)
          w = Exp(z)
        } >
    })");
  EXPECT_TRUE(OffsetOf("v", "2.body").has_value());
  EXPECT_FALSE(ShareBytes("v", "w", "2.body"));
}

TEST_F(FaultsTest, ABranchThatOnlyPassesAValueThroughIsFine) {
  PlanText(R"(
    g (float[8] x, bool c) => (float[8] y) {
      t = Transpose(x)
      r = If (c) <
        then_branch = a () => (float[8] p) { p = Identity(t) },
        else_branch = b () => (float[8] q) { q = Identity(t) } >
      y = Transpose(r)
    })");
  EXPECT_FALSE(ShareBytes("t", "r"));
}

}  // namespace
}  // namespace memplan
