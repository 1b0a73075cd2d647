#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// com.ms.internal.nhwc: operators of ai.onnx, at its opsets, on tensors of
// [N, d..., C]. Weights and other inputs keep their layout.
// https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/graph/contrib_ops/internal_nhwc_onnx_schemas.cc

constexpr std::string_view kSource =
    "onnxruntime/core/graph/contrib_ops/internal_nhwc_onnx_schemas.cc";

absl::Status SameOperator(NodeContext& node) {
  return RunRuleOf(node, node.op_type(), node.opset(),
                   {.inputs = {}, .channels_last = true});
}

// Resize takes its sizes and scales in the tensor's own layout.
absl::Status Resize(NodeContext& node) {
  return RunRuleOf(node, "Resize", node.opset());
}

constexpr RuleRow kRows[] = {
    {"com.ms.internal.nhwc", "AveragePool", 7, SameOperator, kSource},
    {"com.ms.internal.nhwc", "BatchNormalization", 7, SameOperator, kSource},
    {"com.ms.internal.nhwc", "Conv", 1, SameOperator, kSource},
    {"com.ms.internal.nhwc", "ConvTranspose", 1, SameOperator, kSource},
    {"com.ms.internal.nhwc", "DepthToSpace", 1, SameOperator, kSource},
    {"com.ms.internal.nhwc", "GlobalAveragePool", 1, SameOperator, kSource},
    {"com.ms.internal.nhwc", "GlobalLpPool", 2, SameOperator, kSource},
    {"com.ms.internal.nhwc", "GlobalMaxPool", 1, SameOperator, kSource},
    {"com.ms.internal.nhwc", "GridSample", 16, SameOperator, kSource},
    {"com.ms.internal.nhwc", "InstanceNormalization", 6, SameOperator, kSource},
    {"com.ms.internal.nhwc", "LRN", 1, SameOperator, kSource},
    {"com.ms.internal.nhwc", "LpPool", 11, SameOperator, kSource},
    {"com.ms.internal.nhwc", "MaxPool", 1, SameOperator, kSource},
    {"com.ms.internal.nhwc", "MaxUnpool", 9, SameOperator, kSource},
    {"com.ms.internal.nhwc", "QLinearConv", 10, SameOperator, kSource},
    {"com.ms.internal.nhwc", "Resize", 11, Resize, kSource},
    {"com.ms.internal.nhwc", "SpaceToDepth", 1, SameOperator, kSource},
};

}  // namespace

absl::Span<const RuleRow> NhwcRules() { return kRows; }

}  // namespace memplan
