#include <gtest/gtest.h>

#include <cmath>

#include "tests/onnx_frontend/fold/fold_test_util.h"

namespace memplan {
namespace {

const Dim n = Dim::Symbol("n");

TEST(CastTest, FloatsTruncateTowardZero) {
  EXPECT_EQ(Fold("Cast").Floats({-1.9, 1.9, NAN, 1e30}).OutInts({4}).Result(),
            "int64[4]{-1, 1, ?, ?}");
  EXPECT_EQ(
      Fold("Cast").Floats({300, 3}).Out(ElementType::kUint8, {2}).Result(),
      "uint8[2]{?, 3}");
}

TEST(CastTest, WhateverIsNotZeroIsTrue) {
  EXPECT_EQ(Fold("Cast")
                .Ints({0, -3, n, n + 1})
                .Out(ElementType::kBool, {4})
                .Result(),
            "bool[4]{0, 1, ?, 1}");
  EXPECT_EQ(Fold("Cast").Floats({0.1}).Out(ElementType::kBool, {1}).Result(),
            "bool[1]{1}");
}

TEST(CastTest, SymbolsGoThroughFloatAndBack) {
  const auto as_float =
      Fold("Cast").Ints({n, 4}).OutFloats({2}).Run().Content();
  EXPECT_EQ(Print(as_float), "float32[2]{n, 4}");
  EXPECT_TRUE(as_float->is_partly_known_float());
  EXPECT_EQ(Fold("Cast").In(*as_float).OutInts({2}).Result(), "int64[2]{n, 4}");
}

TEST(CastTest, NumbersBecomePlainFloats) {
  const auto content = Fold("Cast").Ints({3, 4}).OutFloats({2}).Run().Content();
  EXPECT_EQ(Print(content), "float32[2]{3, 4}");
  EXPECT_FALSE(content->is_partly_known_float());
}

TEST(CastTest, SymbolsAreLostInTypesThatRoundSizes) {
  EXPECT_EQ(Fold("Cast").Ints({n}).Out(ElementType::kFloat16, {1}).Result(),
            "nothing");
}

TEST(CastTest, CastLikeTakesTheTypeOfItsSecondInput) {
  EXPECT_EQ(Fold("CastLike").Floats({2.5}).Ints({0}).OutInts({1}).Result(),
            "int64[1]{2}");
}

}  // namespace
}  // namespace memplan
