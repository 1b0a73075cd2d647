#include <string_view>

#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Operators of other tools whose definitions are public: TensorRT's plugins,
// and the quantizers of QONNX, Brevitas and FINN.

constexpr std::string_view kTensorRt =
    "onnxruntime/core/graph/contrib_ops/contrib_defs.cc";
constexpr std::string_view kQonnx =
    "fastmachinelearning/qonnx/docs/qonnx-custom-ops";

constexpr std::string_view kWindows = "Operators.md, opset 17";

// boxes [N, ...]: as many detections as an attribute allows.
absl::Status EfficientNms(NodeContext& node) {
  const Dim batch = DimOf(node, 0, 0);
  const Dim boxes = node.HasAttribute("max_output_boxes")
                        ? CountAttribute(node, "max_output_boxes")
                        : Dim(1);
  node.SetTensor(0, ElementType::kInt32, Shape{batch, 1});
  SetShaped(node, 1, 0, Shape{batch, boxes, 4});
  SetShaped(node, 2, 0, Shape{batch, boxes});
  node.SetTensor(3, ElementType::kInt32, Shape{batch, boxes});
  return absl::OkStatus();
}

// boxes [N, boxes, 4], feature maps [N, C, H, W] -> square patches.
absl::Status PooledPatches(NodeContext& node) {
  const Dim size = node.HasAttribute("pooled_size")
                       ? CountAttribute(node, "pooled_size")
                       : Dim(1);
  SetShaped(node, 0, 0,
            Shape{DimOf(node, 0, 0), DimOf(node, 0, 1), DimOf(node, 1, 1), size,
                  size});
  return absl::OkStatus();
}

// Windows AI tried these out before ai.onnx 17 took them over.
absl::Status SameOperator17(NodeContext& node) {
  return RunRuleOf(node, node.op_type(), 17);
}

constexpr RuleRow kRows[] = {
    {"", "DisentangledAttention_TRT", 1, EachLike<0>, kTensorRt},
    {"", "EfficientNMS_TRT", 1, EfficientNms, kTensorRt},
    {"", "MultilevelCropAndResize_TRT", 1, PooledPatches, kTensorRt},
    {"", "PyramidROIAlign_TRT", 1, PooledPatches, kTensorRt},
    {"trt.plugins", "DisentangledAttention_TRT", 1, EachLike<0>, kTensorRt},
    {"trt.plugins", "EfficientNMS_TRT", 1, EfficientNms, kTensorRt},
    {"trt.plugins", "MultilevelCropAndResize_TRT", 1, PooledPatches, kTensorRt},
    {"trt.plugins", "PyramidROIAlign_TRT", 1, PooledPatches, kTensorRt},
    {"com.microsoft.experimental", "BlackmanWindow", 1, SameOperator17,
     kWindows},
    {"com.microsoft.experimental", "DFT", 1, SameOperator17, kWindows},
    {"com.microsoft.experimental", "HammingWindow", 1, SameOperator17,
     kWindows},
    {"com.microsoft.experimental", "HannWindow", 1, SameOperator17, kWindows},
    {"com.microsoft.experimental", "MelWeightMatrix", 1, SameOperator17,
     kWindows},
    {"com.microsoft.experimental", "STFT", 1, SameOperator17, kWindows},
    {"qonnx.custom_op.general", "BipolarQuant", 1, EachLike<0>, kQonnx},
    {"qonnx.custom_op.general", "FloatQuant", 1, EachLike<0>, kQonnx},
    {"qonnx.custom_op.general", "IntQuant", 1, EachLike<0>, kQonnx},
    {"qonnx.custom_op.general", "MultiThreshold", 1, EachLike<0>, kQonnx},
    {"qonnx.custom_op.general", "Quant", 1, EachLike<0>, kQonnx},
    {"qonnx.custom_op.general", "Trunc", 1, EachLike<0>, kQonnx},
    {"finn.custom_op.general", "BipolarQuant", 1, EachLike<0>, kQonnx},
    {"finn.custom_op.general", "MultiThreshold", 1, EachLike<0>, kQonnx},
    {"finn.custom_op.general", "Quant", 1, EachLike<0>, kQonnx},
    {"onnx.brevitas", "BipolarQuant", 1, EachLike<0>, kQonnx},
    {"onnx.brevitas", "FloatQuant", 1, EachLike<0>, kQonnx},
    {"onnx.brevitas", "Quant", 1, EachLike<0>, kQonnx},
    {"onnx.brevitas", "Trunc", 1, EachLike<0>, kQonnx},
};

}  // namespace

absl::Span<const RuleRow> PluginRules() { return kRows; }

}  // namespace memplan
