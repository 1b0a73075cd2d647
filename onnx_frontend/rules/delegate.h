#ifndef MEMPLAN_ONNX_FRONTEND_RULES_DELEGATE_H_
#define MEMPLAN_ONNX_FRONTEND_RULES_DELEGATE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "onnx_frontend/node_context.h"

namespace memplan {

// Operators that take over another's attributes and shapes use its rule.

// Runs the rule of ai.onnx's `op` at `opset` on this node, as it stands.
absl::Status RunRuleOf(NodeContext& node, std::string_view op, int64_t opset);

// How a node differs from the one whose rule it uses.
struct Arrangement {
  // Where that one's inputs stand in this node; empty: in the same places.
  std::vector<size_t> inputs;
  // The first input and output are [N, d..., C], not [N, C, d...].
  bool channels_last = false;
};

// The same on a rearranged copy of the node; for rules that make no symbols of
// their own. Sets the outputs that the rule sets.
absl::Status RunRuleOf(NodeContext& node, std::string_view op, int64_t opset,
                       const Arrangement& arrangement);

// [N, d..., C] as [N, C, d...], and back. Shapes of rank below 3 stay as they
// are.
Shape ChannelsFirst(const Shape& channels_last);
Shape ChannelsLast(const Shape& channels_first);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULES_DELEGATE_H_
