#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/onnx_frontend/fold/fold_test_util.h"

namespace memplan {
namespace {

const Dim n = Dim::Symbol("n");
using Numbers = std::vector<int64_t>;

TEST(ReduceTest, ReducesAllAxesUnlessToldWhich) {
  EXPECT_EQ(Fold("ReduceProd").Ints({n, 3, 4}).OutInts({1}).Result(),
            "int64[1]{12*n}");
  EXPECT_EQ(Fold("ReduceSum", 13)
                .In(IntContent({2, 2}, {1, 2, 3, 4}))
                .Ints({1})
                .OutInts({2, 1})
                .Result(),
            "int64[2, 1]{3, 7}");
  EXPECT_EQ(Fold("ReduceMax", 13)
                .In(IntContent({2, 2}, {1, 2, 3, 4}))
                .Attr("axes", Numbers{0})
                .OutInts({2})
                .Result(),
            "int64[2]{3, 4}");
}

TEST(ReduceTest, NoAxesMayMeanNoReduction) {
  EXPECT_EQ(Fold("ReduceSum", 13)
                .Ints({1, 2})
                .Attr("noop_with_empty_axes", int64_t{1})
                .OutInts({2})
                .Result(),
            "int64[2]{1, 2}");
}

TEST(ReduceTest, TheOtherReductions) {
  EXPECT_EQ(Fold("ReduceMin").Ints({4, -2}).OutInts({1}).Result(),
            "int64[1]{-2}");
  EXPECT_EQ(Fold("ReduceMean").Floats({1, 2}).OutFloats({1}).Result(),
            "float32[1]{1.5}");
  EXPECT_EQ(Fold("ReduceL1").Ints({4, -2}).OutInts({1}).Result(),
            "int64[1]{6}");
  EXPECT_EQ(Fold("ReduceL2").Floats({3, 4}).OutFloats({1}).Result(),
            "float32[1]{5}");
  EXPECT_EQ(Fold("ReduceSumSquare").Ints({3, 4}).OutInts({1}).Result(),
            "int64[1]{25}");
}

TEST(ReduceTest, AnUnknownElementMakesItsOwnGroupUnknown) {
  EXPECT_EQ(Fold("ReduceSum", 13)
                .In(IntContent({2, 2}, {1, Dim(), 3, 4}))
                .Ints({1})
                .OutInts({2})
                .Result(),
            "int64[2]{?, 7}");
}

TEST(ReduceTest, CumSumRunsBothWaysWithOrWithoutTheElement) {
  EXPECT_EQ(Fold("CumSum").Ints({1, 2, n}).Int(0).Result(),
            "int64[3]{1, 3, n + 3}");
  EXPECT_EQ(Fold("CumSum")
                .Ints({1, 2, 3})
                .Int(0)
                .Attr("exclusive", int64_t{1})
                .Attr("reverse", int64_t{1})
                .Result(),
            "int64[3]{5, 3, 0}");
}

TEST(ReduceTest, MultipliesSmallMatrices) {
  EXPECT_EQ(Fold("MatMul")
                .In(IntContent({2, 2}, {1, 2, 3, 4}))
                .Ints({n, 1})
                .OutInts({2})
                .Result(),
            "int64[2]{n + 2, 3*n + 4}");
}

TEST(SearchTest, ArgMaxTakesTheFirstUnlessToldTheLast) {
  EXPECT_EQ(Fold("ArgMax").Ints({3, 5, 5}).OutInts({1}).Result(),
            "int64[1]{1}");
  EXPECT_EQ(Fold("ArgMax")
                .Ints({3, 5, 5})
                .Attr("select_last_index", int64_t{1})
                .OutInts({1})
                .Result(),
            "int64[1]{2}");
  EXPECT_EQ(Fold("ArgMin").Floats({3, -5}).OutInts({1}).Result(),
            "int64[1]{1}");
}

TEST(SearchTest, TopKOrdersEqualsByIndex) {
  Fold top("TopK");
  top.Ints({3, 9, 9, 1}).Ints({3}).OutInts({3}).OutInts({3}).Run();
  EXPECT_EQ(Print(top.Content(0)), "int64[3]{9, 9, 3}");
  EXPECT_EQ(Print(top.Content(1)), "int64[3]{1, 2, 0}");
}

TEST(SearchTest, NonZeroGivesCoordinatesByAxis) {
  EXPECT_EQ(Fold("NonZero")
                .In(IntContent({2, 2}, {1, 0, 0, 4}))
                .OutInts({2, Dim::Symbol("count")})
                .Result(),
            "int64[2, 2]{0, 1, 0, 1}");
  EXPECT_EQ(Fold("NonZero").Ints({n, 1}).Result(), "nothing");
}

TEST(SearchTest, UniqueGivesValuesFirstsInverseAndCounts) {
  Fold sorted("Unique");
  sorted.Ints({3, 1, 3, 2}).OutInts({Dim()}).OutInts({Dim()}).OutInts({4});
  sorted.OutInts({Dim()}).Run();
  EXPECT_EQ(Print(sorted.Content(0)), "int64[3]{1, 2, 3}");
  EXPECT_EQ(Print(sorted.Content(1)), "int64[3]{1, 3, 0}");
  EXPECT_EQ(Print(sorted.Content(2)), "int64[4]{2, 0, 2, 1}");
  EXPECT_EQ(Print(sorted.Content(3)), "int64[3]{1, 1, 2}");
  EXPECT_EQ(Fold("Unique").Ints({3, 1, 3}).Attr("sorted", int64_t{0}).Result(),
            "int64[2]{3, 1}");
}

TEST(SearchTest, UniqueComparesSlicesOfItsAxis) {
  Fold rows("Unique");
  rows.Attr("axis", int64_t{0});
  rows.In(IntContent({3, 2}, {2, 1, 1, 9, 2, 1})).OutInts({Dim(), 2});
  rows.OutInts({Dim()}).OutInts({3}).OutInts({Dim()}).Run();
  EXPECT_EQ(Print(rows.Content(0)), "int64[2, 2]{1, 9, 2, 1}");
  EXPECT_EQ(Print(rows.Content(1)), "int64[2]{1, 0}");
  EXPECT_EQ(Print(rows.Content(2)), "int64[3]{1, 0, 1}");
  EXPECT_EQ(Print(rows.Content(3)), "int64[2]{1, 2}");
  EXPECT_EQ(Fold("Unique")
                .Attr("axis", int64_t{-1})
                .Attr("sorted", int64_t{0})
                .In(IntContent({2, 3}, {4, 4, 1, 5, 5, 7}))
                .OutInts({2, Dim()})
                .Result(),
            "int64[2, 2]{4, 1, 5, 7}");
}

}  // namespace
}  // namespace memplan
