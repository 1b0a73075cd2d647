#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Operators whose inputs and attributes do not tell the shape of their outputs:
// whoever made the model declares it.

constexpr std::string_view kSource =
    "orttraining/core/graph/training_op_defs.cc";

constexpr std::string_view kInspects =
    "onnxruntime.training.utils.hooks._statistics_subscriber."
    "_InspectActivation";
constexpr std::string_view kCounts =
    "onnxruntime.training.utils.hooks._subscriber_manager._IncrementStep";

// Pooling's gradient has the shape of pooling's input, which is no input of it.
absl::Status PoolGrad(NodeContext& node) {
  node.SetTensor(0, node.element(0), std::nullopt);
  node.LeaveToModel(0, "shape is that of what was pooled, which is no input");
  return absl::OkStatus();
}

// The part that this device keeps of a sum over all.
absl::Status ReduceScatter(NodeContext& node) {
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    node.SetTensor(i, node.element(i), std::nullopt);
    node.LeaveToModel(i, "shape depends on the number of devices");
  }
  return absl::OkStatus();
}

// A function of PyTorch's: attributes say types and ranks of the outputs from
// `first` on. Those that only look at their inputs return them.
absl::Status SetPythonOutputs(NodeContext& node, size_t first,
                              size_t first_input) {
  const std::string function = node.String("func_name", "");
  const bool looks_on = function == kInspects || function == kCounts;
  const auto types =
      node.Ints("output_tensor_types").value_or(std::vector<int64_t>());
  const auto ranks =
      node.Ints("output_tensor_ranks").value_or(std::vector<int64_t>());
  constexpr int64_t kMaxRank = 64;
  for (size_t i = 0; first + i < node.num_outputs(); ++i) {
    if (looks_on) {
      SetLike(node, first + i, first_input + i);
      continue;
    }
    const bool has_type = i < types.size() && types[i] > 0 &&
                          types[i] <= static_cast<int64_t>(ElementType::kInt2);
    const bool has_rank =
        i < ranks.size() && ranks[i] >= 0 && ranks[i] <= kMaxRank;
    if (has_type) {
      node.SetTensor(first + i, static_cast<ElementType>(types[i]),
                     has_rank ? std::optional<Shape>(
                                    UnknownShape(static_cast<size_t>(ranks[i])))
                              : std::nullopt);
    }
    node.LeaveToModel(first + i, "a Python function decides the shape");
  }
  return absl::OkStatus();
}

// The first output is the address of what the gradient needs.
absl::Status PythonOp(NodeContext& node) {
  node.SetTensor(0, ElementType::kInt64, Shape());
  return SetPythonOutputs(node, 1, 0);
}

absl::Status PythonOpGrad(NodeContext& node) {
  return SetPythonOutputs(node, 0, 1);
}

constexpr RuleRow kRows[] = {
    {"", "AveragePoolGrad", 9, PoolGrad, kSource},
    {"", "MaxPoolGrad", 9, PoolGrad, kSource},
    {"com.microsoft", "NcclReduceScatter", 1, ReduceScatter, kSource},
    {"com.microsoft", "PythonOp", 1, PythonOp, kSource},
    {"com.microsoft", "PythonOpGrad", 1, PythonOpGrad, kSource},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftDeclaredRules() { return kRows; }

}  // namespace memplan
