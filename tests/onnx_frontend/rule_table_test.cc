#include "onnx_frontend/rule_table.h"

#include <gtest/gtest.h>

namespace memplan {
namespace {

int64_t SinceOf(std::string_view op, int64_t opset) {
  const RuleRow* row = FindRule("", op, opset);
  return row == nullptr ? 0 : row->since;
}

TEST(RuleTable, ARowHoldsUpToTheNextOne) {
  EXPECT_EQ(SinceOf("Reshape", 1), 1);
  EXPECT_EQ(SinceOf("Reshape", 4), 1);
  EXPECT_EQ(SinceOf("Reshape", 5), 5);
  EXPECT_EQ(SinceOf("Reshape", 27), 5);
  EXPECT_EQ(SinceOf("ReduceSum", 12), 1);
  EXPECT_EQ(SinceOf("ReduceSum", 13), 13);
  EXPECT_EQ(SinceOf("ReduceMax", 17), 1);
  EXPECT_EQ(SinceOf("ReduceMax", 18), 18);
}

TEST(RuleTable, BeforeItsFirstOpsetAnOperatorIsNotKnown) {
  EXPECT_EQ(FindRule("", "Attention", 22), nullptr);
  EXPECT_NE(FindRule("", "Attention", 23), nullptr);
  EXPECT_EQ(FindRule("", "LinearAttention", 26), nullptr);
  EXPECT_NE(FindRule("", "LinearAttention", 27), nullptr);
}

TEST(RuleTable, DomainsAreApart) {
  EXPECT_EQ(FindRule("no.such.domain", "Add", 7), nullptr);
  EXPECT_EQ(FindRule("", "NoSuchOperator", 27), nullptr);
}

// Operators.md of opset 27, without control flow (the driver's) and functions
// that are only ever expanded.
TEST(RuleTable, KnowsTheOperatorsOfOpset27) {
  constexpr const char* kOperators[] = {"Abs",
                                        "Acos",
                                        "Acosh",
                                        "Add",
                                        "AffineGrid",
                                        "And",
                                        "ArgMax",
                                        "ArgMin",
                                        "Asin",
                                        "Asinh",
                                        "Atan",
                                        "Atanh",
                                        "Attention",
                                        "AveragePool",
                                        "BatchNormalization",
                                        "Bernoulli",
                                        "BitCast",
                                        "BitShift",
                                        "BitwiseAnd",
                                        "BitwiseNot",
                                        "BitwiseOr",
                                        "BitwiseXor",
                                        "BlackmanWindow",
                                        "Cast",
                                        "CastLike",
                                        "CausalConvWithState",
                                        "Ceil",
                                        "Celu",
                                        "CenterCropPad",
                                        "Clip",
                                        "Col2Im",
                                        "Compress",
                                        "Concat",
                                        "Constant",
                                        "ConstantOfShape",
                                        "Conv",
                                        "ConvInteger",
                                        "ConvTranspose",
                                        "Cos",
                                        "Cosh",
                                        "CumProd",
                                        "CumSum",
                                        "DFT",
                                        "DeformConv",
                                        "DepthToSpace",
                                        "DequantizeLinear",
                                        "Det",
                                        "Div",
                                        "Dropout",
                                        "DynamicQuantizeLinear",
                                        "Einsum",
                                        "Elu",
                                        "Equal",
                                        "Erf",
                                        "Exp",
                                        "Expand",
                                        "EyeLike",
                                        "Flatten",
                                        "Floor",
                                        "GRU",
                                        "Gather",
                                        "GatherElements",
                                        "GatherND",
                                        "Gelu",
                                        "Gemm",
                                        "GlobalAveragePool",
                                        "GlobalLpPool",
                                        "GlobalMaxPool",
                                        "Greater",
                                        "GreaterOrEqual",
                                        "GridSample",
                                        "GroupNormalization",
                                        "HammingWindow",
                                        "HannWindow",
                                        "HardSigmoid",
                                        "HardSwish",
                                        "Hardmax",
                                        "Identity",
                                        "ImageDecoder",
                                        "InstanceNormalization",
                                        "IsInf",
                                        "IsNaN",
                                        "LRN",
                                        "LSTM",
                                        "LayerNormalization",
                                        "LeakyRelu",
                                        "Less",
                                        "LessOrEqual",
                                        "LinearAttention",
                                        "Log",
                                        "LogSoftmax",
                                        "LpNormalization",
                                        "LpPool",
                                        "MatMul",
                                        "MatMulInteger",
                                        "Max",
                                        "MaxPool",
                                        "MaxRoiPool",
                                        "MaxUnpool",
                                        "Mean",
                                        "MeanVarianceNormalization",
                                        "MelWeightMatrix",
                                        "Min",
                                        "Mish",
                                        "Mod",
                                        "Mul",
                                        "Multinomial",
                                        "Neg",
                                        "NegativeLogLikelihoodLoss",
                                        "NonMaxSuppression",
                                        "NonZero",
                                        "Not",
                                        "OneHot",
                                        "Or",
                                        "PRelu",
                                        "Pad",
                                        "Pow",
                                        "QLinearConv",
                                        "QLinearMatMul",
                                        "QuantizeLinear",
                                        "RMSNormalization",
                                        "RNN",
                                        "RandomNormal",
                                        "RandomNormalLike",
                                        "RandomUniform",
                                        "RandomUniformLike",
                                        "Range",
                                        "Reciprocal",
                                        "ReduceL1",
                                        "ReduceL2",
                                        "ReduceLogSum",
                                        "ReduceLogSumExp",
                                        "ReduceMax",
                                        "ReduceMean",
                                        "ReduceMin",
                                        "ReduceProd",
                                        "ReduceSum",
                                        "ReduceSumSquare",
                                        "Relu",
                                        "Reshape",
                                        "Resize",
                                        "ReverseSequence",
                                        "RoiAlign",
                                        "RotaryEmbedding",
                                        "Round",
                                        "STFT",
                                        "Scatter",
                                        "ScatterElements",
                                        "ScatterND",
                                        "Selu",
                                        "Shape",
                                        "Shrink",
                                        "Sigmoid",
                                        "Sign",
                                        "Sin",
                                        "Sinh",
                                        "Size",
                                        "Slice",
                                        "Softmax",
                                        "SoftmaxCrossEntropyLoss",
                                        "Softplus",
                                        "Softsign",
                                        "SpaceToDepth",
                                        "Split",
                                        "Sqrt",
                                        "Squeeze",
                                        "Sub",
                                        "Sum",
                                        "Swish",
                                        "Tan",
                                        "Tanh",
                                        "TensorScatter",
                                        "TfIdfVectorizer",
                                        "ThresholdedRelu",
                                        "Tile",
                                        "TopK",
                                        "Transpose",
                                        "Trilu",
                                        "Unique",
                                        "Unsqueeze",
                                        "Upsample",
                                        "Where",
                                        "Xor"};
  for (const char* op : kOperators) {
    const RuleRow* row = FindRule("", op, 27);
    ASSERT_NE(row, nullptr) << op;
    EXPECT_NE(row->rule, nullptr) << op;
    EXPECT_FALSE(row->source.empty()) << op;
  }
}

}  // namespace
}  // namespace memplan
