#ifndef MEMPLAN_ONNX_FRONTEND_RULES_FAMILIES_H_
#define MEMPLAN_ONNX_FRONTEND_RULES_FAMILIES_H_

#include "absl/types/span.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {

// One function a family file; rule_table.cc joins them. The rows of one
// operator stand in one family, oldest opset first.

// ai.onnx
absl::Span<const RuleRow> AttentionRules();
absl::Span<const RuleRow> ConvolutionRules();
absl::Span<const RuleRow> DataDependentRules();
absl::Span<const RuleRow> EinsumRules();
absl::Span<const RuleRow> ElementwiseRules();
absl::Span<const RuleRow> GeneratorRules();
absl::Span<const RuleRow> ImageRules();
absl::Span<const RuleRow> IndexingRules();
absl::Span<const RuleRow> JoiningRules();
absl::Span<const RuleRow> LossRules();
absl::Span<const RuleRow> MatMulRules();
absl::Span<const RuleRow> NormalizationRules();
absl::Span<const RuleRow> PoolingRules();
absl::Span<const RuleRow> QuantizationRules();
absl::Span<const RuleRow> RecurrentRules();
absl::Span<const RuleRow> ReductionRules();
absl::Span<const RuleRow> ReshapeRules();
absl::Span<const RuleRow> ResizeRules();
absl::Span<const RuleRow> SignalRules();
absl::Span<const RuleRow> SlicingRules();
absl::Span<const RuleRow> TransposeRules();

// ai.onnx: what is no tensor, and what releases took out
absl::Span<const RuleRow> RemovedRules();
absl::Span<const RuleRow> SequenceRules();
absl::Span<const RuleRow> StringRules();

// ai.onnx.preview.training
absl::Span<const RuleRow> PreviewTrainingRules();

// ai.onnx.ml
absl::Span<const RuleRow> MachineLearningRules();

// com.microsoft
absl::Span<const RuleRow> MicrosoftAttentionRules();
absl::Span<const RuleRow> MicrosoftCachedAttentionRules();
absl::Span<const RuleRow> MicrosoftCollectiveRules();
absl::Span<const RuleRow> MicrosoftConvolutionRules();
absl::Span<const RuleRow> MicrosoftDeclaredRules();
absl::Span<const RuleRow> MicrosoftElementwiseRules();
absl::Span<const RuleRow> MicrosoftGenerationRules();
absl::Span<const RuleRow> MicrosoftMatMulRules();
absl::Span<const RuleRow> MicrosoftNormalizationRules();
absl::Span<const RuleRow> MicrosoftQuantizedRules();
absl::Span<const RuleRow> MicrosoftTensorRules();
absl::Span<const RuleRow> MicrosoftTrainingRules();

// com.ms.internal.nhwc
absl::Span<const RuleRow> NhwcRules();

// ai.onnx.contrib, com.microsoft.extensions
absl::Span<const RuleRow> ExtensionsRules();

// Other tools' domains
absl::Span<const RuleRow> PluginRules();

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULES_FAMILIES_H_
