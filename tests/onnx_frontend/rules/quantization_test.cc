// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

Type Of(ElementType element, Shape shape) {
  return Type::Tensor(element, std::move(shape));
}

TEST(QuantizationRules, TheZeroPointOrTheAttributeSaysTheType) {
  EXPECT_EQ(OneNode("QuantizeLinear", 13)
                .Input(Float({6}))
                .Input(Float({}))
                .Run()
                .ToString(),
            "uint8[6]");
  EXPECT_EQ(OneNode("QuantizeLinear", 19)
                .Input(Float({6}))
                .Input(Float({}))
                .Input(Of(ElementType::kFloat8E5M2, {}))
                .Run()
                .ToString(),
            "float8e5m2[6]");
  EXPECT_EQ(OneNode("QuantizeLinear", 21)
                .Attr("output_dtype", int64_t{22})
                .Input(Float({6}))
                .Input(Float({}))
                .Run()
                .ToString(),
            "int4[6]");
}

TEST(QuantizationRules, TheScaleSaysTheTypeFromOpset19On) {
  const Type quantized = Of(ElementType::kInt8, {6});
  EXPECT_EQ(OneNode("DequantizeLinear", 13)
                .Input(quantized)
                .Input(Float({}))
                .Run()
                .ToString(),
            "float32[6]");
  EXPECT_EQ(OneNode("DequantizeLinear", 19)
                .Input(quantized)
                .Input(Of(ElementType::kFloat16, {}))
                .Run()
                .ToString(),
            "float16[6]");
  EXPECT_EQ(OneNode("DequantizeLinear", 23)
                .Attr("output_dtype", int64_t{16})
                .Input(quantized)
                .Input(Float({}))
                .Run()
                .ToString(),
            "bfloat16[6]");
}

TEST(QuantizationRules, DynamicQuantizationGivesScaleAndZeroPoint) {
  EXPECT_EQ(OneNode("DynamicQuantizeLinear", 11)
                .Outputs(3)
                .Input(Float({3, 4}))
                .Run()
                .ToString(),
            "uint8[3, 4]; float32[]; uint8[]");
}

}  // namespace
}  // namespace memplan
