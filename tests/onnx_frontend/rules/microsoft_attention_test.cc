#include <string>

#include "gtest/gtest.h"
#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

OneNode Microsoft(std::string_view op) { return {op, 1, "com.microsoft"}; }

Type Int32(Shape shape) {
  return Type::Tensor(ElementType::kInt32, std::move(shape));
}

Type Half(Shape shape) {
  return Type::Tensor(ElementType::kFloat16, std::move(shape));
}

TensorValue Int32Scalar(Dim value) {
  return TensorValue::Vector(ElementType::kInt32, {std::move(value)});
}

const Dim kBatch = Dim::Symbol("batch");
const Dim kSeq = Dim::Symbol("seq");

TEST(MicrosoftAttentionTest, ProjectsAndKeepsThePresentState) {
  EXPECT_EQ(Microsoft("Attention")
                .Outputs(2)
                .Attr("num_heads", int64_t{12})
                .Input(Float({kBatch, kSeq, 768}))
                .Input(Float({768, 2304}))
                .Input(Float({2304}))
                .Run()
                .ToString(),
            "float32[batch, seq, 768]; float32[2, batch, 12, seq, 64]");
}

TEST(MicrosoftAttentionTest, PresentIsPastAndTheNewTokens) {
  const auto attention = [](int64_t shared) {
    return Microsoft("Attention")
        .Outputs(2)
        .Attr("num_heads", int64_t{2})
        .Attr("past_present_share_buffer", shared)
        .Input(Float({1, 3, 8}))
        .Input(Float({8, 24}))
        .Input(Float({24}))
        .Absent()
        .Input(Float({2, 1, 2, 5, 4}))
        .Run()
        .ToString();
  };
  EXPECT_EQ(attention(0), "float32[1, 3, 8]; float32[2, 1, 2, 8, 4]");
  EXPECT_EQ(attention(1), "float32[1, 3, 8]; float32[2, 1, 2, 5, 4]");
}

TEST(MicrosoftAttentionTest, ValuesMayHaveAnotherWidth) {
  EXPECT_EQ(Microsoft("Attention")
                .Attr("num_heads", int64_t{2})
                .Attr("qkv_hidden_sizes", std::vector<int64_t>{8, 8, 6})
                .Input(Float({1, 3, 8}))
                .Input(Float({8, 22}))
                .Absent()
                .Run()
                .ToString(),
            "float32[1, 3, 6]");
}

TEST(MicrosoftAttentionTest, QuantizedAttentionHasTheBiasType) {
  EXPECT_EQ(Microsoft("QAttention")
                .Attr("num_heads", int64_t{2})
                .Input(Type::Tensor(ElementType::kUint8, Shape{1, 3, 8}))
                .Input(Type::Tensor(ElementType::kInt8, Shape{8, 24}))
                .Input(Float({24}))
                .Run()
                .ToString(),
            "float32[1, 3, 8]");
}

TEST(MicrosoftAttentionTest, RejectsAnInputThatIsNoSequence) {
  EXPECT_EQ(Microsoft("Attention").Input(Float({3, 8})).Run().ToString(),
            "node 'n' (Attention): input 'in1' is [3, 8], of rank 2; the "
            "operator takes rank 3");
}

TEST(MicrosoftAttentionTest, MultiHeadLayouts) {
  const auto attention = [] {
    return Microsoft("MultiHeadAttention")
        .Outputs(3)
        .Attr("num_heads", int64_t{2});
  };
  // Q, K and V apart; V is narrower.
  EXPECT_EQ(attention()
                .Input(Float({1, 3, 8}))
                .Input(Float({1, 5, 8}))
                .Input(Float({1, 5, 6}))
                .Run()
                .ToString(),
            "float32[1, 3, 6]; float32[1, 2, 5, 4]; float32[1, 2, 5, 3]");
  // K and V from a cache.
  EXPECT_EQ(attention()
                .Input(Float({1, 3, 8}))
                .Input(Float({1, 2, 5, 4}))
                .Input(Float({1, 2, 5, 4}))
                .Run()
                .ToString(),
            "float32[1, 3, 8]; float32[1, 2, 5, 4]; float32[1, 2, 5, 4]");
  // K and V in one.
  EXPECT_EQ(attention()
                .Input(Float({1, 3, 8}))
                .Input(Float({1, 5, 2, 2, 4}))
                .Run()
                .ToString(),
            "float32[1, 3, 8]; float32[1, 2, 5, 4]; float32[1, 2, 5, 4]");
  // All in one.
  EXPECT_EQ(attention().Input(Float({1, 3, 2, 3, 4})).Run().ToString(),
            "float32[1, 3, 8]; float32[1, 2, 3, 4]; float32[1, 2, 3, 4]");
}

