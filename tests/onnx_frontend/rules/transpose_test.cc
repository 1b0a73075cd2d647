// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Numbers = std::vector<int64_t>;

TEST(TransposeRules, TransposeReversesUnlessToldOtherwise) {
  EXPECT_EQ(OneNode("Transpose", 13)
                .Input(Float({2, Dim::Symbol("n"), 4}))
                .Run()
                .ToString(),
            "float32[4, n, 2]");
  EXPECT_EQ(OneNode("Transpose", 1)
                .Attr("perm", Numbers{1, 0, 2})
                .Input(Float({2, 3, 4}))
                .Run()
                .ToString(),
            "float32[3, 2, 4]");
  EXPECT_FALSE(OneNode("Transpose", 1)
                   .Attr("perm", Numbers{1, 1, 2})
                   .Input(Float({2, 3, 4}))
                   .Run()
                   .status()
                   .ok());
}

TEST(TransposeRules, BlocksMoveBetweenDepthAndSpace) {
  EXPECT_EQ(OneNode("DepthToSpace", 13)
                .Attr("blocksize", int64_t{2})
                .Input(Float({1, 8, 2, 3}))
                .Run()
                .ToString(),
            "float32[1, 2, 4, 6]");
  EXPECT_EQ(OneNode("SpaceToDepth", 13)
                .Attr("blocksize", int64_t{2})
                .Input(Float({1, 1, 4, 6}))
                .Run()
                .ToString(),
            "float32[1, 4, 2, 3]");
  EXPECT_FALSE(OneNode("SpaceToDepth", 13)
                   .Attr("blocksize", int64_t{2})
                   .Input(Float({1, 1, 5, 6}))
                   .Run()
                   .status()
                   .ok());
}

}  // namespace
}  // namespace memplan
