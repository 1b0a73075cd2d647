// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Numbers = std::vector<int64_t>;

OneNode Reshape(Shape input, Numbers target, int64_t opset = 14) {
  return OneNode("Reshape", opset)
      .Input(Float(std::move(input)))
      .Ints(std::move(target));
}

OneNode ReshapeTo(Shape input, std::vector<Dim> target) {
  return OneNode("Reshape", 14)
      .Input(Float(std::move(input)))
      .Known(TensorValue::Vector(ElementType::kInt64, std::move(target)));
}

TEST(ReshapeRules, MinusOneIsWhatIsLeft) {
  EXPECT_EQ(Reshape({2, 3, 4}, {2, -1, 2}).Run().ToString(),
            "float32[2, 6, 2]");
  EXPECT_EQ(Reshape({2, 3, 4}, {-1}).Run().ToString(), "float32[24]");
  EXPECT_EQ(Reshape({}, {-1}).Run().ToString(), "float32[1]");
  EXPECT_EQ(Reshape({0, 3}, {-1, 3}).Run().ToString(), "float32[0, 3]");
}

TEST(ReshapeRules, ZeroCopiesUnlessAllowed) {
  EXPECT_EQ(Reshape({2, 3, 4}, {0, 4, -1}).Run().ToString(),
            "float32[2, 4, 3]");
  EXPECT_EQ(Reshape({0, 3, 4}, {3, 4, 0})
                .Attr("allowzero", int64_t{1})
                .Run()
                .ToString(),
            "float32[3, 4, 0]");
  EXPECT_EQ(Reshape({0, 6}, {0, 2, -1})
                .Attr("allowzero", int64_t{1})
                .Run()
                .ToString(),
            "float32[0, 2, 3]");
}

TEST(ReshapeRules, SymbolsGoThroughMinusOne) {
  const Dim n = Dim::Symbol("n");
  const Dim s = Dim::Symbol("s");
  EXPECT_EQ(Reshape({n, s, 768}, {0, 0, 12, 64}).Run().ToString(),
            "float32[n, s, 12, 64]");
  EXPECT_EQ(Reshape({n, s, 768}, {0, -1, 12, 64}).Run().ToString(),
            "float32[n, s, 12, 64]");
  EXPECT_EQ(Reshape({n, 12, s, 64}, {-1, 64}).Run().ToString(),
            "float32[12*n*s, 64]");
  EXPECT_EQ(ReshapeTo({n, 12, s, 64}, {n, s, -1}).Run().ToString(),
            "float32[n, s, 768]");
}

TEST(ReshapeRules, OneUnknownDimensionFollowsFromTheElements) {
  EXPECT_EQ(ReshapeTo({2, 3, 4}, {Dim(), 4}).Run().ToString(), "float32[6, 4]");
  EXPECT_EQ(ReshapeTo({2, 3, 4}, {Dim(), Dim(), 4}).Run().ToString(),
            "float32[?, ?, 4]");
  EXPECT_EQ(ReshapeTo({2, 3, 4}, {Dim(), -1}).Run().ToString(),
            "float32[?, ?]");
}

TEST(ReshapeRules, AnUnknownTargetKeepsItsLengthAndNamesItself) {
  OneNode node("Reshape", 13);
  node.Input(Float({2, 3})).Input(Int64({2})).Run();
  EXPECT_EQ(node.ToString(), "float32[?, ?]");
  EXPECT_EQ(node.UnknownReason(), "shape depends on the contents of 'in2'");
}

TEST(ReshapeRules, ATargetThatDoesNotFitIsAnError) {
  EXPECT_EQ(Reshape({2, 3}, {4, 2}).Run().ToString(),
            "node 'n' (Reshape): an input of shape [2, 3] has 6 elements; the "
            "target [4, 2] does not fit");
  EXPECT_FALSE(Reshape({2, 3}, {4, -1}).Run().status().ok());
  EXPECT_FALSE(Reshape({2, 3}, {-1, -1}).Run().status().ok());
  EXPECT_FALSE(Reshape({2, 3}, {-2, 3}).Run().status().ok());
  EXPECT_FALSE(Reshape({2, 3}, {2, 3, 0}).Run().status().ok());
}

TEST(ReshapeRules, Opset1HasTheTargetAsAttribute) {
  EXPECT_EQ(OneNode("Reshape", 1)
                .Attr("shape", Numbers{0, -1})
                .Input(Float({2, 3, 4}))
                .Run()
                .ToString(),
            "float32[2, 12]");
}

TEST(ReshapeRules, FlattenCutsAtTheAxis) {
  const char* const expected[] = {"float32[1, 120]", "float32[2, 60]",
                                  "float32[6, 20]", "float32[24, 5]",
                                  "float32[120, 1]"};
  for (int64_t axis = 0; axis <= 4; ++axis) {
    EXPECT_EQ(OneNode("Flatten", 13)
                  .Attr("axis", axis)
                  .Input(Float({2, 3, 4, 5}))
                  .Run()
                  .ToString(),
              expected[axis]);
  }
  EXPECT_EQ(OneNode("Flatten", 11)
                .Attr("axis", int64_t{-3})
                .Input(Float({2, 3, 4, 5}))
                .Run()
                .ToString(),
            "float32[2, 60]");
  EXPECT_FALSE(OneNode("Flatten", 13)
                   .Attr("axis", int64_t{5})
                   .Input(Float({2, 3, 4, 5}))
                   .Run()
                   .status()
                   .ok());
}

TEST(ReshapeRules, SqueezeTakesAxesFromAttributeOrInput) {
  EXPECT_EQ(OneNode("Squeeze", 11)
                .Attr("axes", Numbers{0, -1})
                .Input(Float({1, 3, 1}))
                .Run()
                .ToString(),
            "float32[3]");
  EXPECT_EQ(OneNode("Squeeze", 13)
                .Input(Float({1, 3, 4, 5}))
                .Ints({0})
                .Run()
                .ToString(),
            "float32[3, 4, 5]");
  EXPECT_FALSE(OneNode("Squeeze", 13)
                   .Input(Float({1, 3}))
                   .Ints({1})
                   .Run()
                   .status()
                   .ok());
}

TEST(ReshapeRules, SqueezeWithoutAxesNeedsNumbers) {
  EXPECT_EQ(OneNode("Squeeze", 13).Input(Float({1, 3, 1})).Run().ToString(),
            "float32[3]");
  EXPECT_EQ(OneNode("Squeeze", 13)
                .Input(Float({1, Dim::Symbol("n"), 1}))
                .Run()
                .ToString(),
            "float32[...]");
}

TEST(ReshapeRules, UnsqueezeCountsAxesInTheResult) {
  EXPECT_EQ(OneNode("Unsqueeze", 11)
                .Attr("axes", Numbers{4, 1})
                .Input(Float({3, 4, 5}))
                .Run()
                .ToString(),
            "float32[3, 1, 4, 5, 1]");
  EXPECT_EQ(OneNode("Unsqueeze", 13)
                .Input(Float({3, 4, 5}))
                .Ints({-2})
                .Run()
                .ToString(),
            "float32[3, 4, 1, 5]");
  EXPECT_FALSE(OneNode("Unsqueeze", 13)
                   .Input(Float({3}))
                   .Ints({0, 0})
                   .Run()
                   .status()
                   .ok());
}

}  // namespace
}  // namespace memplan
