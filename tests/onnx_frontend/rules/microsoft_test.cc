// com.microsoft, but for attention. Values: the operators' definitions in ONNX
// Runtime's ContribOperators.md, worked out by hand.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Integers = std::vector<int64_t>;

OneNode Microsoft(std::string_view op) { return {op, 1, "com.microsoft"}; }

Type Uint8(Shape shape) {
  return Type::Tensor(ElementType::kUint8, std::move(shape));
}
Type Int32(Shape shape) {
  return Type::Tensor(ElementType::kInt32, std::move(shape));
}
TensorValue Int32s(std::vector<Dim> values) {
  return TensorValue::Vector(ElementType::kInt32, std::move(values));
}

TEST(MicrosoftNormalizationTest, SkipHasStatisticsAndTheSum) {
  EXPECT_EQ(Microsoft("SkipLayerNormalization")
                .Outputs(4)
                .Input(Type::Tensor(ElementType::kFloat16, Shape{2, 3, 8}))
                .Run()
                .ToString(),
            "float16[2, 3, 8]; float32[2, 3, 1]; float32[2, 3, 1]; "
            "float16[2, 3, 8]");
}

TEST(MicrosoftNormalizationTest, EmbedsTokens) {
  EXPECT_EQ(Microsoft("EmbedLayerNormalization")
                .Outputs(3)
                .Input(Int32({Dim::Symbol("B"), Dim::Symbol("S")}))
                .Absent()
                .Input(Float({1000, 64}))
                .Run()
                .ToString(),
            "float32[B, S, 64]; int32[B]; float32[B, S, 64]");
}

TEST(MicrosoftNormalizationTest, NormalizesFromAnAxisOn) {
  EXPECT_EQ(OneNode("LayerNormalization", 9)
                .Outputs(3)
                .Attr("axis", int64_t{1})
                .Input(Type::Tensor(ElementType::kFloat16, Shape{2, 3, 8}))
                .Input(Float({3, 8}))
                .Run()
                .ToString(),
            "float32[2, 3, 8]; float32[2, 1, 1]; float32[2, 1, 1]");
}

TEST(MicrosoftElementwiseTest, Masks) {
  EXPECT_EQ(Microsoft("BiasDropout")
                .Outputs(2)
                .Input(Float({3, 11}))
                .Run()
                .ToString(),
            "float32[3, 11]; bool[3, 11]");
  EXPECT_EQ(Microsoft("BitmaskDropout")
                .Outputs(2)
                .Input(Float({3, 11}))
                .Run()
                .ToString(),
            "float32[3, 11]; uint32[2]");
}

TEST(MicrosoftMatMulTest, TransposesOperands) {
  EXPECT_EQ(Microsoft("FusedMatMul")
                .Attr("transA", int64_t{1})
                .Input(Float({5, 4, 3}))
                .Input(Float({5, 4, 2}))
                .Run()
                .ToString(),
            "float32[5, 3, 2]");
  // [4, 5, 3] becomes [5, 4, 3].
  EXPECT_EQ(Microsoft("FusedMatMul")
                .Attr("transBatchA", int64_t{1})
                .Input(Float({4, 5, 3}))
                .Input(Float({5, 3, 2}))
                .Run()
                .ToString(),
            "float32[5, 4, 2]");
  EXPECT_FALSE(Microsoft("FusedMatMul")
                   .Input(Float({4, 3}))
                   .Input(Float({4, 3}))
                   .Run()
                   .status()
                   .ok());
}

