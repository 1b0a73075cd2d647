// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

OneNode Recurrent(std::string_view op, Shape x) {
  return OneNode(op, 14)
      .Outputs(3)
      .Input(Float(std::move(x)))
      .Attr("hidden_size", int64_t{5});
}

TEST(RecurrentRules, DirectionsAndLayout) {
  EXPECT_EQ(Recurrent("LSTM", {7, 3, 2}).Run().ToString(),
            "float32[7, 1, 3, 5]; float32[1, 3, 5]; float32[1, 3, 5]");
  EXPECT_EQ(Recurrent("GRU", {7, 3, 2})
                .Outputs(2)
                .Attr("direction", std::string("bidirectional"))
                .Run()
                .ToString(),
            "float32[7, 2, 3, 5]; float32[2, 3, 5]");
  EXPECT_EQ(Recurrent("RNN", {3, 7, 2})
                .Outputs(2)
                .Attr("layout", int64_t{1})
                .Run()
                .ToString(),
            "float32[3, 7, 1, 5]; float32[3, 1, 5]");
}

TEST(RecurrentRules, TheRecurrenceSaysTheHiddenSize) {
  EXPECT_EQ(OneNode("LSTM", 7)
                .Input(Float({Dim::Symbol("s"), 1, 2}))
                .Input(Float({1, 16, 2}))
                .Input(Float({1, 16, 4}))
                .Run()
                .ToString(),
            "float32[s, 1, 1, 4]");
}

}  // namespace
}  // namespace memplan
