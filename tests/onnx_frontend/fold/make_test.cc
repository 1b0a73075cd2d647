#include <gtest/gtest.h>

#include <cstdint>

#include "tests/onnx_frontend/fold/fold_test_util.h"

namespace memplan {
namespace {

const Dim n = Dim::Symbol("n");

TEST(MakeTest, ShapeGivesSymbolsAndTakesAPart) {
  const Type image = Type::Tensor(ElementType::kFloat, Shape{n, 3, Dim(), 8});
  EXPECT_EQ(Fold("Shape").Unknown(image).Result(), "int64[4]{n, 3, ?, 8}");
  EXPECT_EQ(Fold("Shape")
                .Unknown(image)
                .Attr("start", int64_t{-3})
                .Attr("end", int64_t{-1})
                .Result(),
            "int64[2]{3, ?}");
  EXPECT_EQ(Fold("Shape").Unknown(image).Attr("start", int64_t{9}).Result(),
            "int64[0]{}");
}

TEST(MakeTest, SizeMultipliesTheDimensions) {
  EXPECT_EQ(Fold("Size")
                .Unknown(Type::Tensor(ElementType::kFloat, Shape{n, 3}))
                .Result(),
            "int64[]{3*n}");
}

TEST(MakeTest, FillsShapes) {
  TensorAttribute ones;
  ones.type = Type::Tensor(ElementType::kInt64, Shape{1});
  ones.value = IntContent({1}, {1});
  EXPECT_EQ(Fold("ConstantOfShape")
                .Ints({3})
                .Attr("value", ones)
                .OutInts({3})
                .Result(),
            "int64[3]{1, 1, 1}");
  EXPECT_EQ(Fold("ConstantOfShape").Ints({2}).OutFloats({2}).Result(),
            "float32[2]{0, 0}");
  EXPECT_EQ(Fold("ConstantFill", 1)
                .Attr("value", 2.0f)
                .Attr("dtype", int64_t{7})
                .OutInts({2})
                .Result(),
            "int64[2]{2, 2}");
}

TEST(MakeTest, RangeStopsBeforeItsLimit) {
  EXPECT_EQ(Fold("Range").Int(1).Int(6).Int(2).Result(), "int64[3]{1, 3, 5}");
  EXPECT_EQ(Fold("Range").Int(3).Int(0).Int(-2).Result(), "int64[2]{3, 1}");
  EXPECT_EQ(Fold("Range").Int(3).Int(0).Int(1).Result(), "int64[0]{}");
  EXPECT_EQ(Fold("Range").Int(n).Int(n + 2).Int(1).Result(),
            "int64[2]{n, n + 1}");
  EXPECT_EQ(Fold("Range").Int(0).Int(n).Int(1).Result(), "nothing");
  EXPECT_EQ(Fold("Range").Int(0).Int(5).Int(0).Result(), "nothing");
  EXPECT_EQ(Fold("Range")
                .In(FloatContent({}, {0}))
                .In(FloatContent({}, {1}))
                .In(FloatContent({}, {0.25}))
                .Result(),
            "float32[4]{0, 0.25, 0.5, 0.75}");
}

TEST(MakeTest, DiagonalsAndTriangles) {
  EXPECT_EQ(Fold("EyeLike").Attr("k", int64_t{1}).OutInts({2, 3}).Result(),
            "int64[2, 3]{0, 1, 0, 0, 0, 1}");
  const TensorValue square = IntContent({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(Fold("Trilu").In(square).Result(), "int64[2, 2]{1, 2, 0, 4}");
  EXPECT_EQ(Fold("Trilu").In(square).Int(-1).Attr("upper", int64_t{0}).Result(),
            "int64[2, 2]{0, 0, 3, 0}");
}

TEST(MakeTest, OneHotPutsItsAxisWhereItIsTold) {
  EXPECT_EQ(
      Fold("OneHot").Ints({1, -1}).Int(3).Ints({0, 5}).OutInts({2, 3}).Result(),
      "int64[2, 3]{0, 5, 0, 0, 0, 5}");
  EXPECT_EQ(Fold("OneHot")
                .Ints({1, 0})
                .Int(2)
                .Ints({0, 5})
                .Attr("axis", int64_t{0})
                .OutInts({2, 2})
                .Result(),
            "int64[2, 2]{0, 5, 5, 0}");
}

}  // namespace
}  // namespace memplan
