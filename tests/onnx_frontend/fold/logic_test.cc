#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "tests/onnx_frontend/fold/fold_test_util.h"

namespace memplan {
namespace {

const Dim n = Dim::Symbol("n");

TensorValue Bools(std::vector<Dim> values) {
  return TensorValue::Vector(ElementType::kBool, std::move(values));
}

TEST(LogicTest, ComparisonsOfSymbolsAreUnknownUnlessDecided) {
  EXPECT_EQ(Fold("Equal").Ints({n, n, n, 2}).Ints({n, -1, 1, 2}).Result(),
            "bool[4]{1, 0, ?, 1}");
  EXPECT_EQ(Fold("Less").Ints({n, n, -1, 1}).Ints({n + 1, n, n, n}).Result(),
            "bool[4]{1, 0, 1, ?}");
  EXPECT_EQ(Fold("GreaterOrEqual").Ints({n, n}).Ints({0, 1}).Result(),
            "bool[2]{1, ?}");
  EXPECT_EQ(Fold("LessOrEqual").Floats({1, 2}).Floats({1, 1}).Result(),
            "bool[2]{1, 0}");
  EXPECT_EQ(Fold("Greater").Ints({3}).Ints({2}).Result(), "bool[1]{1}");
}

TEST(LogicTest, OneSideCanDecideAndAndOr) {
  const TensorValue left = Bools({0, 1, 0, 1});
  const TensorValue right = Bools({Dim(), Dim(), 0, 1});
  EXPECT_EQ(Fold("And").In(left).In(right).Result(), "bool[4]{0, ?, 0, 1}");
  EXPECT_EQ(Fold("Or").In(left).In(right).Result(), "bool[4]{?, 1, 0, 1}");
  EXPECT_EQ(Fold("Xor").In(left).In(right).Result(), "bool[4]{?, ?, 0, 0}");
  EXPECT_EQ(Fold("Not").In(right).Result(), "bool[4]{?, ?, 1, 0}");
}

TEST(LogicTest, WhereReplacesTheMinusOnesOfAShape) {
  // The usual expand: Where(shape == -1, 1, shape).
  EXPECT_EQ(Fold("Where")
                .In(Bools({0, 1, Dim()}))
                .Ints({5, 6, 7})
                .Ints({n, n, n})
                .Result(),
            "int64[3]{n, 6, ?}");
  EXPECT_EQ(Fold("Where").In(Bools({Dim()})).Ints({n}).Ints({n}).Result(),
            "int64[1]{n}");
}

TEST(LogicTest, WhereBroadcastsAllThree) {
  EXPECT_EQ(Fold("Where")
                .In(IntContent({2, 1}, {1, 0}, ElementType::kBool))
                .Ints({1, 2})
                .Int(9)
                .Result(),
            "int64[2, 2]{1, 2, 9, 9}");
  EXPECT_EQ(Fold("Where").In(Bools({1, 0})).Floats({0.5}).Floats({2}).Result(),
            "float32[2]{0.5, 2}");
}

TEST(LogicTest, BitsOfNumbers) {
  const auto u8 = [](std::vector<Dim> values) {
    return TensorValue::Vector(ElementType::kUint8, std::move(values));
  };
  EXPECT_EQ(Fold("BitwiseAnd").Ints({6}).Ints({3}).Result(), "int64[1]{2}");
  EXPECT_EQ(Fold("BitwiseOr").Ints({6}).Ints({3}).Result(), "int64[1]{7}");
  EXPECT_EQ(Fold("BitwiseXor").Ints({6}).Ints({3}).Result(), "int64[1]{5}");
  EXPECT_EQ(Fold("BitwiseNot").Ints({6}).Result(), "int64[1]{-7}");
  EXPECT_EQ(Fold("BitwiseNot").In(u8({6})).Result(), "uint8[1]{249}");
  EXPECT_EQ(Fold("BitShift")
                .In(u8({4, 255}))
                .In(u8({2, 1}))
                .Attr("direction", std::string("LEFT"))
                .Result(),
            "uint8[2]{16, ?}");
  EXPECT_EQ(Fold("BitShift")
                .In(u8({4}))
                .In(u8({2}))
                .Attr("direction", std::string("RIGHT"))
                .Result(),
            "uint8[1]{1}");
}

TEST(LogicTest, FindsNaNsAndInfinities) {
  EXPECT_EQ(Fold("IsNaN").Floats({NAN, 1}).Result(), "bool[2]{1, 0}");
  EXPECT_EQ(Fold("IsInf").Floats({INFINITY, -INFINITY}).Result(),
            "bool[2]{1, 1}");
  EXPECT_EQ(Fold("IsInf")
                .Floats({INFINITY, -INFINITY})
                .Attr("detect_negative", int64_t{0})
                .Result(),
            "bool[2]{1, 0}");
}

}  // namespace
}  // namespace memplan