TEST(MicrosoftMatMulTest, PackedWeightsGiveTheWidthByAttribute) {
  EXPECT_EQ(Microsoft("MatMulNBits")
                .Attr("K", int64_t{32})
                .Attr("N", int64_t{7})
                .Input(Float({2, Dim::Symbol("S"), 32}))
                .Run()
                .ToString(),
            "float32[2, S, 7]");
  EXPECT_EQ(Microsoft("MatMulBnb4")
                .Attr("K", int64_t{32})
                .Attr("N", int64_t{7})
                .Attr("transB", int64_t{0})
                .Input(Float({2, 7}))
                .Run()
                .ToString(),
            "float32[2, 32]");
  EXPECT_EQ(Microsoft("MatMulFpQ4")
                .Input(Float({2, 32}))
                .Input(Uint8({160}))
                .Ints({32, 8})
                .Run()
                .ToString(),
            "float32[2, 8]");
}

TEST(MicrosoftMatMulTest, QuantizedProducts) {
  EXPECT_EQ(Microsoft("MatMulIntegerToFloat")
                .Input(Uint8({2, 3}))
                .Input(Uint8({3, 4}))
                .Input(Float({}))
                .Run()
                .ToString(),
            "float32[2, 4]");
  EXPECT_EQ(Microsoft("QGemm")
                .Attr("transB", int64_t{1})
                .Input(Uint8({2, 3}))
                .Input(Float({}))
                .Input(Uint8({}))
                .Input(Uint8({4, 3}))
                .Run()
                .ToString(),
            "float32[2, 4]");
}

TEST(MicrosoftQuantizedTest, OperandsStandBetweenScales) {
  EXPECT_EQ(Microsoft("QLinearAdd")
                .Input(Uint8({2, 1, 4}))
                .Input(Float({}))
                .Input(Uint8({}))
                .Input(Uint8({3, 1}))
                .Run()
                .ToString(),
            "uint8[2, 3, 4]");
  EXPECT_EQ(Microsoft("QLinearConcat")
                .Attr("axis", int64_t{1})
                .Input(Float({}))
                .Input(Uint8({}))
                .Input(Uint8({2, 3}))
                .Input(Float({}))
                .Input(Uint8({}))
                .Input(Uint8({2, 4}))
                .Input(Float({}))
                .Input(Uint8({}))
                .Run()
                .ToString(),
            "uint8[2, 7]");
  EXPECT_EQ(Microsoft("QLinearReduceMean")
                .Attr("axes", Integers{-1})
                .Attr("keepdims", int64_t{0})
                .Input(Uint8({2, 3, 4}))
                .Run()
                .ToString(),
            "uint8[2, 3]");
}

TEST(MicrosoftQuantizedTest, GathersRowsOfPackedValues) {
  EXPECT_EQ(Microsoft("GatherBlockQuantized")
                .Attr("bits", int64_t{4})
                .Input(Uint8({1000, 64}))
                .Input(Int64({2, 5}))
                .Input(Float({1000, 8}))
                .Run()
                .ToString(),
            "float32[2, 5, 128]");
}

TEST(MicrosoftConvolutionTest, ChannelsMayBeLast) {
  EXPECT_EQ(Microsoft("NhwcConv")
                .Input(Float({1, 8, 9, 3}))
                .Input(Float({16, 3, 3, 3}))
                .Run()
                .ToString(),
            "float32[1, 6, 7, 16]");
  EXPECT_EQ(Microsoft("NhwcMaxPool")
                .Attr("kernel_shape", Integers{2, 2})
                .Attr("strides", Integers{2, 2})
                .Input(Uint8({1, 8, 6, 3}))
                .Run()
                .ToString(),
            "uint8[1, 4, 3, 3]");
  EXPECT_EQ(Microsoft("QLinearGlobalAveragePool")
                .Attr("channels_last", int64_t{1})
                .Input(Uint8({1, 8, 6, 3}))
                .Run()
                .ToString(),
            "uint8[1, 1, 1, 3]");
  EXPECT_EQ(OneNode("Conv", 11, "com.ms.internal.nhwc")
                .Input(Float({1, 8, 9, 3}))
                .Input(Float({16, 3, 3, 3}))
                .Run()
                .ToString(),
            "float32[1, 6, 7, 16]");
}

