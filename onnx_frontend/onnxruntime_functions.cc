// The types decide, and they are found only in the graph: so the graph is
// built, what lacks a kernel is noted, and the graph is built again with that
// expanded, until nothing lacks one.
#include "onnx_frontend/onnxruntime_functions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/function_bodies.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/onnxruntime_kernels.h"

namespace memplan {
namespace {

// Functions of functions are two deep at most.
constexpr int kMaxRounds = 4;

struct Row {
  std::string_view domain;
  std::string_view op;
  bool of_half_alone = false;  // there is a kernel for other types
};
constexpr Row kRows[] = {
    {"", "Bernoulli"},
    {"", "CastLike"},
    {"", "GreaterOrEqual", true},
    {"", "GroupNormalization"},
    {"", "HardSwish"},
    {"", "LessOrEqual", true},
    {"", "LogSoftmax", true},
    {"", "Mish"},
    {"", "NegativeLogLikelihoodLoss"},
    {"", "Softmax", true},
    {"", "SoftmaxCrossEntropyLoss"},
    {"", "Swish"},
    {"com.microsoft", "FastGelu", true},
    {"com.microsoft", "Gelu", true},
    {"com.microsoft", "QuickGelu", true},
};

bool LacksKernel(const ModelGraph& graph, const ModelNode& node) {
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& it) {
        return it.domain == node.domain && it.op == node.op_type;
      });
  if (row == std::end(kRows)) return false;
  return !row->of_half_alone ||
         std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](const std::optional<ValueIndex>& input) {
                       return input && IsHalf(graph, *input);
                     });
}

std::vector<ElementType> InputTypes(const ModelGraph& graph,
                                    const ModelNode& node) {
  std::vector<ElementType> types;
  for (const std::optional<ValueIndex>& input : node.inputs) {
    types.push_back(input
                        ? graph.values[static_cast<size_t>(*input)].type.element
                        : ElementType::kUndefined);
  }
  return types;
}

}  // namespace

absl::StatusOr<Expansions> OnnxRuntimeExpansions(const Model& model) {
  Expansions expansions;
  for (int round = 0; round < kMaxRounds; ++round) {
    absl::StatusOr<ModelGraph> graph = BuildGraph(model, expansions);
    if (!graph.ok()) return graph.status();
    const bool lacks_any = std::any_of(
        graph->nodes.begin(), graph->nodes.end(), [](const ModelNode& node) {
          return std::any_of(
              std::begin(kRows), std::end(kRows),
              [&](const Row& row) { return row.op == node.op_type; });
        });
    if (!lacks_any) break;
    const absl::Status inferred = InferShapesAsOnnxRuntime(*graph);
    if (!inferred.ok()) return inferred;
    const size_t before = expansions.size();
    for (const ModelNode& node : graph->nodes) {
      if (node.source == nullptr || !LacksKernel(*graph, node)) continue;
      std::optional<Expansion> found =
          FunctionOf(node, InputTypes(*graph, node));
      if (found) expansions.try_emplace(node.source, *std::move(found));
    }
    if (expansions.size() == before) break;
  }
  return expansions;
}

}  // namespace memplan
