// The shapes that the papers' tables and the published models give, layer by
// layer.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/generate/architectures.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"

namespace memplan::models {
namespace {

using ::testing::ElementsAre;
using Dims = std::vector<int64_t>;
using Shapes = std::map<std::string, Dims>;  // by the value's name

Shapes ShapesOf(const std::string& bytes,
                const std::map<std::string, int64_t>& dims = {}) {
  const auto model = ReadModelFromBytes(bytes, "generated.onnx");
  EXPECT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.inputs.dims = dims;
  options.solve.solver = "none";
  const auto plan = PlanModel(*model, options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  Shapes shapes;
  for (const Value& value : plan->graph.values) {
    EXPECT_TRUE(value.size.has_value()) << value.name;
    shapes[value.name] = value.shape.value_or(Dims{});
  }
  return shapes;
}

// Table 1 of the paper, the column of 50 layers.
TEST(LayerShapesTest, ResNet50) {
  Shapes shapes = ShapesOf(ResNet50());
  EXPECT_THAT(shapes["conv1"], ElementsAre(1, 64, 112, 112));
  EXPECT_THAT(shapes["maxpool"], ElementsAre(1, 64, 56, 56));
  const std::vector<int64_t> blocks = {3, 4, 6, 3};
  for (int64_t layer = 0; layer < 4; ++layer) {
    const int64_t width = int64_t{64} << layer;
    const int64_t size = int64_t{56} >> layer;
    for (int64_t block = 0; block < blocks[static_cast<size_t>(layer)];
         ++block) {
      const std::string name = absl::StrCat("layer", layer + 1, ".", block);
      EXPECT_THAT(shapes[name + ".conv2"], ElementsAre(1, width, size, size));
      EXPECT_THAT(shapes[name + ".conv3"],
                  ElementsAre(1, 4 * width, size, size));
      EXPECT_THAT(shapes[name + ".relu"],
                  ElementsAre(1, 4 * width, size, size));
    }
  }
  EXPECT_THAT(shapes["avgpool"], ElementsAre(1, 2048, 1, 1));
  EXPECT_THAT(shapes["output"], ElementsAre(1, 1000));
}

// Table 2 of the paper.
TEST(LayerShapesTest, MobileNetV2) {
  Shapes shapes = ShapesOf(MobileNetV2());
  EXPECT_THAT(shapes["features.0"], ElementsAre(1, 32, 112, 112));
  EXPECT_THAT(shapes["features.1.conv.1"], ElementsAre(1, 16, 112, 112));
  EXPECT_THAT(shapes["features.2.conv.0"], ElementsAre(1, 96, 112, 112));
  EXPECT_THAT(shapes["features.3.add"], ElementsAre(1, 24, 56, 56));
  EXPECT_THAT(shapes["features.6.add"], ElementsAre(1, 32, 28, 28));
  EXPECT_THAT(shapes["features.10.add"], ElementsAre(1, 64, 14, 14));
  EXPECT_THAT(shapes["features.13.add"], ElementsAre(1, 96, 14, 14));
  EXPECT_THAT(shapes["features.16.add"], ElementsAre(1, 160, 7, 7));
  EXPECT_THAT(shapes["features.17.conv.2"], ElementsAre(1, 320, 7, 7));
  EXPECT_THAT(shapes["features.18"], ElementsAre(1, 1280, 7, 7));
  EXPECT_THAT(shapes["flatten"], ElementsAre(1, 1280));
}

// Table 1 of "Rethinking the Inception Architecture".
TEST(LayerShapesTest, InceptionV3) {
  Shapes shapes = ShapesOf(InceptionV3());
  EXPECT_THAT(shapes["Conv2d_1a_3x3"], ElementsAre(1, 32, 149, 149));
  EXPECT_THAT(shapes["Conv2d_2b_3x3"], ElementsAre(1, 64, 147, 147));
  EXPECT_THAT(shapes["maxpool1"], ElementsAre(1, 64, 73, 73));
  EXPECT_THAT(shapes["maxpool2"], ElementsAre(1, 192, 35, 35));
  EXPECT_THAT(shapes["Mixed_5d"], ElementsAre(1, 288, 35, 35));
  EXPECT_THAT(shapes["Mixed_6e"], ElementsAre(1, 768, 17, 17));
  EXPECT_THAT(shapes["Mixed_7a"], ElementsAre(1, 1280, 8, 8));
  EXPECT_THAT(shapes["Mixed_7c"], ElementsAre(1, 2048, 8, 8));
}

TEST(LayerShapesTest, BertBase) {
  Shapes shapes = ShapesOf(BertBase(), {{"batch", 2}, {"sequence", 128}});
  EXPECT_THAT(shapes["mask.scores"], ElementsAre(2, 1, 1, 128));
  EXPECT_THAT(shapes["embedded.norm.output"], ElementsAre(2, 128, 768));
  for (int layer = 0; layer < 12; ++layer) {
    const std::string name = absl::StrCat("l", layer);
    EXPECT_THAT(shapes[name + ".q.turned"], ElementsAre(2, 12, 128, 64));
    EXPECT_THAT(shapes[name + ".k.turned"], ElementsAre(2, 12, 64, 128));
    EXPECT_THAT(shapes[name + ".scores"], ElementsAre(2, 12, 128, 128));
    EXPECT_THAT(shapes[name + ".context.merged"], ElementsAre(2, 128, 768));
    EXPECT_THAT(shapes[name + ".up"], ElementsAre(2, 128, 3072));
    EXPECT_THAT(shapes[name + ".norm2.output"], ElementsAre(2, 128, 768));
  }
  EXPECT_THAT(shapes["pooler_output"], ElementsAre(2, 768));
}

TEST(LayerShapesTest, Gpt2Decoder) {
  Shapes shapes = ShapesOf(Gpt2Decoder(), {{"batch", 2},
                                           {"sequence", 1},
                                           {"past_sequence", 127},
                                           {"total_sequence", 128}});
  EXPECT_THAT(shapes["embedded"], ElementsAre(2, 1, 768));
  for (int layer = 0; layer < 12; ++layer) {
    const std::string name = absl::StrCat("h", layer);
    EXPECT_THAT(shapes[name + ".qkv"], ElementsAre(2, 1, 2304));
    EXPECT_THAT(shapes[absl::StrCat("present.", layer, ".key")],
                ElementsAre(2, 12, 128, 64));
    EXPECT_THAT(shapes[name + ".causal.mask"], ElementsAre(1, 1, 1, 128));
    EXPECT_THAT(shapes[name + ".weights"], ElementsAre(2, 12, 1, 128));
    EXPECT_THAT(shapes[name + ".up"], ElementsAre(2, 1, 3072));
    EXPECT_THAT(shapes[name + ".sum"], ElementsAre(2, 1, 768));
  }
  EXPECT_THAT(shapes["logits"], ElementsAre(2, 1, 50257));
}

}  // namespace
}  // namespace memplan::models
