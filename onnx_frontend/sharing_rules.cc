// Which operators may share, as tables.
//
// A view is the same bytes by the operator's meaning. An operator may work in
// place where each element of its output depends on the element at the same
// position of the input alone (elementwise by its definition in Operators.md),
// or where it reads a whole row before it writes it and ONNX Runtime's kernel
// relies on that (MayInplace in its kernel registrations). Size, width, readers
// and schedule are the planner's to check.
#include "onnx_frontend/sharing_rules.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/node_context.h"

namespace memplan {
namespace {

constexpr std::string_view kElementwise = "Operators.md: elementwise";
constexpr std::string_view kOrtInPlace = "ONNX Runtime: MayInplace(0, 0)";
constexpr std::string_view kContrib = "ContribOperators.md: elementwise";
constexpr int kAllInputs = -1;

struct InPlaceRow {
  std::string_view domain;
  std::string_view op;
  int input;  // which input the first output may overwrite; kAllInputs: any
  std::string_view source;
};

constexpr InPlaceRow kInPlace[] = {
    {"", "Abs", 0, kElementwise},
    {"", "Acos", 0, kElementwise},
    {"", "Acosh", 0, kElementwise},
    {"", "Add", kAllInputs, kElementwise},
    {"", "And", kAllInputs, kElementwise},
    {"", "Asin", 0, kElementwise},
    {"", "Asinh", 0, kElementwise},
    {"", "Atan", 0, kElementwise},
    {"", "Atanh", 0, kElementwise},
    {"", "BatchNormalization", 0, kElementwise},
    {"", "BitCast", 0, kOrtInPlace},
    {"", "BitShift", kAllInputs, kElementwise},
    {"", "BitwiseAnd", kAllInputs, kElementwise},
    {"", "BitwiseNot", 0, kElementwise},
    {"", "BitwiseOr", kAllInputs, kElementwise},
    {"", "BitwiseXor", kAllInputs, kElementwise},
    {"", "Cast", 0, kElementwise},
    {"", "CastLike", 0, kElementwise},
    {"", "Ceil", 0, kElementwise},
    {"", "Celu", 0, kElementwise},
    {"", "Clip", 0, kElementwise},
    {"", "Cos", 0, kElementwise},
    {"", "Cosh", 0, kElementwise},
    {"", "DequantizeLinear", 0, kElementwise},
    {"", "Div", kAllInputs, kElementwise},
    {"", "Elu", 0, kElementwise},
    {"", "Equal", kAllInputs, kElementwise},
    {"", "Erf", 0, kElementwise},
    {"", "Exp", 0, kElementwise},
    {"", "Floor", 0, kElementwise},
    {"", "Gelu", 0, kElementwise},
    {"", "Greater", kAllInputs, kElementwise},
    {"", "GreaterOrEqual", kAllInputs, kElementwise},
    {"", "HardSigmoid", 0, kElementwise},
    {"", "HardSwish", 0, kElementwise},
    {"", "IsInf", 0, kElementwise},
    {"", "IsNaN", 0, kElementwise},
    {"", "LeakyRelu", 0, kElementwise},
    {"", "Less", kAllInputs, kElementwise},
    {"", "LessOrEqual", kAllInputs, kElementwise},
    {"", "Log", 0, kElementwise},
    {"", "LogSoftmax", 0, kOrtInPlace},
    {"", "Max", kAllInputs, kElementwise},
    {"", "Mean", kAllInputs, kElementwise},
    {"", "Min", kAllInputs, kElementwise},
    {"", "Mish", 0, kElementwise},
    {"", "Mod", kAllInputs, kElementwise},
    {"", "Mul", kAllInputs, kElementwise},
    {"", "Neg", 0, kElementwise},
    {"", "Not", 0, kElementwise},
    {"", "Or", kAllInputs, kElementwise},
    {"", "ParametricSoftplus", 0, kElementwise},
    {"", "Pow", kAllInputs, kElementwise},
    {"", "PRelu", 0, kElementwise},
    {"", "QuantizeLinear", 0, kElementwise},
    {"", "Reciprocal", 0, kElementwise},
    {"", "Relu", 0, kElementwise},
    {"", "Round", 0, kElementwise},
    {"", "ScaledTanh", 0, kElementwise},
    {"", "Selu", 0, kElementwise},
    {"", "Shrink", 0, kElementwise},
    {"", "Sigmoid", 0, kElementwise},
    {"", "Sign", 0, kElementwise},
    {"", "Sin", 0, kElementwise},
    {"", "Sinh", 0, kElementwise},
    {"", "Softmax", 0, kOrtInPlace},
    {"", "Softplus", 0, kElementwise},
    {"", "Softsign", 0, kElementwise},
    {"", "Sqrt", 0, kElementwise},
    {"", "Sub", kAllInputs, kElementwise},
    {"", "Sum", kAllInputs, kElementwise},
    {"", "Swish", 0, kElementwise},
    {"", "Tan", 0, kElementwise},
    {"", "Tanh", 0, kElementwise},
    {"", "ThresholdedRelu", 0, kElementwise},
    {"", "Trilu", 0, kOrtInPlace},
    {"", "Xor", kAllInputs, kElementwise},
    {"com.microsoft", "BiasGelu", 0, kContrib},
    {"com.microsoft", "FastGelu", 0, kContrib},
    {"com.microsoft", "Gelu", 0, kContrib},
    {"com.microsoft", "QuickGelu", 0, kContrib},
};

struct ViewRow {
  std::string_view domain;
  std::string_view op;
  std::string_view source;
};

constexpr ViewRow kViews[] = {
    {"", "Dropout", "Operators.md#Dropout: identity unless training"},
    {"", "Flatten", "Operators.md#Flatten"},
    {"", "Identity", "Operators.md#Identity"},
    {"", "Reshape", "Operators.md#Reshape"},
    {"", "Squeeze", "Operators.md#Squeeze"},
    {"", "Unsqueeze", "Operators.md#Unsqueeze"},
    {"com.microsoft", "ExpandDims", "ContribOperators.md#ExpandDims"},
};

template <size_t N, typename Row>
const Row* FindRow(const Row (&rows)[N], const ModelNode& node) {
  for (const Row& row : rows) {
    if (row.op == node.op_type && row.domain == node.domain) return &row;
  }
  return nullptr;
}

// Dropout copies its input unless it trains: from opset 12 on an input says so,
// up to 6 an attribute, whose default means training but which no inference
// runtime heeds (ONNX Runtime registers Dropout below 12 as identity).
bool DropoutTrains(const NodeContext& node) {
  if (node.opset() < 12 || !node.HasInput(2)) return false;
  const std::optional<std::vector<int64_t>> training = node.IntsOf(2);
  return !training.has_value() || training->empty() || (*training)[0] != 0;
}

// BatchNormalization that trains reads its whole input for the statistics
// first.
bool BatchNormalizationTrains(const NodeContext& node) {
  if (node.opset() >= 14) return node.Int("training_mode", 0) != 0;
  return node.opset() < 7
             ? node.Int("is_test", 0) == 0 && node.num_outputs() > 1
             : node.num_outputs() > 1;
}

class ShareRuleBuilder {
 public:
  ShareRuleBuilder(const ModelGraph& graph, NodeIndex node)
      // The context is only read from.
      : graph_(graph), context_(const_cast<ModelGraph&>(graph), node) {}

