// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

TEST(SignalRules, FourierTransforms) {
  EXPECT_EQ(OneNode("DFT", 17)
                .Attr("axis", int64_t{1})
                .Input(Float({1, 10, 10, 1}))
                .Run()
                .ToString(),
            "float32[1, 10, 10, 2]");
  EXPECT_EQ(OneNode("DFT", 20)
                .Attr("onesided", int64_t{1})
                .Input(Float({1, 10, 1}))
                .Run()
                .ToString(),
            "float32[1, 6, 2]");
  EXPECT_EQ(OneNode("DFT", 20)
                .Attr("onesided", int64_t{1})
                .Attr("inverse", int64_t{1})
                .Input(Float({1, 6, 2}))
                .Run()
                .ToString(),
            "float32[1, 10, 1]");
  EXPECT_EQ(OneNode("DFT", 20)
                .Input(Float({1, 10, 8, 2}))
                .Known(TensorValue::Scalar(ElementType::kInt64, 16))
                .Known(TensorValue::Scalar(ElementType::kInt64, 1))
                .Run()
                .ToString(),
            "float32[1, 16, 8, 2]");
  EXPECT_EQ(OneNode("STFT", 17)
                .Input(Float({1, 128, 1}))
                .Known(TensorValue::Scalar(ElementType::kInt64, 8))
                .Input(Float({16}))
                .Run()
                .ToString(),
            "float32[1, 15, 9, 2]");
}

TEST(SignalRules, WindowsAndWeights) {
  for (const char* op : {"HannWindow", "HammingWindow", "BlackmanWindow"}) {
    EXPECT_EQ(OneNode(op, 17)
                  .Attr("output_datatype", int64_t{11})
                  .Known(TensorValue::Scalar(ElementType::kInt64, 10))
                  .Run()
                  .ToString(),
              "float64[10]");
  }
  EXPECT_EQ(OneNode("MelWeightMatrix", 17)
                .Known(TensorValue::Scalar(ElementType::kInt64, 8))
                .Known(TensorValue::Scalar(ElementType::kInt64, 16))
                .Run()
                .ToString(),
            "float32[9, 8]");
}

}  // namespace
}  // namespace memplan
