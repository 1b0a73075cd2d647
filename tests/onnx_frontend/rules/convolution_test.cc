// Values from the operators' node tests in the specification, or worked out
// from its formulas.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Ints = std::vector<int64_t>;

OneNode Conv(Shape x, Shape w, int64_t opset = 22) {
  return OneNode("Conv", opset)
      .Input(Float(std::move(x)))
      .Input(Float(std::move(w)));
}

TEST(ConvolutionRules, PadsStridesAndDilations) {
  EXPECT_EQ(Conv({1, 1, 7, 5}, {1, 1, 3, 3})
                .Attr("pads", Ints{1, 1, 1, 1})
                .Attr("strides", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 4, 3]");
  EXPECT_EQ(Conv({1, 1, 7, 5}, {1, 1, 3, 3})
                .Attr("pads", Ints{1, 0, 1, 0})
                .Attr("strides", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 4, 2]");
  EXPECT_EQ(Conv({1, 3, 224, 224}, {64, 3, 7, 7}, 1)
                .Attr("kernel_shape", Ints{7, 7})
                .Attr("pads", Ints{3, 3, 3, 3})
                .Attr("strides", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 64, 112, 112]");
  EXPECT_EQ(Conv({1, 4, 10, 12, 14}, {8, 2, 3, 3, 3})
                .Attr("group", int64_t{2})
                .Attr("dilations", Ints{2, 2, 2})
                .Run()
                .ToString(),
            "float32[1, 8, 6, 8, 10]");
}

TEST(ConvolutionRules, SamePaddingDividesByTheStrideAndRoundsUp) {
  EXPECT_EQ(Conv({1, 1, 5, 5}, {1, 1, 3, 3})
                .Attr("auto_pad", std::string("SAME_LOWER"))
                .Attr("strides", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 3, 3]");
  EXPECT_EQ(Conv({1, 1, 5, 5}, {1, 1, 3, 3})
                .Attr("auto_pad", std::string("VALID"))
                .Attr("pads", Ints{9, 9, 9, 9})
                .Run()
                .ToString(),
            "float32[1, 1, 3, 3]");
}

TEST(ConvolutionRules, SymbolsFlowThroughTheFormula) {
  const Dim n = Dim::Symbol("n");
  const Dim h = Dim::Symbol("h");
  EXPECT_EQ(Conv({n, 3, h, 2 * h}, {8, 3, 3, 3})
                .Attr("pads", Ints{1, 1, 1, 1})
                .Run()
                .ToString(),
            "float32[n, 8, h, 2*h]");
}

TEST(ConvolutionRules, UnknownWeightsLeaveChannelsAndSizesOpen) {
  EXPECT_EQ(OneNode("Conv", 11)
                .Input(Float({2, 3, 8, 8}))
                .Input(Type::Tensor(ElementType::kFloat))
                .Run()
                .ToString(),
            "float32[2, ?, ?, ?]");
  EXPECT_EQ(OneNode("Conv", 11)
                .Attr("kernel_shape", Ints{3, 3})
                .Input(Float({2, 3, 8, 8}))
                .Input(Type::Tensor(ElementType::kFloat))
                .Run()
                .ToString(),
            "float32[2, ?, 6, 6]");
}

TEST(ConvolutionRules, ChannelsThatDoNotFitAreAnError) {
  EXPECT_EQ(Conv({1, 3, 8, 8}, {8, 4, 3, 3}).Run().ToString(),
            "node 'n' (Conv): an input of shape [1, 3, 8, 8] has 3 channels; "
            "weights of shape [8, 4, 3, 3] take 4");
}

TEST(ConvolutionRules, AKernelBeyondThePaddedInputIsAnError) {
  EXPECT_FALSE(Conv({1, 1, 2, 2}, {1, 1, 5, 5}).Run().status().ok());
}

TEST(ConvolutionRules, HostileAttributesAreErrors) {
  EXPECT_FALSE(Conv({1, 1, 5, 5}, {1, 1, 3, 3})
                   .Attr("strides", Ints{0, 1})
                   .Run()
                   .status()
                   .ok());
  EXPECT_FALSE(Conv({1, 1, 5, 5}, {1, 1, 3, 3})
                   .Attr("pads", Ints{1, 1})
                   .Run()
                   .status()
                   .ok());
  EXPECT_FALSE(Conv({1, 1}, {1, 1, 3, 3}).Run().status().ok());
}

TEST(ConvolutionRules, OverflowIsUnknownNotANumber) {
  EXPECT_EQ(Conv({1, 1, INT64_MAX}, {1, 1, 3})
                .Attr("pads", Ints{INT64_MAX, INT64_MAX})
                .Run()
                .ToString(),
            "float32[1, 1, ?]");
}

TEST(ConvolutionRules, QuantizedConvolutionsTakeTheOutputsZeroPoint) {
  const Type uint8 = Type::Tensor(ElementType::kUint8, Shape{1, 1, 7, 7});
  const Type scalar = Float({});
  EXPECT_EQ(OneNode("QLinearConv", 10)
                .Input(uint8)
                .Input(scalar)
                .Input(Type::Tensor(ElementType::kUint8, Shape{}))
                .Input(Type::Tensor(ElementType::kInt8, Shape{4, 1, 1, 1}))
                .Input(scalar)
                .Input(Type::Tensor(ElementType::kInt8, Shape{}))
                .Input(scalar)
                .Input(Type::Tensor(ElementType::kInt8, Shape{}))
                .Run()
                .ToString(),
            "int8[1, 4, 7, 7]");
  EXPECT_EQ(OneNode("ConvInteger", 10)
                .Input(uint8)
                .Input(Type::Tensor(ElementType::kUint8, Shape{1, 1, 2, 2}))
                .Run()
                .ToString(),
            "int32[1, 1, 6, 6]");
}

OneNode Transposed(Shape x, Shape w) {
  return OneNode("ConvTranspose", 11)
      .Input(Float(std::move(x)))
      .Input(Float(std::move(w)));
}

TEST(ConvolutionRules, TransposedConvolutions) {
  EXPECT_EQ(Transposed({1, 1, 3, 3}, {1, 2, 3, 3}).Run().ToString(),
            "float32[1, 2, 5, 5]");
  EXPECT_EQ(Transposed({1, 1, 3}, {1, 2, 3}).Run().ToString(),
            "float32[1, 2, 5]");
  EXPECT_EQ(Transposed({1, 1, 3, 3}, {1, 2, 3, 3})
                .Attr("strides", Ints{3, 2})
                .Attr("output_padding", Ints{1, 1})
                .Run()
                .ToString(),
            "float32[1, 2, 10, 8]");
  EXPECT_EQ(Transposed({1, 1, 3, 3}, {1, 2, 3, 3})
                .Attr("strides", Ints{3, 2})
                .Attr("pads", Ints{1, 2, 1, 2})
                .Run()
                .ToString(),
            "float32[1, 2, 7, 3]");
  EXPECT_EQ(Transposed({1, 1, 3, 3}, {1, 1, 2, 2})
                .Attr("dilations", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 5, 5]");
  EXPECT_EQ(Transposed({1, 1, 3, 3}, {1, 2, 3, 3})
                .Attr("strides", Ints{3, 2})
                .Attr("output_shape", Ints{10, 8})
                .Run()
                .ToString(),
            "float32[1, 2, 10, 8]");
  EXPECT_EQ(Transposed({1, 4, 3, 3}, {4, 3, 3, 3})
                .Attr("group", int64_t{2})
                .Run()
                .ToString(),
            "float32[1, 6, 5, 5]");
}

TEST(ConvolutionRules, SameTransposedConvolutionsMultiplyByTheStride) {
  EXPECT_EQ(Transposed({1, 1, 3, 3}, {1, 2, 3, 3})
                .Attr("auto_pad", std::string("SAME_UPPER"))
                .Attr("strides", Ints{2, 2})
                .Run()
                .ToString(),
            "float32[1, 2, 6, 6]");
  // A kernel below the stride ends early: runtimes do not pad below 0.
  EXPECT_EQ(Transposed({1, 1, 3}, {1, 2, 1})
                .Attr("auto_pad", std::string("SAME_UPPER"))
                .Attr("strides", Ints{2})
                .Run()
                .ToString(),
            "float32[1, 2, 5]");
}

TEST(ConvolutionRules, Col2ImDividesTheChannelsByTheBlock) {
  EXPECT_EQ(OneNode("Col2Im", 18)
                .Input(Float({1, 5, 5}))
                .Ints({5, 5})
                .Ints({1, 5})
                .Run()
                .ToString(),
            "float32[1, 1, 5, 5]");
  EXPECT_EQ(OneNode("Col2Im", 18)
                .Input(Float({1, 10, 12}))
                .Ints({3, 4, 5})
                .Ints({1, 1, 5})
                .Run()
                .ToString(),
            "float32[1, 2, 3, 4, 5]");
}

TEST(ConvolutionRules, DeformableConvolutionsAreShapedLikeOthers) {
  EXPECT_EQ(OneNode("DeformConv", 19)
                .Attr("pads", Ints{1, 1, 1, 1})
                .Input(Float({1, 1, 3, 3}))
                .Input(Float({1, 1, 2, 2}))
                .Input(Float({1, 8, 4, 4}))
                .Run()
                .ToString(),
            "float32[1, 1, 4, 4]");
}

TEST(ConvolutionRules, CausalConvolutionsCarryOneLessThanTheKernel) {
  EXPECT_EQ(OneNode("CausalConvWithState", 27)
                .Outputs(2)
                .Input(Float({2, 16, Dim::Symbol("t")}))
                .Input(Float({16, 1, 4}))
                .Run()
                .ToString(),
            "float32[2, 16, t]; float32[2, 16, 3]");
}

}  // namespace
}  // namespace memplan
