// Values from the reductions' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using AxisList = std::vector<int64_t>;

constexpr const char* kReductions[] = {
    "ReduceL1",  "ReduceL2",       "ReduceLogSum", "ReduceLogSumExp",
    "ReduceMax", "ReduceMean",     "ReduceMin",    "ReduceProd",
    "ReduceSum", "ReduceSumSquare"};

TEST(ReductionRules, AxesAreAnAttributeInOldOpsets) {
  for (const char* op : kReductions) {
    EXPECT_EQ(OneNode(op, 11)
                  .Attr("axes", AxisList{1})
                  .Input(Float({3, 2, 4}))
                  .Run()
                  .ToString(),
              "float32[3, 1, 4]")
        << op;
    EXPECT_EQ(OneNode(op, 11)
                  .Attr("axes", AxisList{-2, 0})
                  .Attr("keepdims", int64_t{0})
                  .Input(Float({3, 2, 4}))
                  .Run()
                  .ToString(),
              "float32[4]")
        << op;
  }
}

TEST(ReductionRules, AxesAreAnInputFromOpset18On) {
  for (const char* op : kReductions) {
    EXPECT_EQ(OneNode(op, 18)
                  .Attr("keepdims", int64_t{0})
                  .Input(Float({3, Dim::Symbol("n"), 4}))
                  .Ints({-1})
                  .Run()
                  .ToString(),
              "float32[3, n]")
        << op;
  }
  EXPECT_EQ(
      OneNode("ReduceSum", 13).Input(Float({3, 2})).Ints({0}).Run().ToString(),
      "float32[1, 2]");
}

TEST(ReductionRules, NoAxesMeanAllOrNone) {
  EXPECT_EQ(OneNode("ReduceMean", 1).Input(Float({3, 2})).Run().ToString(),
            "float32[1, 1]");
  EXPECT_EQ(OneNode("ReduceMean", 18)
                .Attr("keepdims", int64_t{0})
                .Input(Float({3, 2}))
                .Run()
                .ToString(),
            "float32[]");
  EXPECT_EQ(
      OneNode("ReduceMean", 18).Input(Float({3, 2})).Ints({}).Run().ToString(),
      "float32[1, 1]");
  EXPECT_EQ(OneNode("ReduceMean", 18)
                .Attr("noop_with_empty_axes", int64_t{1})
                .Input(Float({3, 2}))
                .Ints({})
                .Run()
                .ToString(),
            "float32[3, 2]");
}

TEST(ReductionRules, UnknownAxesStillTellTheRank) {
  EXPECT_EQ(OneNode("ReduceMax", 20)
                .Input(Float({3, 2, 4}))
                .Input(Int64({1}))
                .Run()
                .ToString(),
            "float32[?, ?, ?]");
  OneNode node("ReduceMax", 20);
  node.Attr("keepdims", int64_t{0})
      .Input(Float({3, 2, 4}))
      .Input(Int64({1}))
      .Run();
  EXPECT_EQ(node.ToString(), "float32[?, ?]");
  EXPECT_EQ(node.UnknownReason(), "shape depends on the contents of 'in2'");
}

TEST(ReductionRules, AnAxisOutsideTheShapeIsAnError) {
  EXPECT_FALSE(OneNode("ReduceMax", 13)
                   .Attr("axes", AxisList{3})
                   .Input(Float({3, 2, 4}))
                   .Run()
                   .status()
                   .ok());
}

TEST(ReductionRules, ArgMaxGivesIndices) {
  EXPECT_EQ(OneNode("ArgMax", 13).Input(Float({3, 2})).Run().ToString(),
            "int64[1, 2]");
  EXPECT_EQ(OneNode("ArgMin", 1)
                .Attr("axis", int64_t{1})
                .Attr("keepdims", int64_t{0})
                .Input(Float({3, 2}))
                .Run()
                .ToString(),
            "int64[3]");
}

}  // namespace
}  // namespace memplan
