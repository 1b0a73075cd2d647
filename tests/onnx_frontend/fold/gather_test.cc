#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/onnx_frontend/fold/fold_test_util.h"

namespace memplan {
namespace {

const Dim n = Dim::Symbol("n");

TEST(GatherTest, PicksDimensionsOfAShape) {
  EXPECT_EQ(Fold("Gather").Ints({n, 3, 224}).Int(0).OutInts({}).Result(),
            "int64[]{n}");
  EXPECT_EQ(
      Fold("Gather").Ints({n, 3, 224}).Ints({-1, 0}).OutInts({2}).Result(),
      "int64[2]{224, n}");
}

TEST(GatherTest, AnIndexThatIsUnknownOrOutsideGivesAnUnknown) {
  EXPECT_EQ(
      Fold("Gather").Ints({1, 2}).Ints({Dim(), 5, 1}).OutInts({3}).Result(),
      "int64[3]{?, ?, 2}");
}

TEST(GatherTest, GathersAlongAnyAxis) {
  EXPECT_EQ(Fold("Gather")
                .In(IntContent({2, 3}, {1, 2, 3, 4, 5, 6}))
                .Ints({2, 0})
                .Attr("axis", int64_t{1})
                .OutInts({2, 2})
                .Result(),
            "int64[2, 2]{3, 1, 6, 4}");
}

TEST(GatherTest, GathersElementByElement) {
  EXPECT_EQ(Fold("GatherElements")
                .In(IntContent({2, 2}, {1, 2, 3, 4}))
                .In(IntContent({2, 2}, {0, 0, 1, 0}))
                .Attr("axis", int64_t{1})
                .Result(),
            "int64[2, 2]{1, 1, 4, 3}");
}

TEST(GatherTest, GathersByTuples) {
  const TensorValue data = IntContent({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(Fold("GatherND")
                .In(data)
                .In(IntContent({2, 2}, {0, 1, 1, 0}))
                .OutInts({2, 2})
                .Result(),
            "int64[2, 2]{2, 3, 4, 5}");
  EXPECT_EQ(Fold("GatherND")
                .In(data)
                .In(IntContent({2, 1}, {1, 0}))
                .Attr("batch_dims", int64_t{1})
                .OutInts({2, 2})
                .Result(),
            "int64[2, 2]{2, 3, 4, 5}");
}

TEST(GatherTest, CompressKeepsWhatTheConditionHolds) {
  EXPECT_EQ(Fold("Compress")
                .In(IntContent({2, 2}, {1, 2, 3, 4}))
                .In(TensorValue::Vector(ElementType::kBool, {0, 1}))
                .Attr("axis", int64_t{0})
                .OutInts({Dim(), 2})
                .Result(),
            "int64[1, 2]{3, 4}");
  EXPECT_EQ(Fold("Compress")
                .In(IntContent({2, 2}, {1, n, 3, 4}))
                .In(TensorValue::Vector(ElementType::kBool, {0, 1, 0, 1}))
                .Result(),
            "int64[2]{n, 4}");
}

TEST(ScatterTest, OverwritesElements) {
  EXPECT_EQ(
      Fold("ScatterElements").Ints({1, n, 3}).Ints({-1}).Ints({9}).Result(),
      "int64[3]{1, n, 9}");
  EXPECT_EQ(Fold("ScatterND")
                .In(IntContent({2, 2}, {1, 2, 3, 4}))
                .In(IntContent({1, 1}, {1}))
                .In(IntContent({1, 2}, {n, 8}))
                .Result(),
            "int64[2, 2]{1, 2, n, 8}");
}

TEST(ScatterTest, UnknownUpdatesLeaveTheRestKnown) {
  EXPECT_EQ(Fold("ScatterND")
                .Ints({1, 2, 3})
                .In(IntContent({1, 1}, {1}))
                .Unknown(Type::Tensor(ElementType::kInt64, Shape{1}))
                .Result(),
            "int64[3]{1, ?, 3}");
}

TEST(ScatterTest, ReductionsAndUnknownIndicesAreNotEvaluated) {
  EXPECT_EQ(Fold("ScatterElements")
                .Ints({1, 2})
                .Ints({0})
                .Ints({9})
                .Attr("reduction", std::string("add"))
                .Result(),
            "nothing");
  EXPECT_EQ(
      Fold("ScatterElements").Ints({1, 2}).Ints({Dim()}).Ints({9}).Result(),
      "nothing");
}

}  // namespace
}  // namespace memplan
