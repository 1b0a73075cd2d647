#include "onnx_frontend/rules/delegate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "onnx_frontend/rule_table.h"

namespace memplan {
namespace {

// A graph of this one node, its inputs in the order that the rule wants.
ModelGraph Rearranged(const NodeContext& node, const Arrangement& arrangement) {
  ModelGraph copy;
  copy.nodes.push_back(node.node());
  ModelNode& only = copy.nodes.back();
  const auto add = [&copy](ModelValue value) -> std::optional<ValueIndex> {
    copy.values.push_back(std::move(value));
    return static_cast<ValueIndex>(copy.values.size() - 1);
  };

  const std::vector<std::optional<ValueIndex>> inputs = std::move(only.inputs);
  only.inputs.clear();
  const size_t count =
      arrangement.inputs.empty() ? inputs.size() : arrangement.inputs.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t from = arrangement.inputs.empty() ? i : arrangement.inputs[i];
    if (from >= inputs.size() || !inputs[from].has_value()) {
      only.inputs.push_back(std::nullopt);
      continue;
    }
    ModelValue value = node.graph().values[static_cast<size_t>(*inputs[from])];
    if (i == 0 && arrangement.channels_last && value.type.has_shape()) {
      value.type.shape = ChannelsFirst(*value.type.shape);
    }
    only.inputs.push_back(add(std::move(value)));
  }
  for (std::optional<ValueIndex>& output : only.outputs) {
    if (output.has_value()) output = add(ModelValue());
  }
  return copy;
}

}  // namespace

Shape ChannelsFirst(const Shape& channels_last) {
  Shape shape = channels_last;
  if (shape.size() >= 3) {
    std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  }
  return shape;
}

Shape ChannelsLast(const Shape& channels_first) {
  Shape shape = channels_first;
  if (shape.size() >= 3) {
    std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
  }
  return shape;
}

absl::Status RunRuleOf(NodeContext& node, std::string_view op, int64_t opset) {
  const RuleRow* row = FindRule("", op, opset);
  return row == nullptr ? absl::OkStatus() : row->rule(node);
}

absl::Status RunRuleOf(NodeContext& node, std::string_view op, int64_t opset,
                       const Arrangement& arrangement) {
  const RuleRow* row = FindRule("", op, opset);
  if (row == nullptr) return absl::OkStatus();
  ModelGraph copy = Rearranged(node, arrangement);
  NodeContext rearranged(copy, 0);
  if (absl::Status s = row->rule(rearranged); !s.ok()) return s;
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    Type type = rearranged.output(i);
    if (i == 0 && arrangement.channels_last && type.has_shape()) {
      type.shape = ChannelsLast(*type.shape);
    }
    node.SetOutput(i, std::move(type));
  }
  return absl::OkStatus();
}

}  // namespace memplan
