#include "onnx_frontend/onnxruntime_kernels.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace memplan {
namespace {

// From the runtime's list of kernels, docs/OperatorKernels.md. MatMul and Gemm
// stand there, too, but for processors other than x64; asked, the runtime runs
// them in float32.
struct HalfKernel {
  std::string_view domain;
  std::string_view op;
  int64_t from_opset = 0;
  int64_t below_opset = 0;  // 0: any
};
constexpr std::string_view kContrib = "com.microsoft";
constexpr HalfKernel kHalfKernels[] = {
    {"", "Attention"},
    {"", "BitCast"},
    {"", "Cast"},
    {"", "Clip", 12},
    {"", "Compress"},
    {"", "Concat"},
    {"", "ConcatFromSequence"},
    {"", "ConstantOfShape"},
    {"", "DequantizeLinear", 19},
    {"", "Dropout", 0, 12},
    {"", "DynamicSlice"},
    {"", "Expand"},
    {"", "Flatten"},
    {"", "Gather"},
    {"", "GatherElements"},
    {"", "GatherND"},
    {"", "Identity"},
    {"", "IsInf", 20},
    {"", "IsNaN"},
    {"", "LayerNormalization"},
    {"", "Max", 12},
    {"", "Min", 12},
    {"", "Mod"},
    {"", "Optional"},
    {"", "OptionalGetElement"},
    {"", "OptionalHasElement", 18},
    {"", "QuantizeLinear", 19},
    {"", "RMSNormalization"},
    {"", "Reshape"},
    {"", "ReverseSequence"},
    {"", "RotaryEmbedding"},
    {"", "Round"},
    {"", "Scatter"},
    {"", "ScatterElements"},
    {"", "ScatterND"},
    {"", "SequenceAt"},
    {"", "SequenceConstruct"},
    {"", "SequenceErase"},
    {"", "SequenceInsert"},
    {"", "Shape"},
    {"", "Shrink"},
    {"", "Sign"},
    {"", "SimplifiedLayerNormalization"},
    {"", "Slice"},
    {"", "Split"},
    {"", "SplitToSequence"},
    {"", "Squeeze"},
    {"", "TensorScatter"},
    {"", "Transpose"},
    {"", "Unsqueeze"},
    {kContrib, "ExpandDims"},
    {kContrib, "GatedAdd"},
    {kContrib, "GatedRMSNorm"},
    {kContrib, "GatherBlockQuantized"},
    {kContrib, "GatherND"},
    {kContrib, "GroupQueryAttention"},
    {kContrib, "Inverse"},
    {kContrib, "LinearAttentionGate"},
    {kContrib, "MRotaryEmbedding"},
    {kContrib, "MatMulNBits"},
    {kContrib, "QMoE"},
    {kContrib, "RotaryEmbedding"},
    {kContrib, "SkipLayerNormalization"},
    {kContrib, "SkipSimplifiedLayerNormalization"},
    {kContrib, "SparseAttention"},
    {kContrib, "UnfoldTensor"},
};
// These read any type's shape alone, but make no float16.
constexpr std::string_view kRandomLike[] = {"RandomNormalLike",
                                            "RandomUniformLike"};

bool MakesHalf(const ModelGraph& graph, const ModelNode& node) {
  return std::any_of(node.outputs.begin(), node.outputs.end(),
                     [&](const std::optional<ValueIndex>& output) {
                       return output && IsHalf(graph, *output);
                     });
}

}  // namespace

bool IsHalf(const ModelGraph& graph, ValueIndex value) {
  const Type& type = graph.values[static_cast<size_t>(value)].type;
  return type.is_tensor() && type.element == ElementType::kFloat16;
}

bool HasHalfKernel(const ModelGraph& graph, const ModelNode& node) {
  for (const std::string_view op : kRandomLike) {
    if (node.domain.empty() && node.op_type == op) {
      return !MakesHalf(graph, node);
    }
  }
  for (const HalfKernel& row : kHalfKernels) {
    if (row.domain != node.domain || row.op != node.op_type) continue;
    return node.opset >= row.from_opset &&
           (row.below_opset == 0 || node.opset < row.below_opset);
  }
  return false;
}

}  // namespace memplan
