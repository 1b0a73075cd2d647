// Normalizations, and the statistics that some give as further outputs.

#include <optional>
#include <utility>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// [C], as far as scale, bias, mean, variance and the data say.
absl::StatusOr<Shape> ChannelShape(const NodeContext& node) {
  absl::StatusOr<std::optional<Shape>> given = MergeInputs(node, {1, 2, 3, 4});
  if (!given.ok()) return given.status();
  Shape result = given->value_or(UnknownShape(1));
  const Shape* data = node.shape(0);
  if (result.size() == 1 && result[0].is_unknown() && data != nullptr &&
      data->size() > 1) {
    result[0] = (*data)[1];
  }
  return result;
}

// Outputs after the first: running mean and variance, then (until opset 13) the
// saved ones. From 14 on they have the type of the input mean.
absl::Status BatchNormalization(NodeContext& node) {
  node.SetOutput(0, node.input(0));
  if (node.num_outputs() < 2) return absl::OkStatus();
  const absl::StatusOr<Shape> statistics = ChannelShape(node);
  if (!statistics.ok()) return statistics.status();
  const ElementType element = node.opset() >= 14
                                  ? FirstElement(node, {3, 4, 0})
                                  : FirstElement(node, {0, 3, 4});
  for (size_t i = 1; i < node.num_outputs(); ++i) {
    node.SetTensor(i, element, *statistics);
  }
  return absl::OkStatus();
}

// Mean and inverse deviation keep the rank, with 1 from `axis` on, in the type
// that stash_type names.
absl::Status LayerNormalization(NodeContext& node) {
  node.SetOutput(0, node.input(0));
  std::optional<Shape> statistics = node.input(0).shape;
  if (statistics.has_value()) {
    const absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", -1), statistics->size());
    if (!axis.ok()) return axis.status();
    for (size_t i = *axis; i < statistics->size(); ++i) (*statistics)[i] = 1;
  }
  const ElementType element =
      ElementAttribute(node, "stash_type", ElementType::kFloat);
  node.SetTensor(1, element, statistics);
  node.SetTensor(2, element, std::move(statistics));
  return absl::OkStatus();
}

// The scale's element type is the output's.
absl::Status RmsNormalization(NodeContext& node) {
  node.SetTensor(0, FirstElement(node, {1, 0}), node.input(0).shape);
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "BatchNormalization", 1, BatchNormalization,
     "Operators.md#BatchNormalization"},
    {"", "GroupNormalization", 18, SameAsInput,
     "Operators.md#GroupNormalization"},
    {"", "InstanceNormalization", 1, SameAsInput,
     "Operators.md#InstanceNormalization"},
    {"", "LRN", 1, SameAsInput, "Operators.md#LRN"},
    {"", "LayerNormalization", 17, LayerNormalization,
     "Operators.md#LayerNormalization"},
    {"", "LpNormalization", 1, SameAsInput, "Operators.md#LpNormalization"},
    {"", "MeanVarianceNormalization", 1, SameAsInput,
     "Operators.md#MeanVarianceNormalization"},
    {"", "RMSNormalization", 23, RmsNormalization,
     "Operators.md#RMSNormalization"},
};

}  // namespace

absl::Span<const RuleRow> NormalizationRules() { return kRows; }

}  // namespace memplan