TEST(MicrosoftConvolutionTest, QuantizedHasTheOutputsZeroPointType) {
  EXPECT_EQ(Microsoft("QLinearConv")
                .Attr("channels_last", int64_t{1})
                .Input(Uint8({1, 8, 9, 3}))
                .Input(Float({}))
                .Input(Uint8({}))
                .Input(Type::Tensor(ElementType::kInt8, Shape{16, 3, 3, 3}))
                .Input(Float({}))
                .Input(Type::Tensor(ElementType::kInt8, Shape{}))
                .Input(Float({}))
                .Input(Uint8({}))
                .Run()
                .ToString(),
            "uint8[1, 6, 7, 16]");
}

TEST(MicrosoftConvolutionTest, PadsMayBeContent) {
  // 2 * (3 - 1) + 2 - (1 + 0).
  EXPECT_EQ(Microsoft("ConvTransposeWithDynamicPads")
                .Attr("strides", Integers{2})
                .Input(Float({1, 4, 3}))
                .Input(Float({4, 5, 2}))
                .Ints({1, 0})
                .Run()
                .ToString(),
            "float32[1, 5, 5]");
}

TEST(MicrosoftConvolutionTest, BlocksAreUpToTheProcessor) {
  const auto reorder = [](int64_t channels) {
    return OneNode("ReorderInput", 1, "com.microsoft.nchwc")
        .Input(Float({1, channels, 5, 5}))
        .Run()
        .ToString();
  };
  EXPECT_EQ(reorder(60), "float32[1, 64, 5, 5]");
  EXPECT_EQ(reorder(4), "float32[1, ?, 5, 5]");
  EXPECT_EQ(OneNode("ReorderOutput", 1, "com.microsoft.nchwc")
                .Attr("channels", int64_t{60})
                .Attr("channels_last", int64_t{1})
                .Input(Float({1, 64, 5, 6}))
                .Run()
                .ToString(),
            "float32[1, 5, 6, 60]");
}

TEST(MicrosoftGenerationTest, CountsAreContents) {
  EXPECT_EQ(Microsoft("BeamSearch")
                .Outputs(3)
                .Attr("model_type", int64_t{0})
                .Attr("vocab_size", int64_t{1000})
                .Input(Int32({2, 8}))
                .Known(Int32s({20}))
                .Absent()
                .Known(Int32s({4}))
                .Known(Int32s({3}))
                .Run()
                .ToString(),
            "int32[2, 3, 20]; float32[2, 3]; float32[12, 2, 4, 1000]");
  EXPECT_EQ(Microsoft("GreedySearch")
                .Input(Int32({2, 8}))
                .Known(Int32s({20}))
                .Run()
                .ToString(),
            "int32[2, 20]");
}

TEST(MicrosoftTensorTest, MovesElements) {
  EXPECT_EQ(
      Microsoft("Pad").Input(Float({3, 2})).Ints({0, 2, 0, 1}).Run().ToString(),
      "float32[3, 5]");
  EXPECT_EQ(Microsoft("ExpandDims")
                .Input(Float({3, 2}))
                .Known(Int32s({-1}))
                .Run()
                .ToString(),
            "float32[3, 2, 1]");
  EXPECT_EQ(Microsoft("CropAndResize")
                .Input(Float({1, 3, 20, 20}))
                .Input(Float({5, 4}))
                .Input(Int32({5}))
                .Known(Int32s({7, 8}))
                .Run()
                .ToString(),
            "float32[5, 3, 7, 8]");
  EXPECT_EQ(Microsoft("UnfoldTensor")
                .Attr("dim", int64_t{0})
                .Attr("size", int64_t{3})
                .Attr("step", int64_t{2})
                .Input(Float({8, 2}))
                .Run()
                .ToString(),
            "float32[3, 2, 3]");
  EXPECT_EQ(Microsoft("Rfft").Input(Float({2, 16})).Run().ToString(),
            "float32[2, 9, 2]");
  EXPECT_EQ(Microsoft("Irfft").Input(Float({2, 9, 2})).Run().ToString(),
            "float32[2, 16]");
  EXPECT_EQ(Microsoft("CDist")
                .Input(Float({5, 4}))
                .Input(Float({3, 4}))
                .Run()
                .ToString(),
            "float32[5, 3]");
}

