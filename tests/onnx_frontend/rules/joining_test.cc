// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Numbers = std::vector<int64_t>;

TEST(JoiningRules, ConcatAddsUpOneAxisAndMergesTheRest) {
  const Dim n = Dim::Symbol("n");
  EXPECT_EQ(OneNode("Concat", 13)
                .Attr("axis", int64_t{-1})
                .Input(Float({2, Dim(), 4}))
                .Input(Float({n, 3, 5}))
                .Run()
                .ToString(),
            "float32[2, 3, 9]");
  EXPECT_EQ(OneNode("Concat", 13)
                .Attr("axis", int64_t{0})
                .Input(Float({n, 3}))
                .Input(Float({2 * n + 1, 3}))
                .Run()
                .ToString(),
            "float32[3*n + 1, 3]");
  EXPECT_EQ(OneNode("Concat", 1)
                .Input(Float({2, 3}))
                .Input(Float({2, 3}))
                .Run()
                .ToString(),
            "float32[2, 6]");
  EXPECT_FALSE(OneNode("Concat", 13)
                   .Attr("axis", int64_t{0})
                   .Input(Float({2, 3}))
                   .Input(Float({2, 4}))
                   .Run()
                   .status()
                   .ok());
}

TEST(JoiningRules, ConcatSkipsWhatIsEmpty) {
  EXPECT_EQ(OneNode("Concat", 13)
                .Attr("axis", int64_t{0})
                .Input(Float({0}))
                .Input(Float({2, 4}))
                .Run()
                .ToString(),
            "float32[2, 4]");
}

TEST(JoiningRules, PadsAddToBothEdges) {
  EXPECT_EQ(OneNode("Pad", 2)
                .Attr("pads", Numbers{0, 2, 0, 1})
                .Input(Float({3, 2}))
                .Run()
                .ToString(),
            "float32[3, 5]");
  EXPECT_EQ(OneNode("Pad", 1)
                .Attr("paddings", Numbers{0, 2, 0, 1})
                .Input(Float({3, 2}))
                .Run()
                .ToString(),
            "float32[3, 5]");
  EXPECT_EQ(OneNode("Pad", 11)
                .Input(Float({1, 3, 4, Dim::Symbol("w")}))
                .Ints({0, 0, 1, 3, 0, 0, 2, -1})
                .Run()
                .ToString(),
            "float32[1, 3, 7, w + 2]");
}

TEST(JoiningRules, PadAxesSayWhere) {
  EXPECT_EQ(OneNode("Pad", 18)
                .Input(Float({5, 64}))
                .Ints({1, 0, 1, 0})
                .Input(Float({}))
                .Ints({1, 0})
                .Run()
                .ToString(),
            "float32[5, 66]");
  EXPECT_EQ(OneNode("Pad", 19)
                .Input(Float({1, 3, 4, 5}))
                .Ints({0, 3, 0, 4})
                .Absent()
                .Ints({1, -1})
                .Run()
                .ToString(),
            "float32[1, 3, 4, 12]");
}

TEST(JoiningRules, CenterCropPadSetsTheAxes) {
  EXPECT_EQ(OneNode("CenterCropPad", 18)
                .Attr("axes", Numbers{0, 1})
                .Input(Float({20, 8, 3}))
                .Ints({10, 9})
                .Run()
                .ToString(),
            "float32[10, 9, 3]");
  EXPECT_EQ(OneNode("CenterCropPad", 18)
                .Input(Float({20, 10, 3}))
                .Ints({10, 7, 3})
                .Run()
                .ToString(),
            "float32[10, 7, 3]");
}

}  // namespace
}  // namespace memplan
