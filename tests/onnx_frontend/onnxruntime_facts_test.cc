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

// The dimensions of `name` as the runtime knows them; none, too, where it knows
// no rank.
std::vector<std::string> DimsOf(std::string_view name, std::string_view text,
                                int opset = 17) {
  const absl::StatusOr<Model> model = ReadModelFromBytes(
      absl::StrCat("<ir_version: 8, opset_import: [\"\" : ", opset, "]>\n",
                   AsAbsl(text)),
      "test.onnxtxt");
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

// What the runtime says itself of each of these (1.30).

std::string WithTarget(std::string_view x, std::string_view target) {
  return absl::StrReplaceAll(R"(
    g (float[X] x, float[k] z) => (float[a, b] y) {
      zero = Constant<value_int = 0>()
      one = Constant<value_int = 1>()
      ones = Constant<value_ints = [1, 1]>()
      axis = Constant<value_ints = [0]>()
      s = Shape(x)
      TARGET
      r = Reshape(z, t)
      n = Shape(r)
      c = ConstantOfShape(n)
      y = Add(r, c)
    })",
                             {{"X", AsAbsl(x)}, {"TARGET", AsAbsl(target)}});
}

constexpr char kByScalars[] = R"(
  p = Gather(s, zero)
  q = Gather(s, one)
  u = Unsqueeze(p, axis)
  v = Unsqueeze(q, axis)
  t = Concat<axis = 0>(u, v))";

TEST(OnnxRuntimeFactsTest, NumbersAreFollowedFromAShapeOn) {
  for (const char* target : {kByScalars, "t = Cast<to = 7>(s)"}) {
    const std::string text = WithTarget("2, 6", target);
    EXPECT_THAT(DimsOf("r", text), ElementsAre("2", "6")) << target;
    EXPECT_THAT(DimsOf("c", text), ElementsAre("2", "6")) << target;
  }
  const std::string lost = WithTarget("2, 6", "t = Identity(s)");
  EXPECT_THAT(DimsOf("r", lost), ElementsAre("", ""));
  EXPECT_THAT(DimsOf("c", lost), ElementsAre("", ""));
  // A rank is known all the same.
  EXPECT_THAT(DimsOf("n", lost), ElementsAre("2"));
}

TEST(OnnxRuntimeFactsTest, ConstantsLoseTheContentsOfVectors) {
  for (const char* target :
       {"t = Mul(s, ones)", "t = Add(s, ones)", "t = Gather(s, ones)"}) {
    EXPECT_THAT(DimsOf("r", WithTarget("2, 6", target)), ElementsAre("", ""))
        << target;
  }
  EXPECT_THAT(DimsOf("r", WithTarget("1, 6", "t = Mul(s, s)")),
              ElementsAre("1", "36"));
}

TEST(OnnxRuntimeFactsTest, SymbolsAreCopiedAndNeverComputedWith) {
  EXPECT_THAT(DimsOf("r", WithTarget("N, 6", kByScalars)), ElementsAre("", ""));
  const std::string text = R"(
    g (float[N, 6] x) => (float[a, b] y) {
      to = Constant<value_ints = [-1, 6]>()
      same = Constant<value_ints = [0, 6]>()
      r = Reshape(x, to)
      c = Reshape(x, same)
      e = Exp(c)
      y = Add(r, e)
    })";
  EXPECT_THAT(DimsOf("r", text), ElementsAre("", "6"));
  EXPECT_THAT(DimsOf("e", text), ElementsAre("N", "6"));
  // What the model declares fills in the rest.
  EXPECT_THAT(DimsOf("y", text), ElementsAre("a", "6"));
}

TEST(OnnxRuntimeFactsTest, OlderVersionsFollowLess) {
  EXPECT_THAT(DimsOf("r", WithTarget("1, 6", "t = Mul(s, s)"), 13), IsEmpty());
  EXPECT_THAT(DimsOf("r", WithTarget("1, 6", "t = Cast<to = 7>(s)"), 13),
              ElementsAre("1", "6"));
}

TEST(OnnxRuntimeFactsTest, ASplitOfComputedLengthsHasNoRank) {
  const std::string text = R"(
    g (float[4, 6] x) => (float[a, b] y) {
      s = Shape(x)
      one = Constant<value_ints = [2, 2]>()
      parts = Min(s, one)
      y, w = Split(x, parts)
      t = Transpose(w)
    })";
  EXPECT_THAT(DimsOf("w", text), IsEmpty());
  EXPECT_THAT(DimsOf("t", text), IsEmpty());
  EXPECT_THAT(DimsOf("y", text), ElementsAre("a", "b"));
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