TEST(MicrosoftTensorTest, TokensAreKnownOnlyWhenItRuns) {
  const auto tokens = [](Shape strings) {
    return Microsoft("Tokenizer")
        .Input(Type::Tensor(ElementType::kString, std::move(strings)))
        .Run()
        .ToString();
  };
  EXPECT_EQ(tokens({2, 3}), "string[2, 3, tokens(out0)]");
  EXPECT_EQ(tokens({2, 0}), "string[2, 0]");
}

TEST(MicrosoftTrainingTest, GradientsHaveTheShapeOfWhatTheyAreOf) {
  EXPECT_EQ(Microsoft("LayerNormalizationGrad")
                .Outputs(3)
                .Input(Float({2, 8}))
                .Input(Float({2, 8}))
                .Input(Float({8}))
                .Run()
                .ToString(),
            "float32[2, 8]; float32[8]; float32[8]");
  EXPECT_EQ(Microsoft("GatherGrad")
                .Ints({10, 4})
                .Input(Int64({3}))
                .Input(Float({3, 4}))
                .Run()
                .ToString(),
            "float32[10, 4]");
  EXPECT_EQ(Microsoft("SoftmaxCrossEntropyLossInternal")
                .Outputs(2)
                .Input(Float({2, 5}))
                .Input(Int64({2}))
                .Run()
                .ToString(),
            "float32[]; float32[2, 5]");
}

TEST(MicrosoftTrainingTest, AYieldedGradientMayBeOneNumber) {
  EXPECT_EQ(Microsoft("YieldOp")
                .Outputs(2)
                .Attr("full_shape_outputs", Integers{0})
                .Input(Float({2, 5}))
                .Input(Float({3}))
                .Run()
                .ToString(),
            "float32[2, 5]; float32[...]");
}

TEST(MicrosoftCollectiveTest, GatheringPutsThePartsOfAllDevicesTogether) {
  EXPECT_EQ(Microsoft("AllGather")
                .Attr("group_size", int64_t{4})
                .Attr("axis", int64_t{0})
                .Input(Float({Dim::Symbol("n"), 3}))
                .Run()
                .ToString(),
            "float32[4*n, 3]");
}

TEST(MicrosoftCollectiveTest, WhatIsNotCutIsTheSameOnEachDevice) {
  OneNode node = Microsoft("DistributedMatMul");
  node.Input(Float({2, 3})).Input(Float({3, 4}));
  node.Attr("input_shard_specs", std::vector<std::string>{"RR", "RR"});
  EXPECT_EQ(node.Run().ToString(), "float32[2, 4]");
  OneNode cut = Microsoft("DistributedMatMul");
  cut.Input(Float({2, 3})).Input(Float({3, 4}));
  cut.Attr("input_shard_specs", std::vector<std::string>{"RS[0]", "S[0]R"});
  EXPECT_EQ(cut.Run().ToString(), "float32[...]");
  EXPECT_EQ(cut.UnknownReason(),
            "shape depends on how the tensors are cut for devices");
}

TEST(MicrosoftDeclaredTest, APythonFunctionSaysTypesAndRanks) {
  EXPECT_EQ(Microsoft("PythonOp")
                .Outputs(2)
                .Attr("func_name", std::string("mine.Function"))
                .Attr("output_tensor_types", Integers{10})
                .Attr("output_tensor_ranks", Integers{2})
                .Input(Float({2, 3}))
                .Run()
                .ToString(),
            "int64[]; float16[?, ?]");
}

}  // namespace
}  // namespace memplan
