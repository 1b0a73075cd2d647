#include "onnx_frontend/type.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace memplan {
namespace {

TEST(TypeTest, ElementsHaveTheWidthsOfTheSpecification) {
  EXPECT_EQ(ElementBits(ElementType::kFloat), 32);
  EXPECT_EQ(ElementBits(ElementType::kBool), 8);
  EXPECT_EQ(ElementBits(ElementType::kComplex128), 128);
  EXPECT_EQ(ElementBits(ElementType::kFloat4E2M1), 4);
  EXPECT_EQ(ElementBits(ElementType::kInt2), 2);
  EXPECT_EQ(ElementBits(ElementType::kString), 0);
  EXPECT_EQ(ElementBits(ElementType::kUndefined), 0);
}

TEST(TypeTest, AnElementTypeOutsideTheEnumerationIsUndefined) {
  EXPECT_EQ(ElementTypeName(static_cast<ElementType>(999)), "undefined");
  EXPECT_EQ(ElementTypeName(static_cast<ElementType>(-1)), "undefined");
  EXPECT_EQ(ElementBits(static_cast<ElementType>(27)), 0);
}

TEST(TypeTest, PacksElementsBelowAByteAndRoundsUp) {
  EXPECT_EQ(TensorBytes(ElementType::kInt4, 3), 2);
  EXPECT_EQ(TensorBytes(ElementType::kUint2, 5), 2);
  EXPECT_EQ(TensorBytes(ElementType::kFloat4E2M1, 4), 2);
  EXPECT_EQ(TensorBytes(ElementType::kInt2, 0), 0);
  EXPECT_EQ(TensorBytes(ElementType::kDouble, 3), 24);
}

TEST(TypeTest, BytesThatOverflowOrHaveNoWidthAreUnset) {
  EXPECT_EQ(TensorBytes(ElementType::kFloat, INT64_MAX / 2), std::nullopt);
  EXPECT_EQ(TensorBytes(ElementType::kString, 1), std::nullopt);
  EXPECT_EQ(TensorBytes(ElementType::kInt4, INT64_MAX), INT64_MAX / 2 + 1);
}

TEST(TypeTest, TellsFloatsAndIntegersApart) {
  EXPECT_TRUE(IsFloatingPoint(ElementType::kBfloat16));
  EXPECT_TRUE(IsFloatingPoint(ElementType::kFloat8E8M0));
  EXPECT_FALSE(IsFloatingPoint(ElementType::kComplex64));
  EXPECT_TRUE(IsInteger(ElementType::kUint4));
  EXPECT_FALSE(IsInteger(ElementType::kBool));
}

TEST(TypeTest, CountsElements) {
  const Dim n = Dim::Symbol("n");
  EXPECT_EQ(NumElements({}), Dim(1));
  EXPECT_EQ(NumElements({2, n, 3}), n * 6);
  EXPECT_EQ(NumElements({Dim(), 0, n}), Dim(0));
  EXPECT_TRUE(NumElements({2, Dim()}).is_unknown());
  EXPECT_EQ(NumElements({INT64_MAX, INT64_MAX, 0}), Dim(0));
}

TEST(TypeTest, WritesTypes) {
  const Dim n = Dim::Symbol("batch");
  EXPECT_EQ(ToString(Type::Tensor(ElementType::kFloat, Shape{1, n, Dim()})),
            "float32[1, batch, ?]");
  EXPECT_EQ(ToString(Type::Tensor(ElementType::kInt64)), "int64[...]");
  EXPECT_EQ(
      ToString(Type::Sequence(Type::Tensor(ElementType::kInt64, Shape{Dim()}))),
      "sequence(int64[?])");
  EXPECT_EQ(ToString(Type::Map(ElementType::kString,
                               Type::Tensor(ElementType::kFloat, Shape{}))),
            "map(string, float32[])");
  EXPECT_EQ(ToString(Type()), "unknown");
}

TEST(TypeTest, TypesAreEqualDownToWhatTheyHold) {
  const Type tensor = Type::Tensor(ElementType::kFloat, Shape{Dim(), 2});
  EXPECT_EQ(Type::Sequence(tensor), Type::Sequence(tensor));
  EXPECT_FALSE(Type::Sequence(tensor) == Type::Optional(tensor));
  EXPECT_FALSE(tensor == Type::Tensor(ElementType::kFloat, Shape{3, 2}));
}

}  // namespace
}  // namespace memplan
