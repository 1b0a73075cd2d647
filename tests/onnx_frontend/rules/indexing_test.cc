// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

OneNode TwoInputs(std::string_view op, int64_t opset, Shape data,
                  Shape indices) {
  return OneNode(op, opset)
      .Input(Float(std::move(data)))
      .Input(Int64(std::move(indices)));
}

TEST(IndexingRules, GatherPutsTheIndicesInPlaceOfTheAxis) {
  EXPECT_EQ(TwoInputs("Gather", 13, {5, 4, 3, 2}, {3}).Run().ToString(),
            "float32[3, 4, 3, 2]");
  EXPECT_EQ(TwoInputs("Gather", 1, {3, 3}, {1, 2})
                .Attr("axis", int64_t{1})
                .Run()
                .ToString(),
            "float32[3, 1, 2]");
  EXPECT_EQ(TwoInputs("Gather", 11, {5, Dim::Symbol("n")}, {})
                .Attr("axis", int64_t{-2})
                .Run()
                .ToString(),
            "float32[n]");
  EXPECT_FALSE(TwoInputs("Gather", 13, {5}, {3})
                   .Attr("axis", int64_t{1})
                   .Run()
                   .status()
                   .ok());
}

TEST(IndexingRules, GatherElementsHasTheShapeOfTheIndices) {
  EXPECT_EQ(TwoInputs("GatherElements", 13, {3, 3}, {2, 3}).Run().ToString(),
            "float32[2, 3]");
}

TEST(IndexingRules, GatherNDGoesThroughTheLastDimension) {
  EXPECT_EQ(TwoInputs("GatherND", 12, {2, 2}, {2, 2}).Run().ToString(),
            "float32[2]");
  EXPECT_EQ(TwoInputs("GatherND", 12, {2, 2, 2}, {2, 1, 2}).Run().ToString(),
            "float32[2, 1, 2]");
  EXPECT_EQ(TwoInputs("GatherND", 12, {2, 2, 2}, {2, 1})
                .Attr("batch_dims", int64_t{1})
                .Run()
                .ToString(),
            "float32[2, 2]");
  EXPECT_EQ(
      TwoInputs("GatherND", 12, {2, 2}, {2, Dim::Symbol("n")}).Run().ToString(),
      "float32[...]");
  EXPECT_FALSE(TwoInputs("GatherND", 12, {2, 2}, {2, 3}).Run().status().ok());
}

TEST(IndexingRules, ScattersKeepTheData) {
  for (const char* op : {"ScatterElements", "ScatterND", "TensorScatter"}) {
    EXPECT_EQ(
        TwoInputs(op, 24, {4, 5}, {1, 1}).Input(Float({1, 1})).Run().ToString(),
        "float32[4, 5]");
  }
}

TEST(IndexingRules, OneHotAddsADimensionOfTheValuesType) {
  OneNode node("OneHot", 11);
  node.Attr("axis", int64_t{1})
      .Input(Int64({2, 2}))
      .Known(TensorValue::Scalar(ElementType::kInt64, 10))
      .Input(Float({2}));
  EXPECT_EQ(node.Run().ToString(), "float32[2, 10, 2]");
  OneNode unknown("OneHot", 9);
  unknown.Input(Int64({2, 2})).Input(Int64({})).Input(Float({2}));
  EXPECT_EQ(unknown.Run().ToString(), "float32[2, 2, ?]");
  EXPECT_EQ(unknown.UnknownReason(), "shape depends on the contents of 'in2'");
}

TEST(IndexingRules, TopKTakesKFromAttributeOrInput) {
  EXPECT_EQ(OneNode("TopK", 1)
                .Outputs(2)
                .Attr("k", int64_t{3})
                .Input(Float({3, 4}))
                .Run()
                .ToString(),
            "float32[3, 3]; int64[3, 3]");
  EXPECT_EQ(OneNode("TopK", 11)
                .Outputs(2)
                .Attr("axis", int64_t{0})
                .Input(Float({3, 4}))
                .Ints({2})
                .Run()
                .ToString(),
            "float32[2, 4]; int64[2, 4]");
  EXPECT_FALSE(OneNode("TopK", 11)
                   .Outputs(2)
                   .Input(Float({3, 4}))
                   .Ints({5})
                   .Run()
                   .status()
                   .ok());
}

TEST(IndexingRules, AnUnknownKIsAtMostTheAxis) {
  OneNode node("TopK", 11);
  node.Outputs(2).Input(Float({3, 4})).Input(Int64({1})).Run();
  const std::vector<std::string> symbols = (*node.Output(0).shape)[1].Symbols();
  ASSERT_EQ(symbols.size(), 1u);
  const auto range = node.graph().symbol_ranges.at(symbols[0]);
  EXPECT_EQ(range.first, 0);
  EXPECT_EQ(range.second, 4);
  EXPECT_EQ(node.Output(0).shape, node.Output(1).shape);
}

}  // namespace
}  // namespace memplan