TEST(MicrosoftAttentionTest, MultiHeadCacheGrowsUnlessItIsOneBuffer) {
  const auto attention = [] {
    return Microsoft("MultiHeadAttention")
        .Outputs(3)
        .Attr("num_heads", int64_t{2})
        .Input(Float({1, 1, 8}))
        .Input(Float({1, 1, 8}))
        .Input(Float({1, 1, 8}))
        .Absent()
        .Absent()
        .Absent()
        .Input(Float({1, 2, Dim::Symbol("past"), 4}))
        .Input(Float({1, 2, Dim::Symbol("past"), 4}));
  };
  EXPECT_EQ(attention().Run().ToString(),
            "float32[1, 1, 8]; float32[1, 2, past + 1, 4]; "
            "float32[1, 2, past + 1, 4]");
  EXPECT_EQ(attention().Input(Int32({1})).Run().ToString(),
            "float32[1, 1, 8]; float32[1, 2, past, 4]; float32[1, 2, past, 4]");
}

TEST(MicrosoftAttentionTest, DecoderTakesAPackedQuery) {
  EXPECT_EQ(Microsoft("DecoderMaskedMultiHeadAttention")
                .Attr("num_heads", int64_t{2})
                .Input(Float({4, 1, 24}))
                .Run()
                .ToString(),
            "float32[4, 1, 8]");
}

TEST(MicrosoftAttentionTest, GroupedCacheIsAsLongAsTheTotal) {
  const auto attention = [] {
    return Microsoft("GroupQueryAttention")
        .Outputs(3)
        .Attr("num_heads", int64_t{4})
        .Attr("kv_num_heads", int64_t{2});
  };
  // The total length is in input 6; unknown, it is what the caches depend on.
  EXPECT_EQ(attention()
                .Input(Half({1, 1, 32}))
                .Input(Half({1, 1, 16}))
                .Input(Half({1, 1, 16}))
                .Absent()
                .Absent()
                .Input(Int32({1}))
                .Input(Int32({}))
                .Run()
                .UnknownReason(1),
            "shape depends on the contents of 'in8'");
  EXPECT_EQ(attention()
                .Input(Half({1, 1, 32}))
                .Input(Half({1, 1, 16}))
                .Input(Half({1, 1, 16}))
                .Input(Half({1, 2, 6, 8}))
                .Input(Half({1, 2, 6, 8}))
                .Input(Int32({1}))
                .Known(Int32Scalar(7))
                .Run()
                .ToString(),
            "float16[1, 1, 32]; float16[1, 2, 7, 8]; float16[1, 2, 7, 8]");
  // Packed, without a past: the heads of Q, K and V in one.
  EXPECT_EQ(attention()
                .Input(Half({1, 5, 64}))
                .Absent()
                .Absent()
                .Absent()
                .Absent()
                .Input(Int32({1}))
                .Known(Int32Scalar(5))
                .Run()
                .ToString(),
            "float16[1, 5, 32]; float16[1, 2, 5, 8]; float16[1, 2, 5, 8]");
}

