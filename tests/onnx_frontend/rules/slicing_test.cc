// Values from the operators' node tests in the specification, and numpy.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Numbers = std::vector<int64_t>;

OneNode Slice(Shape input, Numbers starts, Numbers ends, Numbers axes,
              Numbers steps = {}) {
  OneNode node("Slice", 13);
  node.Input(Float(std::move(input))).Ints(starts).Ints(ends).Ints(axes);
  if (!steps.empty()) node.Ints(steps);
  return node;
}

TEST(SlicingRules, StartsAndEndsAreClamped) {
  EXPECT_EQ(Slice({20, 10, 5}, {0, 0}, {3, 10}, {0, 1}).Run().ToString(),
            "float32[3, 10, 5]");
  EXPECT_EQ(Slice({20, 10, 5}, {1}, {1000}, {1}).Run().ToString(),
            "float32[20, 9, 5]");
  EXPECT_EQ(Slice({20, 10, 5}, {0}, {-1}, {1}).Run().ToString(),
            "float32[20, 9, 5]");
  EXPECT_EQ(Slice({20, 10, 5}, {1000}, {1000}, {1}).Run().ToString(),
            "float32[20, 0, 5]");
  EXPECT_EQ(Slice({20, 10, 5}, {7}, {3}, {-2}).Run().ToString(),
            "float32[20, 0, 5]");
}

TEST(SlicingRules, StepsMayBeNegative) {
  EXPECT_EQ(Slice({20, 10, 5}, {20, 10, 4}, {0, 0, 1}, {0, 1, 2}, {-1, -3, -2})
                .Run()
                .ToString(),
            "float32[19, 3, 2]");
  EXPECT_EQ(Slice({5}, {-1}, {INT64_MIN}, {0}, {-1}).Run().ToString(),
            "float32[5]");
  EXPECT_EQ(Slice({5}, {0}, {INT64_MAX}, {0}, {2}).Run().ToString(),
            "float32[3]");
  EXPECT_EQ(Slice({5}, {4}, {INT64_MIN}, {0}, {INT64_MIN}).Run().ToString(),
            "float32[1]");
  EXPECT_FALSE(Slice({5}, {0}, {5}, {0}, {0}).Run().status().ok());
}

TEST(SlicingRules, AnOpenEndIsAllTheRestInEitherDirection) {
  EXPECT_EQ(Slice({5}, {3}, {INT64_MAX}, {0}, {-1}).Run().ToString(),
            "float32[4]");
  EXPECT_EQ(Slice({5}, {3}, {INT32_MAX}, {0}, {-2}).Run().ToString(),
            "float32[2]");
  EXPECT_EQ(Slice({5}, {3}, {INT32_MAX - 1}, {0}, {-1}).Run().ToString(),
            "float32[0]");
}

TEST(SlicingRules, SymbolsKeepWhatIsSure) {
  const Dim n = Dim::Symbol("n");
  EXPECT_EQ(Slice({n}, {0}, {INT64_MAX}, {0}).Run().ToString(), "float32[n]");
  EXPECT_EQ(Slice({n}, {1}, {INT32_MAX}, {0}).Run().ToString(),
            "float32[n - 1]");
  EXPECT_EQ(Slice({n}, {0}, {-1}, {0}).Run().ToString(), "float32[n - 1]");
  EXPECT_EQ(Slice({n}, {-1}, {INT64_MAX}, {0}).Run().ToString(), "float32[1]");
  EXPECT_EQ(Slice({n + 4}, {2}, {4}, {0}).Run().ToString(), "float32[2]");
  EXPECT_EQ(Slice({n}, {-1}, {INT64_MIN}, {0}, {-1}).Run().ToString(),
            "float32[n]");
}

TEST(SlicingRules, SymbolicBounds) {
  const Dim n = Dim::Symbol("n");
  const Dim p = Dim::Symbol("p");
  const auto vector = [](Dim dim) {
    return TensorValue::Vector(ElementType::kInt64, {dim});
  };
  EXPECT_EQ(OneNode("Slice", 13)
                .Input(Float({n + p}))
                .Known(vector(p))
                .Known(vector(n + p))
                .Ints({0})
                .Run()
                .ToString(),
            "float32[n]");
  EXPECT_EQ(OneNode("Slice", 13)
                .Input(Float({8}))
                .Known(vector(Dim()))
                .Ints({4})
                .Ints({0})
                .Run()
                .ToString(),
            "float32[?]");
}

TEST(SlicingRules, UnknownAxesLeaveTheRank) {
  EXPECT_EQ(OneNode("Slice", 13)
                .Input(Float({2, 3}))
                .Ints({0})
                .Ints({1})
                .Input(Int64({1}))
                .Run()
                .ToString(),
            "float32[?, ?]");
}

TEST(SlicingRules, UntilOpset9TheBoundsAreAttributes) {
  EXPECT_EQ(OneNode("Slice", 1)
                .Attr("starts", Numbers{0, 1})
                .Attr("ends", Numbers{-1, 1000})
                .Input(Float({2, 4}))
                .Run()
                .ToString(),
            "float32[1, 3]");
  EXPECT_EQ(OneNode("Slice", 1)
                .Attr("starts", Numbers{1})
                .Attr("ends", Numbers{3})
                .Attr("axes", Numbers{1})
                .Input(Float({2, 4}))
                .Run()
                .ToString(),
            "float32[2, 2]");
}

TEST(SlicingRules, SplitsEvenly) {
  EXPECT_EQ(OneNode("Split", 11).Outputs(3).Input(Float({6})).Run().ToString(),
            "float32[2]; float32[2]; float32[2]");
  EXPECT_EQ(OneNode("Split", 13)
                .Outputs(2)
                .Attr("axis", int64_t{-1})
                .Input(Float({2, 6 * Dim::Symbol("n")}))
                .Run()
                .ToString(),
            "float32[2, 3*n]; float32[2, 3*n]");
  EXPECT_FALSE(
      OneNode("Split", 13).Outputs(4).Input(Float({7})).Run().status().ok());
}

TEST(SlicingRules, TheLastOfNumOutputsPartsMayBeSmaller) {
  EXPECT_EQ(OneNode("Split", 18)
                .Outputs(4)
                .Attr("num_outputs", int64_t{4})
                .Input(Float({7}))
                .Run()
                .ToString(),
            "float32[2]; float32[2]; float32[2]; float32[1]");
}

TEST(SlicingRules, SplitSizesComeFromAttributeOrInput) {
  EXPECT_EQ(OneNode("Split", 2)
                .Outputs(2)
                .Attr("axis", int64_t{1})
                .Attr("split", Numbers{2, 4})
                .Input(Float({2, 6}))
                .Run()
                .ToString(),
            "float32[2, 2]; float32[2, 4]");
  EXPECT_EQ(OneNode("Split", 13)
                .Outputs(2)
                .Input(Float({6}))
                .Ints({0, 6})
                .Run()
                .ToString(),
            "float32[0]; float32[6]");
  EXPECT_EQ(OneNode("Split", 13)
                .Outputs(2)
                .Input(Float({6, 2}))
                .Input(Int64({2}))
                .Run()
                .ToString(),
            "float32[?, 2]; float32[?, 2]");
  EXPECT_FALSE(OneNode("Split", 13)
                   .Outputs(2)
                   .Input(Float({6}))
                   .Ints({2, 2})
                   .Run()
                   .status()
                   .ok());
}

}  // namespace
}  // namespace memplan