  std::vector<ShareRule> Build();

 private:
  void AddInPlace();
  void AddPartsOfConcat();
  void AddPartsOfSplit();
  std::optional<int64_t> BytesOf(std::optional<ValueIndex> value) const;
  // The axis, where nothing but ones lies before it: parts along it are
  // contiguous.
  std::optional<size_t> ContiguousAxis(std::optional<ValueIndex> value,
                                       int64_t axis) const;

  const ModelGraph& graph_;
  NodeContext context_;
  std::vector<ShareRule> rules_;
};

std::optional<int64_t> ShareRuleBuilder::BytesOf(
    std::optional<ValueIndex> value) const {
  if (!value.has_value()) return std::nullopt;
  const Type& type = graph_.values[static_cast<size_t>(*value)].type;
  if (!type.has_shape() || ElementBits(type.element) % 8 != 0) {
    return std::nullopt;
  }
  const Dim elements = NumElements(*type.shape);
  if (!elements.is_number()) return std::nullopt;
  return TensorBytes(type.element, elements.number());
}

std::optional<size_t> ShareRuleBuilder::ContiguousAxis(
    std::optional<ValueIndex> value, int64_t axis) const {
  if (!value.has_value()) return std::nullopt;
  const Type& type = graph_.values[static_cast<size_t>(*value)].type;
  if (!type.has_shape()) return std::nullopt;
  const auto rank = static_cast<int64_t>(type.shape->size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  for (int64_t i = 0; i < axis; ++i) {
    if (!(*type.shape)[static_cast<size_t>(i)].Equals(Dim(1))) {
      return std::nullopt;
    }
  }
  return static_cast<size_t>(axis);
}

void ShareRuleBuilder::AddInPlace() {
  const ModelNode& node = context_.node();
  const InPlaceRow* row = FindRow(kInPlace, node);
  if (row == nullptr || !context_.HasOutput(0)) return;
  if (node.op_type == "BatchNormalization" &&
      BatchNormalizationTrains(context_)) {
    return;
  }
  const size_t first =
      row->input == kAllInputs ? 0 : static_cast<size_t>(row->input);
  const size_t last = row->input == kAllInputs ? node.inputs.size() : first + 1;
  for (size_t i = first; i < last; ++i) {
    if (!context_.HasInput(i)) continue;
    rules_.push_back(
        {*node.outputs[0], *node.inputs[i], SharingKind::kInPlace, 0});
  }
}

// Concat's inputs lie side by side in its output where nothing but ones is
// before the axis.
void ShareRuleBuilder::AddPartsOfConcat() {
  const ModelNode& node = context_.node();
  const int64_t axis = context_.Int("axis", context_.opset() < 4 ? 1 : 0);
  if (!context_.HasOutput(0) || !ContiguousAxis(node.outputs[0], axis)) return;
  int64_t offset = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const std::optional<int64_t> bytes = BytesOf(node.inputs[i]);
    if (!bytes.has_value()) return;
    rules_.push_back(
        {*node.inputs[i], *node.outputs[0], SharingKind::kPart, offset});
    offset += *bytes;
  }
}

void ShareRuleBuilder::AddPartsOfSplit() {
  const ModelNode& node = context_.node();
  if (!context_.HasInput(0) ||
      !ContiguousAxis(node.inputs[0], context_.Int("axis", 0))) {
    return;
  }
  int64_t offset = 0;
  for (const std::optional<ValueIndex>& output : node.outputs) {
    const std::optional<int64_t> bytes = BytesOf(output);
    if (!bytes.has_value())
      return;  // also an absent output: its size is not at hand
    rules_.push_back({*output, *node.inputs[0], SharingKind::kPart, offset});
    offset += *bytes;
  }
}

std::vector<ShareRule> ShareRuleBuilder::Build() {
  const ModelNode& node = context_.node();
  if (FindRow(kViews, node) != nullptr && context_.HasInput(0) &&
      context_.HasOutput(0) &&
      !(node.op_type == "Dropout" && DropoutTrains(context_))) {
    rules_.push_back(
        {*node.outputs[0], *node.inputs[0], SharingKind::kView, 0});
  }
  AddInPlace();
  if (node.domain.empty() && node.op_type == "Concat") AddPartsOfConcat();
  if (node.domain.empty() && node.op_type == "Split") AddPartsOfSplit();
  return std::move(rules_);
}

}  // namespace

std::vector<ShareRule> ShareRulesOf(const ModelGraph& graph, NodeIndex node) {
  return ShareRuleBuilder(graph, node).Build();
}

}  // namespace memplan