TEST(MicrosoftAttentionTest, SparseAttentionKeepsItsBuffer) {
  EXPECT_EQ(Microsoft("SparseAttention")
                .Outputs(3)
                .Attr("num_heads", int64_t{4})
                .Attr("kv_num_heads", int64_t{2})
                .Input(Half({1, 1, 32}))
                .Input(Half({1, 1, 16}))
                .Input(Half({1, 1, 16}))
                .Input(Half({1, 2, 64, 8}))
                .Input(Half({1, 2, 64, 8}))
                .Run()
                .ToString(),
            "float16[1, 1, 32]; float16[1, 2, 64, 8]; float16[1, 2, 64, 8]");
}

TEST(MicrosoftAttentionTest, PagedAttentionUpdatesItsBlocks) {
  EXPECT_EQ(Microsoft("PagedAttention")
                .Outputs(3)
                .Attr("num_heads", int64_t{4})
                .Attr("kv_num_heads", int64_t{2})
                .Input(Half({Dim::Symbol("tokens"), 64}))
                .Absent()
                .Absent()
                .Input(Half({10, 16, 2, 8}))
                .Input(Half({10, 16, 2, 8}))
                .Run()
                .ToString(),
            "float16[tokens, 32]; float16[10, 16, 2, 8]; "
            "float16[10, 16, 2, 8]");
}

TEST(MicrosoftAttentionTest, LinearAttentionCarriesAState) {
  EXPECT_EQ(Microsoft("LinearAttention")
                .Outputs(2)
                .Attr("q_num_heads", int64_t{2})
                .Attr("kv_num_heads", int64_t{4})
                .Input(Float({1, 3, 16}))
                .Input(Float({1, 3, 32}))
                .Input(Float({1, 3, 20}))
                .Run()
                .ToString(),
            "float32[1, 3, 20]; float32[1, 4, 8, 5]");
}

TEST(MicrosoftAttentionTest, CausalConvolutionCarriesTheLastPositions) {
  EXPECT_EQ(Microsoft("CausalConvWithState")
                .Outputs(2)
                .Input(Float({kBatch, 6, kSeq}))
                .Input(Float({6, 1, 4}))
                .Run()
                .ToString(),
            "float32[batch, 6, seq]; float32[batch, 6, 3]");
}

TEST(MicrosoftAttentionTest, RemovedPaddingIsKnownOnlyWhenItRuns) {
  OneNode node = Microsoft("RemovePadding")
                     .Outputs(4)
                     .Input(Half({2, 8, 64}))
                     .Input(Int32({2}))
                     .Run();
  ASSERT_TRUE(node.Output().has_shape());
  EXPECT_TRUE((*node.Output().shape)[0].is_symbolic());
  EXPECT_EQ(ToString(node.Output(1)), "int32[2, 8]");
  EXPECT_EQ(ToString(node.Output(2)), "int32[3]");
  EXPECT_EQ(ToString(node.Output(3)), "int32[1]");
}

TEST(MicrosoftAttentionTest, SmallOperators) {
  EXPECT_EQ(Microsoft("RestorePadding")
                .Input(Half({Dim::Symbol("tokens"), 64}))
                .Input(Int32({2, 8}))
                .Run()
                .ToString(),
            "float16[2, 8, 64]");
  EXPECT_EQ(Microsoft("PackedAttention")
                .Input(Half({Dim::Symbol("tokens"), 64}))
                .Input(Half({64, 192}))
                .Input(Half({192}))
                .Run()
                .ToString(),
            "float16[tokens, 64]");
  EXPECT_EQ(Microsoft("PackedMultiHeadAttention")
                .Input(Half({10, 4, 3, 16}))
                .Run()
                .ToString(),
            "float16[10, 64]");
  EXPECT_EQ(Microsoft("RelativePositionBias")
                .Input(Float({32, 8}))
                .Ints({7})
                .Ints({7})
                .Run()
                .ToString(),
            "float32[1, 8, 7, 7]");
  EXPECT_EQ(Microsoft("GatedRelativePositionBias")
                .Attr("num_heads", int64_t{8})
                .Input(Float({2, 7, 64}))
                .Run()
                .ToString(),
            "float32[2, 8, 7, 7]");
}

}  // namespace
}  // namespace memplan
