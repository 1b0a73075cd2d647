#include <gtest/gtest.h>

#include <cstdint>

#include "tests/onnx_frontend/fold/fold_test_util.h"

namespace memplan {
namespace {

const Dim n = Dim::Symbol("n");

TEST(ArithmeticTest, SymbolsFlowThroughIntegerArithmetic) {
  EXPECT_EQ(Fold("Mul").Ints({n, 3}).Int(2).Result(), "int64[2]{2*n, 6}");
  EXPECT_EQ(Fold("Add").Ints({n * 2}).Ints({1}).Result(), "int64[1]{2*n + 1}");
  EXPECT_EQ(Fold("Sub").Int(n).Int(n - 4).Result(), "int64[]{4}");
  EXPECT_EQ(Fold("Div").Int(n * 12).Int(4).Result(), "int64[]{3*n}");
  EXPECT_EQ(Fold("Neg").Int(n).Result(), "int64[]{-n}");
}

TEST(ArithmeticTest, APartlyKnownVectorStaysPartlyKnown) {
  EXPECT_EQ(Fold("Add").Ints({Dim(), 3, n}).Int(1).Result(),
            "int64[3]{?, 4, n + 1}");
  EXPECT_EQ(Fold("Mul")
                .Ints({0, 2})
                .Unknown(Type::Tensor(ElementType::kInt64, Shape{2}))
                .Result(),
            "int64[2]{0, ?}");
}

TEST(ArithmeticTest, IntegersDivideTowardZeroAndModFollowsFmod) {
  EXPECT_EQ(Fold("Div").Ints({-7, 7}).Ints({2, -2}).Result(),
            "int64[2]{-3, -3}");
  EXPECT_EQ(Fold("Mod").Ints({-7, 7}).Ints({3, -3}).Result(),
            "int64[2]{2, -2}");
  EXPECT_EQ(
      Fold("Mod").Ints({-7, 7}).Ints({3, -3}).Attr("fmod", int64_t{1}).Result(),
      "int64[2]{-1, 1}");
  EXPECT_EQ(Fold("Div").Ints({1, 4}).Ints({0, 2}).Result(), "int64[2]{?, 2}");
}

TEST(ArithmeticTest, WhatTheTypeCannotHoldIsUnknown) {
  EXPECT_EQ(Fold("Add")
                .In(IntContent({2}, {127, 1}, ElementType::kInt8))
                .In(IntContent({1}, {1}, ElementType::kInt8))
                .Result(),
            "int8[2]{?, 2}");
  EXPECT_EQ(Fold("Sub")
                .In(IntContent({2}, {0, 3}, ElementType::kUint32))
                .In(IntContent({1}, {1}, ElementType::kUint32))
                .Result(),
            "uint32[2]{?, 2}");
  EXPECT_EQ(Fold("Mul").Ints({INT64_MAX, 1}).Int(2).Result(), "int64[2]{?, 2}");
}

TEST(ArithmeticTest, FloatsRoundToTheirType) {
  // 0.7 in float32 is below 0.7, but ten times it rounds to 7.
  EXPECT_EQ(Fold("Mul").Floats({0.699999988079071}).Floats({10}).Result(),
            "float32[1]{7}");
  EXPECT_EQ(Fold("Add").Floats({16777216}).Floats({1}).Result(),
            "float32[1]{1.67772e+07}");
  EXPECT_EQ(Fold("Add")
                .In(FloatContent({}, {2048}, ElementType::kFloat16))
                .In(FloatContent({}, {1}, ElementType::kFloat16))
                .Result(),
            "float16[]{2048}");
  EXPECT_EQ(Fold("Mul")
                .In(FloatContent({}, {60000}, ElementType::kFloat16))
                .In(FloatContent({}, {2}, ElementType::kFloat16))
                .Result(),
            "float16[]{inf}");
  EXPECT_EQ(Fold("Add")
                .In(FloatContent({}, {256}, ElementType::kBfloat16))
                .In(FloatContent({}, {1}, ElementType::kBfloat16))
                .Result(),
            "bfloat16[]{256}");
}

TEST(ArithmeticTest, RoundsHalvesToEven) {
  EXPECT_EQ(Fold("Round").Floats({0.5, 1.5, 2.5, -2.5}).Result(),
            "float32[4]{0, 2, 2, -2}");
  EXPECT_EQ(Fold("Floor").Floats({-0.5, 1.9}).Result(), "float32[2]{-1, 1}");
  EXPECT_EQ(Fold("Ceil").Floats({0.1, 2}).Result(), "float32[2]{1, 2}");
}

TEST(ArithmeticTest, DimensionsStaySymbolicThroughFloat) {
  TensorValue half = FloatContent({2}, {0, 0});
  half.floats.clear();
  half.ints = {n, 7};
  const auto scaled = Fold("Mul").In(half).Floats({0.5, 0.5}).Run().Content();
  EXPECT_EQ(Print(scaled), "float32[2]{n / 2, 7 / 2}");
  EXPECT_EQ(Fold("Floor").In(*scaled).Result(), "float32[2]{floor(n/2), 3}");
  EXPECT_EQ(Fold("Ceil").In(*scaled).Result(),
            "float32[2]{floor((n + 1)/2), 4}");
  EXPECT_EQ(Fold("Div").In(half).Floats({2, 7}).Result(),
            "float32[2]{7*n / 14, 14 / 14}");
}

TEST(ArithmeticTest, AFloatThatIsNoShortFractionLosesTheSymbolAlone) {
  TensorValue sizes = FloatContent({2}, {});
  sizes.ints = {n, 4};
  EXPECT_EQ(Fold("Mul").In(sizes).Floats({0.699999988079071, 0.5}).Result(),
            "float32[2]{? / 2, 4 / 2}");
}

TEST(ArithmeticTest, PowersOfIntegersAndSymbols) {
  EXPECT_EQ(Fold("Pow").Ints({2, 3, n}).Int(2).Result(), "int64[3]{4, 9, n^2}");
  EXPECT_EQ(Fold("Pow").Ints({2}).Ints({64}).Result(), "nothing");
  EXPECT_EQ(Fold("Pow").Floats({9}).Floats({0.5}).Result(), "float32[1]{3}");
  EXPECT_EQ(Fold("Pow").Floats({2}).Ints({3}).Result(), "float32[1]{8}");
}

TEST(ArithmeticTest, MinMaxSumMeanTakeAnyNumberOfInputs) {
  EXPECT_EQ(Fold("Max").Ints({1, 5}).Ints({3}).Ints({2}).Result(),
            "int64[2]{3, 5}");
  EXPECT_EQ(Fold("Min").Int(n).Int(n + 1).Result(), "int64[]{n}");
  EXPECT_EQ(Fold("Sum").Floats({1}).Floats({2}).Floats({4}).Result(),
            "float32[1]{7}");
  EXPECT_EQ(Fold("Mean").Floats({1}).Floats({2}).Result(), "float32[1]{1.5}");
}

TEST(ArithmeticTest, ClipTakesItsLimitsFromInputsOrAttributes) {
  EXPECT_EQ(Fold("Clip", 13).Ints({-2, 9, n}).Int(0).Int(5).Result(),
            "int64[3]{0, 5, min(n, 5)}");
  EXPECT_EQ(Fold("Clip", 13).Ints({-2, 9}).Absent().Int(5).Result(),
            "int64[2]{-2, 5}");
  EXPECT_EQ(Fold("Clip", 6).Floats({-2, 9}).Attr("max", 3.0f).Result(),
            "float32[2]{-2, 3}");
}

TEST(ArithmeticTest, OldOperatorsAlignTheSecondInputToAnAxis) {
  EXPECT_EQ(Fold("Add", 6)
                .In(IntContent({2, 2}, {1, 2, 3, 4}))
                .Ints({10, 20})
                .Attr("broadcast", int64_t{1})
                .Attr("axis", int64_t{0})
                .Result(),
            "int64[2, 2]{11, 12, 23, 24}");
}

TEST(ArithmeticTest, LargeTensorsAreNotEvaluated) {
  const int64_t side = 200;  // 40,000 elements
  EXPECT_EQ(Fold("Add")
                .In(IntContent({side, 1}, std::vector<Dim>(side, Dim(1))))
                .In(IntContent({side}, std::vector<Dim>(side, Dim(1))))
                .Result(),
            "nothing");
}

TEST(ArithmeticTest, AContentThatContradictsTheRuleIsNotSet) {
  EXPECT_EQ(Fold("Add").Ints({1}).Ints({2}).OutInts({2}).Result(), "nothing");
  EXPECT_EQ(Fold("Add").Ints({1}).Ints({2}).OutFloats({1}).Result(), "nothing");
  EXPECT_EQ(Fold("Add").Ints({1}).Ints({2}).OutInts({n}).Result(),
            "int64[1]{3}");
}

}  // namespace
}  // namespace memplan
