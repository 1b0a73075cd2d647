// Values from the broadcasting page of the specification and its node tests.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

Type Of(ElementType element, Shape shape) {
  return Type::Tensor(element, std::move(shape));
}

std::string Add(int64_t opset, Shape a, Shape b) {
  return OneNode("Add", opset)
      .Input(Float(std::move(a)))
      .Input(Float(std::move(b)))
      .Run()
      .ToString();
}

TEST(ElementwiseRules, BroadcastsFromTheRight) {
  EXPECT_EQ(Add(7, {2, 3, 4, 5}, {}), "float32[2, 3, 4, 5]");
  EXPECT_EQ(Add(7, {2, 3, 4, 5}, {5}), "float32[2, 3, 4, 5]");
  EXPECT_EQ(Add(7, {4, 5}, {2, 3, 4, 5}), "float32[2, 3, 4, 5]");
  EXPECT_EQ(Add(13, {1, 4, 5}, {2, 3, 1, 1}), "float32[2, 3, 4, 5]");
  EXPECT_EQ(Add(14, {3, 4, 5}, {2, 1, 1, 1}), "float32[2, 3, 4, 5]");
}

TEST(ElementwiseRules, AZeroBroadcastsWithAOne) {
  EXPECT_EQ(Add(14, {0, 4}, {1, 4}), "float32[0, 4]");
}

TEST(ElementwiseRules, OfTwoSymbolsTheLargerOneIsTheBroadcast) {
  const Dim n = Dim::Symbol("n");
  const Dim m = Dim::Symbol("m");
  EXPECT_EQ(Add(14, {n}, {1}), "float32[n]");
  EXPECT_EQ(Add(14, {n}, {n}), "float32[n]");
  EXPECT_EQ(Add(14, {n}, {8}), "float32[8]");
  EXPECT_EQ(Add(14, {n}, {m}), "float32[max(m, n)]");
  EXPECT_EQ(Add(14, {n}, {Min(n, 512)}), "float32[n]");
  EXPECT_EQ(Add(14, {Dim()}, {8}), "float32[8]");
  EXPECT_EQ(Add(14, {Dim()}, {1}), "float32[?]");
}

TEST(ElementwiseRules, ShapesThatDoNotBroadcastAreAnErrorWithBothShapes) {
  EXPECT_EQ(Add(14, {2, 3}, {4}),
            "node 'n' (Add): shapes [2, 3] and [4] do not broadcast");
}

TEST(ElementwiseRules, UntilOpset6TheFirstInputGivesTheShape) {
  EXPECT_EQ(OneNode("Mul", 6)
                .Attr("broadcast", int64_t{1})
                .Attr("axis", int64_t{1})
                .Input(Float({2, 3, 4, 5}))
                .Input(Float({3, 4}))
                .Run()
                .ToString(),
            "float32[2, 3, 4, 5]");
  EXPECT_EQ(OneNode("Less", 1)
                .Attr("broadcast", int64_t{1})
                .Input(Float({2, 3}))
                .Input(Float({3}))
                .Run()
                .ToString(),
            "bool[2, 3]");
}

TEST(ElementwiseRules, ComparisonsGiveBooleans) {
  for (const char* op : {"Equal", "Greater", "Less", "GreaterOrEqual",
                         "LessOrEqual", "And", "Or", "Xor"}) {
    EXPECT_EQ(
        OneNode(op, 19).Input(Float({3, 1})).Input(Float({4})).Run().ToString(),
        "bool[3, 4]")
        << op;
  }
  EXPECT_EQ(OneNode("IsNaN", 13).Input(Float({3})).Run().ToString(), "bool[3]");
  EXPECT_EQ(OneNode("IsInf", 20).Input(Float({3})).Run().ToString(), "bool[3]");
}

