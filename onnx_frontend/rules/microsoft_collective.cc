#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Operators over several devices, of which this node runs on one.

constexpr std::string_view kSource =
    "onnxruntime/core/graph/contrib_ops/collective_defs.cc";

// The parts of all devices one after the other.
absl::Status AllGather(NodeContext& node) {
  std::optional<Shape> gathered = ShapeOf(node, 0);
  if (gathered.has_value()) {
    const absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("axis", 1), gathered->size());
    if (!axis.ok()) return axis.status();
    const int64_t devices = std::max<int64_t>(1, node.Int("group_size", 1));
    (*gathered)[*axis] = (*gathered)[*axis] * Dim(devices);
  }
  SetShaped(node, 0, 0, std::move(gathered));
  return absl::OkStatus();
}

// "RS[0]R": the second of three axes is cut along the first axis of the mesh of
// devices.
bool CutsNothing(const NodeContext& node, std::string_view attribute) {
  const auto specs = node.Strings(attribute);
  return !specs.has_value() ||
         std::all_of(specs->begin(), specs->end(), [](const std::string& spec) {
           return spec.find('S') == std::string::npos;
         });
}

// Where each device has all of each tensor, it is the operator of ai.onnx; else
// what it holds is as the graph's author declares.
absl::Status Distributed(NodeContext& node, std::string_view op,
                         int64_t opset) {
  if (CutsNothing(node, "input_shard_specs") &&
      CutsNothing(node, "output_shard_specs")) {
    return RunRuleOf(node, op, opset);
  }
  node.SetTensor(0, node.element(0), std::nullopt);
  node.LeaveToModel(0, "shape depends on how the tensors are cut for devices");
  return absl::OkStatus();
}

absl::Status DistributedExpand(NodeContext& node) {
  return Distributed(node, "Expand", 13);
}
absl::Status DistributedMatMul(NodeContext& node) {
  return Distributed(node, "MatMul", 13);
}
// Of opset 18, from which on the axes are an input.
absl::Status DistributedReduce(NodeContext& node) {
  return Distributed(node, "ReduceMax", 18);
}
absl::Status DistributedReshape(NodeContext& node) {
  return Distributed(node, "Reshape", 14);
}
absl::Status DistributedSlice(NodeContext& node) {
  return Distributed(node, "Slice", 13);
}
absl::Status DistributedSqueeze(NodeContext& node) {
  return Distributed(node, "Squeeze", 13);
}
absl::Status DistributedUnsqueeze(NodeContext& node) {
  return Distributed(node, "Unsqueeze", 13);
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "AllGather", 1, AllGather, kSource},
    {"com.microsoft", "AllReduce", 1, EachLike<0>, kSource},
    {"com.microsoft", "AllToAll", 1, EachLike<0>, kSource},
    {"com.microsoft", "DistributedExpand", 1, DistributedExpand, kSource},
    {"com.microsoft", "DistributedMatMul", 1, DistributedMatMul, kSource},
    {"com.microsoft", "DistributedReduceMax", 1, DistributedReduce, kSource},
    {"com.microsoft", "DistributedReduceMean", 1, DistributedReduce, kSource},
    {"com.microsoft", "DistributedReduceSum", 1, DistributedReduce, kSource},
    {"com.microsoft", "DistributedReshape", 1, DistributedReshape, kSource},
    {"com.microsoft", "DistributedSlice", 1, DistributedSlice, kSource},
    {"com.microsoft", "DistributedSqueeze", 1, DistributedSqueeze, kSource},
    {"com.microsoft", "DistributedUnsqueeze", 1, DistributedUnsqueeze, kSource},
    {"com.microsoft", "ShardedMoE", 1, EachLike<0>, kSource},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftCollectiveRules() { return kRows; }

}  // namespace memplan
