#include <optional>
#include <utility>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Whole generation loops over a decoder in a body. The contents of the inputs
// max_length, num_beams and num_return_sequences are dimensions.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

// model_type's values.
constexpr int64_t kGpt = 0;
constexpr int64_t kWhisper = 2;

// An optional count that is 1 where it is left out.
Dim CountOrOne(const NodeContext& node, size_t input) {
  return node.HasInput(input) ? ScalarDim(node, input) : Dim(1);
}

Dim VocabularySize(const NodeContext& node) {
  return CountAttribute(node, "vocab_size");
}

// How many tokens of the prompt stand in the output: GPT's is the prompt,
// Whisper's is in input 10, and T5 begins with one token.
Dim PromptLength(const NodeContext& node, int64_t model_type) {
  if (model_type == kGpt) return DimOf(node, 0, 1);
  if (model_type == kWhisper && node.HasInput(10)) return DimOf(node, 10, 1);
  return 1;
}

// Beside the sequences: their scores, and the scores of each step.
void SetBeams(NodeContext& node, int64_t model_type) {
  const Dim batch = DimOf(node, 0, 0);
  const Dim length = ScalarDim(node, 1);
  const Dim returned = CountOrOne(node, 4);
  const ElementType score = node.element(5) == ElementType::kUndefined
                                ? ElementType::kFloat
                                : node.element(5);
  node.SetTensor(0, ElementType::kInt32, Shape{batch, returned, length});
  node.SetTensor(1, score, Shape{batch, returned});
  node.SetTensor(2, score,
                 Shape{length - PromptLength(node, model_type), batch,
                       CountOrOne(node, 3), VocabularySize(node)});
  if (length.is_unknown()) DependsOnContents(node, 0, 1);
}

absl::Status BeamSearch(NodeContext& node) {
  SetBeams(node, node.Int("model_type", kGpt));
  return absl::OkStatus();
}

// Output 3 grows with the steps that the search takes; output 4 is a
// probability a sample.
absl::Status WhisperBeamSearch(NodeContext& node) {
  SetBeams(node, kWhisper);
  const Dim batch = DimOf(node, 0, 0);
  node.SetTensor(3, ElementType::kFloat,
                 Shape{batch, CountOrOne(node, 4), DimOf(node, 12, 0),
                       node.DataDependentDim("steps", ScalarDim(node, 1)),
                       Dim::Unknown()});
  node.SetTensor(4, node.output(1).element, Shape{batch});
  return absl::OkStatus();
}

// Output 1, of Sampling: the logits after filtering.
absl::Status GreedySearch(NodeContext& node) {
  const Dim batch = DimOf(node, 0, 0);
  const Dim length = ScalarDim(node, 1);
  node.SetTensor(0, ElementType::kInt32, Shape{batch, length});
  node.SetTensor(1, ElementType::kFloat, Shape{batch, VocabularySize(node)});
  if (length.is_unknown()) DependsOnContents(node, 0, 1);
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "BeamSearch", 1, BeamSearch,
     "ContribOperators.md#com.microsoft.BeamSearch"},
    {"com.microsoft", "GreedySearch", 1, GreedySearch,
     "ContribOperators.md#com.microsoft.GreedySearch"},
    {"com.microsoft", "Sampling", 1, GreedySearch,
     "ContribOperators.md#com.microsoft.Sampling"},
    {"com.microsoft", "WhisperBeamSearch", 1, WhisperBeamSearch,
     "ContribOperators.md#com.microsoft.WhisperBeamSearch"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftGenerationRules() { return kRows; }

}  // namespace memplan
