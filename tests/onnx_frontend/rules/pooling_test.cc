// Values from the operators' node tests in the specification, or worked out
// from its formulas.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Ints = std::vector<int64_t>;

OneNode Pool(std::string_view op, int64_t opset, Shape x, Ints kernel) {
  return OneNode(op, opset)
      .Input(Float(std::move(x)))
      .Attr("kernel_shape", std::move(kernel));
}

TEST(PoolingRules, FloorUnlessCeilMode) {
  EXPECT_EQ(Pool("MaxPool", 12, {1, 3, 32, 32}, {5, 5})
                .Attr("strides", Ints{3, 3})
                .Run()
                .ToString(),
            "float32[1, 3, 10, 10]");
  EXPECT_EQ(Pool("MaxPool", 12, {1, 1, 4, 4}, {3, 3})
                .Attr("strides", Ints{2, 2})
                .Attr("ceil_mode", int64_t{1})
                .Run()
                .ToString(),
            "float32[1, 1, 2, 2]");
  EXPECT_EQ(Pool("AveragePool", 19, {1, 1, 4, 4}, {2, 2})
                .Attr("strides", Ints{3, 3})
                .Attr("ceil_mode", int64_t{1})
                .Run()
                .ToString(),
            "float32[1, 1, 2, 2]");
}

TEST(PoolingRules, NoWindowStartsInThePaddingAfterTheInput) {
  // ceil((2 + 1 + 1 - 2) / 2) + 1 is 2; ceil((1 + 1 + 1 - 2) / 3) + 1 would be
  // 2, and the second window would start at 3, past 1 + 1.
  EXPECT_EQ(Pool("MaxPool", 22, {1, 1, 2}, {2})
                .Attr("strides", Ints{2})
                .Attr("pads", Ints{1, 1})
                .Attr("ceil_mode", int64_t{1})
                .Run()
                .ToString(),
            "float32[1, 1, 2]");
  EXPECT_EQ(Pool("MaxPool", 22, {1, 1, 1}, {2})
                .Attr("strides", Ints{3})
                .Attr("pads", Ints{1, 1})
                .Attr("ceil_mode", int64_t{1})
                .Run()
                .ToString(),
            "float32[1, 1, 1]");
}

TEST(PoolingRules, DilationsSpreadTheWindow) {
  EXPECT_EQ(Pool("MaxPool", 12, {1, 1, 4, 4}, {2, 2})
                .Attr("dilations", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 2, 2]");
  EXPECT_EQ(Pool("AveragePool", 19, {1, 1, 9, 9}, {3, 3})
                .Attr("dilations", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 5, 5]");
}

TEST(PoolingRules, AutomaticPadding) {
  EXPECT_EQ(Pool("LpPool", 18, {1, 3, 32, 32}, {2, 2})
                .Attr("auto_pad", std::string("SAME_UPPER"))
                .Run()
                .ToString(),
            "float32[1, 3, 32, 32]");
  EXPECT_EQ(Pool("AveragePool", 7, {1, 1, 5, 5}, {3, 3})
                .Attr("auto_pad", std::string("SAME_UPPER"))
                .Attr("strides", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 3, 3]");
}

TEST(PoolingRules, ASmallPaddingNeedsNoMinimumForSymbols) {
  // ceil((h - 2)/2) + 1, which is ceil(h/2).
  EXPECT_EQ(Pool("MaxPool", 12, {1, 8, Dim::Symbol("h")}, {2})
                .Attr("strides", Ints{2})
                .Attr("ceil_mode", int64_t{1})
                .Run()
                .ToString(),
            "float32[1, 8, floor((h + 1)/2)]");
}

TEST(PoolingRules, MaxPoolAlsoGivesIndices) {
  EXPECT_EQ(Pool("MaxPool", 8, {1, 1, 5, 5}, {5, 5})
                .Outputs(2)
                .Attr("pads", Ints{2, 2, 2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 5, 5]; int64[1, 1, 5, 5]");
}

TEST(PoolingRules, AWindowOfAnotherRankIsAnError) {
  EXPECT_FALSE(Pool("MaxPool", 12, {1, 1, 5, 5}, {3}).Run().status().ok());
  EXPECT_FALSE(
      OneNode("MaxPool", 12).Input(Float({1, 1, 5})).Run().status().ok());
}

TEST(PoolingRules, GlobalPoolingLeavesOne) {
  for (const char* op :
       {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"}) {
    EXPECT_EQ(OneNode(op, 22)
                  .Input(Float({Dim::Symbol("n"), 3, 5, Dim()}))
                  .Run()
                  .ToString(),
              "float32[n, 3, 1, 1]");
  }
}

TEST(PoolingRules, MaxUnpoolInvertsOrTakesTheGivenShape) {
  const Type x = Float({1, 1, 2, 2});
  EXPECT_EQ(OneNode("MaxUnpool", 11)
                .Attr("kernel_shape", Ints{2, 2})
                .Attr("strides", Ints{2, 2})
                .Input(x)
                .Input(Int64({1, 1, 2, 2}))
                .Run()
                .ToString(),
            "float32[1, 1, 4, 4]");
  EXPECT_EQ(OneNode("MaxUnpool", 11)
                .Attr("kernel_shape", Ints{2, 2})
                .Attr("strides", Ints{2, 2})
                .Input(x)
                .Input(Int64({1, 1, 2, 2}))
                .Ints({1, 1, 5, 5})
                .Run()
                .ToString(),
            "float32[1, 1, 5, 5]");
}

TEST(PoolingRules, RegionsGiveTheBatch) {
  EXPECT_EQ(OneNode("RoiAlign", 16)
                .Attr("output_height", int64_t{5})
                .Attr("output_width", int64_t{6})
                .Input(Float({1, 3, 10, 10}))
                .Input(Float({7, 4}))
                .Input(Int64({7}))
                .Run()
                .ToString(),
            "float32[7, 3, 5, 6]");
  EXPECT_EQ(OneNode("MaxRoiPool", 1)
                .Attr("pooled_shape", Ints{2, 3})
                .Input(Float({1, 3, 10, 10}))
                .Input(Float({7, 5}))
                .Run()
                .ToString(),
            "float32[7, 3, 2, 3]");
}

}  // namespace
}  // namespace memplan
