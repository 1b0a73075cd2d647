#include "onnx_frontend/onnxruntime_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The dimensions of `name` as the runtime knows them.
std::vector<std::string> DimsOf(std::string_view name, std::string_view text) {
  const absl::StatusOr<Model> model = ModelFromText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  const absl::StatusOr<ModelGraph> graph = BuildGraph(*model);
  const absl::StatusOr<OnnxRuntimeFacts> facts = OnnxRuntimeFactsOf(*model);
  EXPECT_TRUE(facts.ok()) << facts.status();
  for (size_t v = 0; v < graph->values.size(); ++v) {
    if (graph->values[v].name == name) {
      return facts->values[v].dims.value_or(std::vector<std::string>());
    }
  }
  ADD_FAILURE() << "no value " << name;
  return {};
}

constexpr char kComputedTarget[] = R"(
  g (float[2, 6] x) => (float[a, b] y) {
    one = Constant<value_ints = [1, 1]>()
    s = Shape(x)
    t = OP(s, one)
    r = Reshape(x, t)
    e = Exp(r)
    n = Shape(e)
    z = ConstantOfShape(n)
    w = Reshape(e, one_dim)
    one_dim = Constant<value_ints = [12]>()
    y = Add(e, z)
  })";

TEST(OnnxRuntimeFactsTest, ShapesAreFollowedThroughWhatOnnxPropagates) {
  const std::string text =
      absl::StrReplaceAll(kComputedTarget, {{"OP", "Mul"}});
  for (const char* name : {"r", "e", "z"}) {
    EXPECT_THAT(DimsOf(name, text), ElementsAre("2", "6")) << name;
  }
}

TEST(OnnxRuntimeFactsTest, OtherArithmeticLosesTheShapesDownstream) {
  const std::string text =
      absl::StrReplaceAll(kComputedTarget, {{"OP", "Div"}});
  for (const char* name : {"r", "e", "z"}) {
    EXPECT_THAT(DimsOf(name, text), ElementsAre("", "")) << name;
  }
  // A rank is known all the same, and a target of numbers needs nothing.
  EXPECT_THAT(DimsOf("n", text), ElementsAre("2"));
  EXPECT_THAT(DimsOf("w", text), ElementsAre("12"));
}

TEST(OnnxRuntimeFactsTest, ScatterNDCopiesAndScatterElementsMayOverwrite) {
  const auto rules = [](std::string_view op) {
    const absl::StatusOr<Model> model =
        ModelFromText(absl::StrReplaceAll(R"(
          g (float[4] x, int64[2] i, float[2] u) => (float[4] y) {
            y = OP(x, i, u)
          })",
                                          {{"OP", AsAbsl(op)}}));
    return OnnxRuntimeFactsOf(*model)->rules[0];
  };
  EXPECT_THAT(rules("ScatterND"), IsEmpty());
  EXPECT_THAT(rules("ScatterElements"), SizeIs(1));
}

}  // namespace
}  // namespace memplan
