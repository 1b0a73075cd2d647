// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

Type Of(ElementType element, Shape shape) {
  return Type::Tensor(element, std::move(shape));
}

TEST(NormalizationRules, LayerNormalizationGivesItsStatistics) {
  EXPECT_EQ(OneNode("LayerNormalization", 17)
                .Outputs(3)
                .Attr("axis", int64_t{1})
                .Input(Of(ElementType::kFloat16, {2, 3, 4, 5}))
                .Input(Of(ElementType::kFloat16, {3, 4, 5}))
                .Run()
                .ToString(),
            "float16[2, 3, 4, 5]; float32[2, 1, 1, 1]; float32[2, 1, 1, 1]");
}

TEST(NormalizationRules, BatchNormalizationGivesStatisticsAChannel) {
  OneNode node("BatchNormalization", 15);
  node.Outputs(3)
      .Attr("training_mode", int64_t{1})
      .Input(Of(ElementType::kFloat16, {2, 3, 4, 5}))
      .Input(Of(ElementType::kFloat16, {3}))
      .Input(Of(ElementType::kFloat16, {3}))
      .Input(Float({3}))
      .Input(Float({3}));
  EXPECT_EQ(node.Run().ToString(),
            "float16[2, 3, 4, 5]; float32[3]; float32[3]");
  OneNode old("BatchNormalization", 7);
  old.Outputs(5).Input(Float({2, 3, 4, 5}));
  EXPECT_EQ(old.Run().ToString(),
            "float32[2, 3, 4, 5]; float32[3]; float32[3]; float32[3]; "
            "float32[3]");
}

TEST(NormalizationRules, OthersKeepTheType) {
  for (const char* op : {"InstanceNormalization", "LRN", "LpNormalization",
                         "GroupNormalization", "MeanVarianceNormalization"}) {
    EXPECT_EQ(OneNode(op, 22).Input(Float({2, 3, 4})).Run().ToString(),
              "float32[2, 3, 4]")
        << op;
  }
  EXPECT_EQ(OneNode("RMSNormalization", 23)
                .Input(Of(ElementType::kFloat16, {2, 3}))
                .Input(Float({3}))
                .Run()
                .ToString(),
            "float32[2, 3]");
}

}  // namespace
}  // namespace memplan
