// Values from numpy.matmul and the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

std::string MatMul(Shape a, Shape b) {
  return OneNode("MatMul", 13)
      .Input(Float(std::move(a)))
      .Input(Float(std::move(b)))
      .Run()
      .ToString();
}

TEST(MatMulRules, FollowsNumpy) {
  EXPECT_EQ(MatMul({3, 4}, {4, 5}), "float32[3, 5]");
  EXPECT_EQ(MatMul({2, 3, 4}, {4, 5}), "float32[2, 3, 5]");
  EXPECT_EQ(MatMul({2, 1, 3, 4}, {7, 4, 5}), "float32[2, 7, 3, 5]");
  EXPECT_EQ(MatMul({4}, {4}), "float32[]");
  EXPECT_EQ(MatMul({4}, {4, 5}), "float32[5]");
  EXPECT_EQ(MatMul({2, 3, 4}, {4}), "float32[2, 3]");
  EXPECT_EQ(MatMul({4}, {2, 4, 5}), "float32[2, 5]");
}

TEST(MatMulRules, SymbolsMultiply) {
  const Dim n = Dim::Symbol("n");
  EXPECT_EQ(MatMul({n, 3, Dim()}, {n, 4, 5}), "float32[n, 3, 5]");
}

TEST(MatMulRules, InnerDimensionsThatDifferAreAnError) {
  EXPECT_EQ(MatMul({3, 4}, {5, 6}),
            "node 'n' (MatMul): matrices of shapes [3, 4] and [5, 6] do not "
            "multiply");
  EXPECT_FALSE(OneNode("MatMul", 13)
                   .Input(Float({}))
                   .Input(Float({3}))
                   .Run()
                   .status()
                   .ok());
}

TEST(MatMulRules, IntegerProductsAreInt32) {
  const Type uint8 = Type::Tensor(ElementType::kUint8, Shape{4, 3});
  EXPECT_EQ(OneNode("MatMulInteger", 10)
                .Input(uint8)
                .Input(Type::Tensor(ElementType::kUint8, Shape{3, 2}))
                .Run()
                .ToString(),
            "int32[4, 2]");
}

TEST(MatMulRules, GemmTransposes) {
  EXPECT_EQ(OneNode("Gemm", 13)
                .Attr("transA", int64_t{1})
                .Attr("transB", int64_t{1})
                .Input(Float({6, 3}))
                .Input(Float({4, 6}))
                .Input(Float({1, 4}))
                .Run()
                .ToString(),
            "float32[3, 4]");
  EXPECT_EQ(OneNode("Gemm", 7)
                .Input(Type::Tensor(ElementType::kFloat))
                .Input(Float({6, 4}))
                .Run()
                .ToString(),
            "float32[?, 4]");
  EXPECT_FALSE(OneNode("Gemm", 13)
                   .Input(Float({2, 3}))
                   .Input(Float({4, 5}))
                   .Run()
                   .status()
                   .ok());
}

TEST(MatMulRules, DeterminantsDropTheMatrix) {
  EXPECT_EQ(OneNode("Det", 22).Input(Float({2, 3, 3})).Run().ToString(),
            "float32[2]");
}

}  // namespace
}  // namespace memplan
