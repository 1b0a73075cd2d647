// Bounds worked out from the operators' definitions.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

// The range of the only symbol of this dimension.
std::pair<int64_t, int64_t> RangeOf(OneNode& node, size_t output, size_t axis) {
  const auto symbols = (*node.Output(output).shape)[axis].Symbols();
  EXPECT_EQ(symbols.size(), 1u);
  return node.graph().symbol_ranges.at(symbols[0]);
}

using Range = std::pair<int64_t, int64_t>;

TEST(DataDependentRules, NonZeroFindsAtMostAllElements) {
  OneNode node("NonZero", 13);
  node.Input(Float({2, 3})).Run();
  EXPECT_EQ((*node.Output().shape)[0].number(), 2);
  EXPECT_EQ(RangeOf(node, 0, 1), Range(0, 6));
}

TEST(DataDependentRules, CompressCountsAKnownCondition) {
  const auto condition = TensorValue::Vector(ElementType::kBool, {0, 1, 1});
  EXPECT_EQ(OneNode("Compress", 11)
                .Attr("axis", int64_t{0})
                .Input(Float({3, 2}))
                .Known(condition)
                .Run()
                .ToString(),
            "float32[2, 2]");
  EXPECT_EQ(OneNode("Compress", 11)
                .Input(Float({3, 2}))
                .Known(condition)
                .Run()
                .ToString(),
            "float32[2]");
  OneNode open("Compress", 11);
  open.Attr("axis", int64_t{1})
      .Input(Float({3, 7}))
      .Input(Type::Tensor(ElementType::kBool, Shape{5}))
      .Run();
  EXPECT_EQ(RangeOf(open, 0, 1), Range(0, 5));
}

TEST(DataDependentRules, UniqueHasFourOutputs) {
  OneNode node("Unique", 11);
  node.Outputs(4).Input(Float({2, 3})).Run();
  EXPECT_EQ(RangeOf(node, 0, 0), Range(0, 6));
  EXPECT_EQ(node.Output(1), node.Output(3));
  EXPECT_EQ(memplan::ToString(node.Output(2)), "int64[6]");
  OneNode by_axis("Unique", 11);
  by_axis.Outputs(4).Attr("axis", int64_t{-1}).Input(Float({2, 3})).Run();
  EXPECT_EQ((*by_axis.Output(0).shape)[0].number(), 2);
  EXPECT_EQ(RangeOf(by_axis, 0, 1), Range(0, 3));
  EXPECT_EQ(memplan::ToString(by_axis.Output(2)), "int64[3]");
}

TEST(DataDependentRules, NonMaxSuppressionSelectsAtMostSoManyAClass) {
  OneNode node("NonMaxSuppression", 11);
  node.Input(Float({2, 6, 4})).Input(Float({2, 3, 6})).Ints({4}).Run();
  EXPECT_EQ(RangeOf(node, 0, 0), Range(0, 24));
  OneNode many("NonMaxSuppression", 11);
  many.Input(Float({2, 6, 4})).Input(Float({2, 3, 6})).Ints({100}).Run();
  EXPECT_EQ(RangeOf(many, 0, 0), Range(0, 36));
  OneNode none("NonMaxSuppression", 11);
  none.Input(Float({2, 6, 4})).Input(Float({2, 3, 6})).Run();
  EXPECT_EQ(none.ToString(), "int64[0, 3]");
}

}  // namespace
}  // namespace memplan
