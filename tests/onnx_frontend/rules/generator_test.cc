// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Numbers = std::vector<int64_t>;

TEST(GeneratorRules, ConstantOfShapeHasTheTypeOfItsValue) {
  EXPECT_EQ(OneNode("ConstantOfShape", 9).Ints({4, 3, 2}).Run().ToString(),
            "float32[4, 3, 2]");
  EXPECT_EQ(OneNode("ConstantOfShape", 9)
                .Attr("value",
                      TensorAttribute{
                          Type::Tensor(ElementType::kInt32, Shape{1}), {}})
                .Ints({0})
                .Run()
                .ToString(),
            "int32[0]");
  EXPECT_EQ(OneNode("ConstantOfShape", 25).Ints({}).Run().ToString(),
            "float32[]");
  EXPECT_EQ(OneNode("ConstantOfShape", 9).Input(Int64({2})).Run().ToString(),
            "float32[?, ?]");
  EXPECT_FALSE(OneNode("ConstantOfShape", 9).Ints({-1}).Run().status().ok());
}

TEST(GeneratorRules, ExpandBroadcastsBothWays) {
  EXPECT_EQ(OneNode("Expand", 13)
                .Input(Float({3, 1}))
                .Ints({2, 1, 6})
                .Run()
                .ToString(),
            "float32[2, 3, 6]");
  EXPECT_EQ(
      OneNode("Expand", 13).Input(Float({3, 4})).Ints({1}).Run().ToString(),
      "float32[3, 4]");
  EXPECT_EQ(OneNode("Expand", 8)
                .Input(Float({3, 4}))
                .Input(Int64({3}))
                .Run()
                .ToString(),
            "float32[?, 3, 4]");
  EXPECT_FALSE(OneNode("Expand", 13)
                   .Input(Float({3, 4}))
                   .Ints({5, 4})
                   .Run()
                   .status()
                   .ok());
}

TEST(GeneratorRules, TileMultiplies) {
  EXPECT_EQ(OneNode("Tile", 13)
                .Input(Float({2, Dim::Symbol("n"), 4}))
                .Ints({7, 2, 1})
                .Run()
                .ToString(),
            "float32[14, 2*n, 4]");
  EXPECT_EQ(OneNode("Tile", 1)
                .Input(Float({2, 3}))
                .Ints({4})
                .Ints({1})
                .Run()
                .ToString(),
            "float32[2, 12]");
  EXPECT_FALSE(
      OneNode("Tile", 13).Input(Float({2, 3})).Ints({4}).Run().status().ok());
}

OneNode RangeOf(Dim start, Dim limit, Dim delta) {
  OneNode node("Range", 11);
  for (const Dim& dim : {start, limit, delta}) {
    node.Known(TensorValue::Scalar(ElementType::kInt64, dim));
  }
  return node;
}

TEST(GeneratorRules, RangesRoundUpAndEndAtZero) {
  EXPECT_EQ(RangeOf(3, 9, 3).Run().ToString(), "int64[2]");
  EXPECT_EQ(RangeOf(10, 6, -3).Run().ToString(), "int64[2]");
  EXPECT_EQ(RangeOf(3, 3, 1).Run().ToString(), "int64[0]");
  EXPECT_EQ(RangeOf(5, 3, 1).Run().ToString(), "int64[0]");
  EXPECT_FALSE(RangeOf(5, 3, 0).Run().status().ok());
}

TEST(GeneratorRules, SymbolicRanges) {
  const Dim n = Dim::Symbol("n");
  const Dim p = Dim::Symbol("p");
  EXPECT_EQ(RangeOf(0, n, 1).Run().ToString(), "int64[n]");
  EXPECT_EQ(RangeOf(p, p + n, 1).Run().ToString(), "int64[n]");
  EXPECT_EQ(RangeOf(0, 2 * n, 2).Run().ToString(), "int64[n]");
}

TEST(GeneratorRules, FloatRanges) {
  TensorValue start{ElementType::kFloat, {}, {}, {1.0}};
  TensorValue limit{ElementType::kFloat, {}, {}, {5.0}};
  TensorValue delta{ElementType::kFloat, {}, {}, {1.5}};
  EXPECT_EQ(OneNode("Range", 11)
                .Known(start)
                .Known(limit)
                .Known(delta)
                .Run()
                .ToString(),
            "float32[3]");
}

TEST(GeneratorRules, AnUnknownLimitIsNamed) {
  OneNode node("Range", 11);
  node.Known(TensorValue::Scalar(ElementType::kInt64, 0))
      .Input(Int64({}))
      .Known(TensorValue::Scalar(ElementType::kInt64, 1))
      .Run();
  EXPECT_EQ(node.ToString(), "int64[?]");
  EXPECT_EQ(node.UnknownReason(), "shape depends on the contents of 'in2'");
}

TEST(GeneratorRules, RandomTensors) {
  EXPECT_EQ(OneNode("RandomNormal", 1)
                .Attr("shape", Numbers{2, 3})
                .Attr("dtype", int64_t{10})
                .Run()
                .ToString(),
            "float16[2, 3]");
  EXPECT_EQ(
      OneNode("RandomUniformLike", 1).Input(Int64({2, 3})).Run().ToString(),
      "int64[2, 3]");
  EXPECT_EQ(OneNode("EyeLike", 9)
                .Attr("dtype", int64_t{11})
                .Input(Float({4, 5}))
                .Run()
                .ToString(),
            "float64[4, 5]");
  EXPECT_EQ(OneNode("Multinomial", 7)
                .Attr("sample_size", int64_t{5})
                .Input(Float({3, 10}))
                .Run()
                .ToString(),
            "int32[3, 5]");
}

TEST(GeneratorRules, ShapeMayTakeAPart) {
  EXPECT_EQ(OneNode("Shape", 13).Input(Float({3, 4, 5})).Run().Output(),
            Int64({3}));
  EXPECT_EQ(OneNode("Shape", 15)
                .Attr("start", int64_t{-1})
                .Input(Float({3, 4, 5}))
                .Run()
                .Output(),
            Int64({1}));
  EXPECT_EQ(OneNode("Shape", 15)
                .Attr("start", int64_t{2})
                .Attr("end", int64_t{1})
                .Input(Float({3, 4, 5}))
                .Run()
                .Output(),
            Int64({0}));
  EXPECT_EQ(OneNode("Size", 13).Input(Float({3, 4})).Run().Output(), Int64({}));
}

TEST(GeneratorRules, ConstantsOfEveryKind) {
  EXPECT_EQ(OneNode("Constant", 12)
                .Attr("value_ints", Numbers{1, 2})
                .Run()
                .ToString(),
            "int64[2]");
  EXPECT_EQ(OneNode("Constant", 12).Attr("value_float", 1.5f).Run().ToString(),
            "float32[]");
}

}  // namespace
}  // namespace memplan
