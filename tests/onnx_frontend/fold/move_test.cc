#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/onnx_frontend/fold/fold_test_util.h"

namespace memplan {
namespace {

const Dim n = Dim::Symbol("n");
using Numbers = std::vector<int64_t>;

TEST(MoveTest, ReshapedElementsStayTheSame) {
  for (const char* op : {"Reshape", "Squeeze", "Unsqueeze", "Flatten"}) {
    EXPECT_EQ(Fold(op).Ints({1, n}).OutInts({2, 1}).Result(),
              "int64[2, 1]{1, n}")
        << op;
  }
  EXPECT_EQ(Fold("Identity").Floats({0.5}).OutFloats({1}).Result(),
            "float32[1]{0.5}");
  EXPECT_EQ(Fold("Reshape").Ints({1, n}).OutInts({n}).Result(), "nothing");
}

TEST(MoveTest, ConcatJoinsKnownAndUnknownParts) {
  EXPECT_EQ(Fold("Concat")
                .Ints({1, n})
                .Unknown(Type::Tensor(ElementType::kInt64, Shape{1}))
                .Ints({-1})
                .Attr("axis", int64_t{0})
                .OutInts({4})
                .Result(),
            "int64[4]{1, n, ?, -1}");
  EXPECT_EQ(Fold("Concat")
                .In(IntContent({2, 1}, {1, 2}))
                .In(IntContent({2, 2}, {3, 4, 5, 6}))
                .Attr("axis", int64_t{-1})
                .OutInts({2, 3})
                .Result(),
            "int64[2, 3]{1, 3, 4, 2, 5, 6}");
}

TEST(MoveTest, ConcatOfFloatsKeepsSymbols) {
  TensorValue sizes = FloatContent({1}, {});
  sizes.ints = {n};
  EXPECT_EQ(Fold("Concat")
                .In(sizes)
                .Floats({0.5})
                .Attr("axis", int64_t{0})
                .OutFloats({2})
                .Result(),
            "float32[2]{2*n / 2, 1 / 2}");
}

TEST(MoveTest, SplitGivesEachOutputItsPart) {
  Fold split("Split");
  split.Ints({1, 2, n, 4, 5}).OutInts({2}).OutInts({3}).Run();
  EXPECT_EQ(Print(split.Content(0)), "int64[2]{1, 2}");
  EXPECT_EQ(Print(split.Content(1)), "int64[3]{n, 4, 5}");
}

TEST(MoveTest, TransposeReversesTheAxesUnlessTold) {
  const TensorValue matrix = IntContent({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Fold("Transpose").In(matrix).Result(),
            "int64[3, 2]{1, 4, 2, 5, 3, 6}");
  EXPECT_EQ(Fold("Transpose").In(matrix).Attr("perm", Numbers{0, 1}).Result(),
            "int64[2, 3]{1, 2, 3, 4, 5, 6}");
}

TEST(MoveTest, ExpandAndTileRepeat) {
  EXPECT_EQ(Fold("Expand").Ints({n}).OutInts({3}).Result(),
            "int64[3]{n, n, n}");
  EXPECT_EQ(
      Fold("Tile").In(IntContent({1, 2}, {1, 2})).OutInts({2, 4}).Result(),
      "int64[2, 4]{1, 2, 1, 2, 1, 2, 1, 2}");
}

TEST(MoveTest, SliceCountsFromTheBackAndClampsTheEnds) {
  EXPECT_EQ(Fold("Slice", 13)
                .Ints({1, 2, n, 4})
                .Ints({-2})
                .Ints({INT64_MAX})
                .OutInts({2})
                .Result(),
            "int64[2]{n, 4}");
  EXPECT_EQ(Fold("Slice", 13)
                .Ints({1, 2, 3, 4})
                .Ints({-1})
                .Ints({INT64_MIN})
                .Ints({0})
                .Ints({-2})
                .OutInts({2})
                .Result(),
            "int64[2]{4, 2}");
  EXPECT_EQ(Fold("Slice", 13)
                .Ints({1, 2, 3, 4})
                .Ints({1})
                .Ints({4})
                .Ints({0})
                .Ints({INT64_MAX})
                .OutInts({1})
                .Result(),
            "int64[1]{2}");
}

TEST(MoveTest, OldSlicesHaveAttributes) {
  EXPECT_EQ(Fold("Slice", 9)
                .In(IntContent({2, 3}, {1, 2, 3, 4, 5, 6}))
                .Attr("starts", Numbers{1})
                .Attr("ends", Numbers{3})
                .Attr("axes", Numbers{1})
                .OutInts({2, 2})
                .Result(),
            "int64[2, 2]{2, 3, 5, 6}");
}

TEST(MoveTest, PadsByMode) {
  const auto pad = [](const std::string& mode) {
    return Fold("Pad", 13)
        .Ints({1, 2, 3})
        .Ints({2, 1})
        .Attr("mode", mode)
        .OutInts({6})
        .Result();
  };
  EXPECT_EQ(pad("constant"), "int64[6]{0, 0, 1, 2, 3, 0}");
  EXPECT_EQ(pad("edge"), "int64[6]{1, 1, 1, 2, 3, 3}");
  EXPECT_EQ(pad("reflect"), "int64[6]{3, 2, 1, 2, 3, 2}");
  EXPECT_EQ(pad("wrap"), "int64[6]{2, 3, 1, 2, 3, 1}");
}

TEST(MoveTest, PadsWithAValueAndOnGivenAxes) {
  EXPECT_EQ(Fold("Pad", 18)
                .In(IntContent({1, 2}, {n, 2}))
                .Ints({0, 1})
                .Int(7)
                .Ints({-1})
                .OutInts({1, 3})
                .Result(),
            "int64[1, 3]{n, 2, 7}");
  EXPECT_EQ(Fold("Pad", 13).Ints({1, 2, 3}).Ints({-1, 0}).OutInts({2}).Result(),
            "int64[2]{2, 3}");
}

}  // namespace
}  // namespace memplan
