#include "onnx_frontend/tensor_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(TensorValueTest, AScalarHasRankZeroAndOneElement) {
  const TensorValue scalar = TensorValue::Scalar(ElementType::kInt64, 7);
  EXPECT_THAT(scalar.shape, IsEmpty());
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_THAT(KnownInts(scalar), Optional(ElementsAre(7)));
}

TEST(TensorValueTest, APartlyKnownVectorHasNoNumbers) {
  const TensorValue vector =
      TensorValue::Vector(ElementType::kInt64, {Dim(1), Dim::Symbol("n")});
  EXPECT_THAT(vector.shape, ElementsAre(2));
  EXPECT_EQ(KnownInts(vector), std::nullopt);
}

TEST(TensorValueTest, FloatsAreNoIntegers) {
  TensorValue value;
  value.element = ElementType::kFloat;
  value.floats = {1.0};
  EXPECT_EQ(value.size(), 1);
  EXPECT_EQ(KnownInts(value), std::nullopt);
}

}  // namespace
}  // namespace memplan