TEST(ElementwiseRules, UnaryOperatorsKeepTheType) {
  for (const char* op : {"Abs",      "Acos",        "Acosh",
                         "Asin",     "Asinh",       "Atan",
                         "Atanh",    "Ceil",        "Celu",
                         "Cos",      "Cosh",        "Elu",
                         "Erf",      "Exp",         "Floor",
                         "Gelu",     "HardSigmoid", "HardSwish",
                         "Hardmax",  "Identity",    "LeakyRelu",
                         "Log",      "LogSoftmax",  "Mish",
                         "Neg",      "Reciprocal",  "Relu",
                         "Round",    "Selu",        "Shrink",
                         "Sigmoid",  "Sign",        "Sin",
                         "Sinh",     "Softmax",     "Softplus",
                         "Softsign", "Sqrt",        "Swish",
                         "Tan",      "Tanh",        "ThresholdedRelu",
                         "Trilu"}) {
    EXPECT_EQ(OneNode(op, 27)
                  .Input(Of(ElementType::kBfloat16, {2, Dim::Symbol("n")}))
                  .Run()
                  .ToString(),
              "bfloat16[2, n]")
        << op;
  }
}

TEST(ElementwiseRules, AnOperatorIsUnknownBeforeItsFirstOpset) {
  EXPECT_EQ(FindRule("", "Mish", 17), nullptr);
  EXPECT_NE(FindRule("", "Mish", 18), nullptr);
  EXPECT_EQ(FindRule("", "Swish", 23), nullptr);
  EXPECT_EQ(FindRule("", "NoSuchOperator", 27), nullptr);
}

TEST(ElementwiseRules, VariadicOperatorsBroadcastFromOpset8On) {
  EXPECT_EQ(OneNode("Max", 8)
                .Input(Float({3, 1}))
                .Input(Float({1, 4}))
                .Input(Float({1}))
                .Run()
                .ToString(),
            "float32[3, 4]");
  EXPECT_EQ(OneNode("Sum", 6)
                .Input(Float({3, Dim()}))
                .Input(Float({Dim(), 4}))
                .Run()
                .ToString(),
            "float32[3, 4]");
}

TEST(ElementwiseRules, WhereTakesTheTypeOfItsBranches) {
  EXPECT_EQ(OneNode("Where", 16)
                .Input(Of(ElementType::kBool, {2, 1}))
                .Input(Int64({3}))
                .Input(Int64({}))
                .Run()
                .ToString(),
            "int64[2, 3]");
}

TEST(ElementwiseRules, CastTakesANameUntilOpset5AndANumberAfter) {
  EXPECT_EQ(OneNode("Cast", 1)
                .Attr("to", std::string("INT64"))
                .Input(Float({3}))
                .Run()
                .ToString(),
            "int64[3]");
  EXPECT_EQ(OneNode("Cast", 9)
                .Attr("to", int64_t{10})
                .Input(Float({3}))
                .Run()
                .ToString(),
            "float16[3]");
  EXPECT_EQ(OneNode("Cast", 25)
                .Attr("to", int64_t{24})
                .Input(Float({2, 4}))
                .Run()
                .ToString(),
            "float8e8m0[2, 4]");
  EXPECT_EQ(OneNode("CastLike", 15)
                .Input(Float({3}))
                .Input(Of(ElementType::kInt4, {}))
                .Run()
                .ToString(),
            "int4[3]");
}

TEST(ElementwiseRules, BitCastKeepsTheWidth) {
  EXPECT_EQ(OneNode("BitCast", 26)
                .Attr("to", int64_t{6})
                .Input(Float({3}))
                .Run()
                .ToString(),
            "int32[3]");
  EXPECT_FALSE(OneNode("BitCast", 26)
                   .Attr("to", int64_t{7})
                   .Input(Float({3}))
                   .Run()
                   .status()
                   .ok());
}

TEST(ElementwiseRules, TheDropoutMaskIsBooleanFromOpset10On) {
  EXPECT_EQ(
      OneNode("Dropout", 7).Outputs(2).Input(Float({2, 3})).Run().ToString(),
      "float32[2, 3]; float32[2, 3]");
  EXPECT_EQ(
      OneNode("Dropout", 22).Outputs(2).Input(Float({2, 3})).Run().ToString(),
      "float32[2, 3]; bool[2, 3]");
}

TEST(ElementwiseRules, PowKeepsTheTypeOfTheBase) {
  EXPECT_EQ(
      OneNode("Pow", 15).Input(Float({2, 3})).Input(Int64({})).Run().ToString(),
      "float32[2, 3]");
}

TEST(ElementwiseRules, BernoulliTakesDtype) {
  EXPECT_EQ(OneNode("Bernoulli", 15)
                .Attr("dtype", int64_t{9})
                .Input(Float({5}))
                .Run()
                .ToString(),
            "bool[5]");
}

}  // namespace
}  // namespace memplan
