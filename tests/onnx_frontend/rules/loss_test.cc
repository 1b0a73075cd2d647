// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

TEST(LossRules, ReductionsGiveAScalar) {
  OneNode loss("SoftmaxCrossEntropyLoss", 13);
  loss.Outputs(2).Input(Float({3, 5, 2})).Input(Int64({3, 2}));
  EXPECT_EQ(loss.Run().ToString(), "float32[]; float32[3, 5, 2]");
  EXPECT_EQ(OneNode("NegativeLogLikelihoodLoss", 13)
                .Attr("reduction", std::string("none"))
                .Input(Float({3, 5, 2}))
                .Input(Int64({3, 2}))
                .Run()
                .ToString(),
            "float32[3, 2]");
}

}  // namespace
}  // namespace memplan
