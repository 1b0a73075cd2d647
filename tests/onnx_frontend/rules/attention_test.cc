// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

TEST(AttentionRules, FourDimensions) {
  const Dim s = Dim::Symbol("s");
  const Dim p = Dim::Symbol("p");
  OneNode node("Attention", 23);
  node.Outputs(4)
      .Input(Float({2, 8, s, 64}))
      .Input(Float({2, 2, s, 64}))
      .Input(Float({2, 2, s, 32}))
      .Absent()
      .Input(Float({2, 2, p, 64}))
      .Input(Float({2, 2, p, 32}));
  EXPECT_EQ(node.Run().ToString(),
            "float32[2, 8, s, 32]; float32[2, 2, p + s, 64]; "
            "float32[2, 2, p + s, 32]; float32[2, 8, s, p + s]");
}

TEST(AttentionRules, ThreeDimensionsAreUnpackedByTheHeads) {
  EXPECT_EQ(OneNode("Attention", 24)
                .Outputs(4)
                .Attr("q_num_heads", int64_t{3})
                .Attr("kv_num_heads", int64_t{3})
                .Input(Float({2, 4, 24}))
                .Input(Float({2, 6, 24}))
                .Input(Float({2, 6, 30}))
                .Run()
                .ToString(),
            "float32[2, 4, 30]; float32[2, 3, 6, 8]; float32[2, 3, 6, 10]; "
            "float32[2, 3, 4, 6]");
}

TEST(AttentionRules, LinearAttentionKeepsAState) {
  EXPECT_EQ(OneNode("LinearAttention", 27)
                .Outputs(2)
                .Attr("q_num_heads", int64_t{4})
                .Attr("kv_num_heads", int64_t{2})
                .Input(Float({2, 7, 64}))
                .Input(Float({2, 7, 32}))
                .Input(Float({2, 7, 48}))
                .Run()
                .ToString(),
            "float32[2, 7, 96]; float32[2, 2, 16, 24]");
}

}  // namespace
}  // namespace memplan
