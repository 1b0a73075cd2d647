#include "onnx_frontend/rule_table.h"

#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

using FamilyFunction = absl::Span<const RuleRow> (*)();

constexpr FamilyFunction kFamilies[] = {
    // ai.onnx
    AttentionRules,
    ConvolutionRules,
    DataDependentRules,
    EinsumRules,
    ElementwiseRules,
    GeneratorRules,
    ImageRules,
    IndexingRules,
    JoiningRules,
    LossRules,
    MatMulRules,
    NormalizationRules,
    PoolingRules,
    QuantizationRules,
    RecurrentRules,
    ReductionRules,
    ReshapeRules,
    ResizeRules,
    SignalRules,
    SlicingRules,
    TransposeRules,
    RemovedRules,
    SequenceRules,
    StringRules,
    // ai.onnx.preview.training
    PreviewTrainingRules,
    // ai.onnx.ml
    MachineLearningRules,
    // com.microsoft
    MicrosoftAttentionRules,
    MicrosoftCachedAttentionRules,
    MicrosoftCollectiveRules,
    MicrosoftConvolutionRules,
    MicrosoftDeclaredRules,
    MicrosoftElementwiseRules,
    MicrosoftGenerationRules,
    MicrosoftMatMulRules,
    MicrosoftNormalizationRules,
    MicrosoftQuantizedRules,
    MicrosoftTensorRules,
    MicrosoftTrainingRules,
    NhwcRules,
    // Other domains
    ExtensionsRules,
    PluginRules,
};

using OperatorKey = std::pair<std::string_view, std::string_view>;
using RuleIndex = absl::flat_hash_map<OperatorKey, std::vector<const RuleRow*>>;

// Looked up by key alone, so that nothing depends on the hash's order.
RuleIndex IndexRules() {
  RuleIndex index;
  for (const FamilyFunction family : kFamilies) {
    for (const RuleRow& row : family()) {
      index[{row.domain, row.op}].push_back(&row);
    }
  }
  return index;
}

}  // namespace

const RuleRow* FindRule(std::string_view domain, std::string_view op,
                        int64_t opset) {
  static const RuleIndex& index = *new RuleIndex(IndexRules());
  const auto rows = index.find({domain, op});
  if (rows == index.end()) return nullptr;
  // Opset 0: a domain that the model does not import. ONNX Runtime takes the
  // newest then.
  const RuleRow* found = nullptr;
  for (const RuleRow* row : rows->second) {
    if ((row->since <= opset || opset == 0) &&
        (found == nullptr || row->since > found->since)) {
      found = row;
    }
  }
  return found;
}

}  // namespace memplan
