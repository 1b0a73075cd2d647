#include "onnx_frontend/onnxruntime_facts.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/model_graph.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// Kernels that declare Alias(0, 0) in ONNX Runtime's CPU provider: the output
// is the input's bytes, whoever else reads them. Dropout is none, though it
// hands its input on.
struct KernelRow {
  std::string_view domain;
  std::string_view op;
};
constexpr KernelRow kAliases[] = {
    {"", "Flatten"},
    {"", "Identity"},
    {"", "Optional"},
    {"", "Reshape"},
    {"", "Squeeze"},
    {"", "Unsqueeze"},
    {"com.microsoft", "ExpandDims"},
};

// Kernels that declare MayInplace(0, 0) there: the output may overwrite the
// input, if nobody else reads it.
constexpr KernelRow kInPlace[] = {
    {"", "BitCast"},
    {"", "Cast"},
    {"", "Celu"},
    {"", "Clip"},
    {"", "DFT"},
    {"", "Elu"},
    {"", "HardSigmoid"},
    {"", "LeakyRelu"},
    {"", "LogSoftmax"},
    {"", "ParametricSoftplus"},
    {"", "Relu"},
    {"", "ScaledTanh"},
    {"", "Scatter"},
    {"", "ScatterElements"},
    {"", "Selu"},
    {"", "Shrink"},
    {"", "Sigmoid"},
    {"", "Softmax"},
    {"", "Softplus"},
    {"", "Softsign"},
    {"", "Tanh"},
    {"", "TensorScatter"},
    {"", "ThresholdedRelu"},
    {"", "Trilu"},
    {"ai.onnx.ml", "Normalizer"},
    {"ai.onnx.ml", "Scaler"},
    {"ai.onnx.ml", "TreeEnsemble"},
    {"ai.onnx.ml", "TreeEnsembleClassifier"},
    {"ai.onnx.ml", "TreeEnsembleRegressor"},
};

template <size_t kSize>
bool IsListed(const KernelRow (&rows)[kSize], const ModelNode& node) {
  return std::any_of(std::begin(rows), std::end(rows), [&](const auto& row) {
    return row.domain == node.domain && row.op == node.op_type;
  });
}

OnnxRuntimeFacts::Value FactsOf(const ModelValue& value) {
  OnnxRuntimeFacts::Value facts;
  facts.is_tensor =
      value.type.is_tensor() || value.type.kind == Type::Kind::kUnknown;
  facts.element_bytes = (ElementBits(value.type.element) + 7) / 8;
  if (!value.type.shape) return facts;
  facts.dims.emplace();
  for (const Dim& dim : *value.type.shape) {
    facts.dims->push_back(dim.is_unknown() ? "" : dim.ToString());
  }
  return facts;
}

}  // namespace

std::vector<ShareRule> OnnxRuntimeRulesOf(const ModelNode& node) {
  const bool is_alias = IsListed(kAliases, node);
  if (!is_alias && !IsListed(kInPlace, node)) return {};
  if (node.inputs.empty() || node.outputs.empty() || !node.inputs[0] ||
      !node.outputs[0]) {
    return {};
  }
  return {{.value = *node.outputs[0],
           .base = *node.inputs[0],
           .kind = is_alias ? SharingKind::kView : SharingKind::kInPlace}};
}

absl::StatusOr<OnnxRuntimeFacts> OnnxRuntimeFactsOf(
    const Model& model, const Expansions& expansions) {
  absl::StatusOr<ModelGraph> graph = BuildGraph(model, expansions);
  if (!graph.ok()) return graph.status();
  const absl::Status inferred = InferShapesAsOnnxRuntime(*graph);
  if (!inferred.ok()) return inferred;
  OnnxRuntimeFacts facts;
  facts.values.reserve(graph->values.size());
  for (const ModelValue& value : graph->values) {
    facts.values.push_back(FactsOf(value));
  }
  facts.rules.reserve(graph->nodes.size());
  for (const ModelNode& node : graph->nodes) {
    facts.rules.push_back(OnnxRuntimeRulesOf(node));
  }
  return facts;
}

}  // namespace memplan
