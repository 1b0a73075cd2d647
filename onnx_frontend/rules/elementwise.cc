// Operators whose output elements each come from the elements at the same
// place, and others that keep their input's shape.

#include <string>
#include <utility>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

absl::Status LimitedBroadcastTo(NodeContext& node, ElementType element) {
  const Shape* a = node.shape(0);
  const Shape* b = node.shape(1);
  const bool may_differ = node.Int("broadcast", 0) != 0;
  std::optional<Shape> result;
  if (a != nullptr && (may_differ || b == nullptr || a->size() > b->size())) {
    result = *a;
  } else if (a != nullptr && b != nullptr) {
    // Models that left `broadcast` out are run as if they came later.
    absl::StatusOr<Shape> both = BroadcastShapes(node, *a, *b);
    if (!both.ok()) return both.status();
    result = *std::move(both);
  }
  node.SetTensor(0, element, std::move(result));
  return absl::OkStatus();
}

// Until opset 6, the second input is broadcast to the first one's shape, with
// the attributes `broadcast` and `axis`; without them, the shapes are equal.
absl::Status LimitedBroadcast(NodeContext& node) {
  return LimitedBroadcastTo(node, FirstElement(node, {0, 1}));
}

absl::Status LimitedBroadcastToBool(NodeContext& node) {
  return LimitedBroadcastTo(node, ElementType::kBool);
}

// Until opset 7, Max, Mean, Min and Sum want equal shapes. Models that break
// this are run as if they came later.
absl::Status SameShapes(NodeContext& node) {
  std::vector<size_t> inputs;
  for (size_t i = 0; i < node.num_inputs(); ++i) inputs.push_back(i);
  absl::StatusOr<std::optional<Shape>> shape = MergeInputs(node, inputs);
  if (!shape.ok()) return Broadcast(node);
  node.SetTensor(0, FirstElement(node, {0, 1, 2}), *std::move(shape));
  return absl::OkStatus();
}

// Inputs: condition (bool), X, Y.
absl::Status Where(NodeContext& node) {
  absl::StatusOr<std::optional<Shape>> shape = BroadcastAllInputs(node);
  if (!shape.ok()) return shape.status();
  node.SetTensor(0, FirstElement(node, {1, 2}), *std::move(shape));
  return absl::OkStatus();
}

absl::Status SwiGlu(NodeContext& node) {
  absl::StatusOr<std::optional<Shape>> shape = MergeInputs(node, {0, 1});
  if (!shape.ok()) return shape.status();
  node.SetTensor(0, FirstElement(node, {0, 1}), *std::move(shape));
  return absl::OkStatus();
}

absl::Status CastToAttribute(NodeContext& node) {
  const ElementType to = ElementAttribute(node, "to", ElementType::kUndefined);
  if (to == ElementType::kUndefined) return node.Error("no attribute 'to'");
  node.SetTensor(0, to, node.input(0).shape);
  return absl::OkStatus();
}

// The names of TensorProto.DataType, which Cast took until opset 5.
ElementType ElementOfDataTypeName(std::string_view name) {
  static constexpr std::pair<std::string_view, ElementType> kNames[] = {
      {"FLOAT", ElementType::kFloat},
      {"UINT8", ElementType::kUint8},
      {"INT8", ElementType::kInt8},
      {"UINT16", ElementType::kUint16},
      {"INT16", ElementType::kInt16},
      {"INT32", ElementType::kInt32},
      {"INT64", ElementType::kInt64},
      {"STRING", ElementType::kString},
      {"BOOL", ElementType::kBool},
      {"FLOAT16", ElementType::kFloat16},
      {"DOUBLE", ElementType::kDouble},
      {"UINT32", ElementType::kUint32},
      {"UINT64", ElementType::kUint64},
      {"COMPLEX64", ElementType::kComplex64},
      {"COMPLEX128", ElementType::kComplex128},
  };
  for (const auto& [known, element] : kNames) {
    if (known == name) return element;
  }
  return ElementType::kUndefined;
}

absl::Status CastToName(NodeContext& node) {
  const ElementType to = ElementOfDataTypeName(node.String("to", ""));
  if (to == ElementType::kUndefined) return CastToAttribute(node);
  node.SetTensor(0, to, node.input(0).shape);
  return absl::OkStatus();
}

absl::Status BitCast(NodeContext& node) {
  const ElementType to = ElementAttribute(node, "to", ElementType::kUndefined);
  const ElementType from = node.element(0);
  if (from != ElementType::kUndefined && ElementBits(from) != ElementBits(to)) {
    return node.Error("the two element types are not of the same width");
  }
  return CastToAttribute(node);
}

absl::Status CastLike(NodeContext& node) {
  node.SetTensor(0, node.element(1), node.input(0).shape);
  return absl::OkStatus();
}

// `dtype` says the element type, else it is the input's.
absl::Status Bernoulli(NodeContext& node) {
  node.SetTensor(0, ElementAttribute(node, "dtype", node.element(0)),
                 node.input(0).shape);
  return absl::OkStatus();
}

// Output 1, the mask, has the data's element type until opset 9, and is bool
// from 10 on.
absl::Status Dropout(NodeContext& node) {
  node.SetOutput(0, node.input(0));
  const bool bool_mask = node.opset() >= 10;
  node.SetTensor(1, bool_mask ? ElementType::kBool : node.element(0),
                 node.input(0).shape);
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    // One input; what others there are (a slope, bounds, an axis) do not touch
    // the shape.
    {"", "Abs", 1, SameAsInput, "Operators.md#Abs"},
    {"", "Acos", 7, SameAsInput, "Operators.md#Acos"},
    {"", "Acosh", 9, SameAsInput, "Operators.md#Acosh"},
    {"", "Asin", 7, SameAsInput, "Operators.md#Asin"},
    {"", "Asinh", 9, SameAsInput, "Operators.md#Asinh"},
    {"", "Atan", 7, SameAsInput, "Operators.md#Atan"},
    {"", "Atanh", 9, SameAsInput, "Operators.md#Atanh"},
    {"", "BitwiseNot", 18, SameAsInput, "Operators.md#BitwiseNot"},
    {"", "Ceil", 1, SameAsInput, "Operators.md#Ceil"},
    {"", "Celu", 12, SameAsInput, "Operators.md#Celu"},
    {"", "Clip", 1, SameAsInput, "Operators.md#Clip"},
    {"", "Cos", 7, SameAsInput, "Operators.md#Cos"},
    {"", "Cosh", 9, SameAsInput, "Operators.md#Cosh"},
    {"", "CumProd", 26, SameAsInput, "Operators.md#CumProd"},
    {"", "CumSum", 11, SameAsInput, "Operators.md#CumSum"},
    {"", "Elu", 1, SameAsInput, "Operators.md#Elu"},
    {"", "Erf", 9, SameAsInput, "Operators.md#Erf"},
    {"", "Exp", 1, SameAsInput, "Operators.md#Exp"},
    {"", "Floor", 1, SameAsInput, "Operators.md#Floor"},
    {"", "Gelu", 20, SameAsInput, "Operators.md#Gelu"},
    {"", "HardSigmoid", 1, SameAsInput, "Operators.md#HardSigmoid"},
    {"", "HardSwish", 14, SameAsInput, "Operators.md#HardSwish"},
    {"", "Hardmax", 1, SameAsInput, "Operators.md#Hardmax"},
    {"", "Identity", 1, SameAsInput, "Operators.md#Identity"},
    {"", "LeakyRelu", 1, SameAsInput, "Operators.md#LeakyRelu"},
    {"", "Log", 1, SameAsInput, "Operators.md#Log"},
    {"", "LogSoftmax", 1, SameAsInput, "Operators.md#LogSoftmax"},
    {"", "Mish", 18, SameAsInput, "Operators.md#Mish"},
    {"", "Neg", 1, SameAsInput, "Operators.md#Neg"},
    {"", "Not", 1, SameAsInput, "Operators.md#Not"},
    {"", "PRelu", 1, SameAsInput, "Operators.md#PRelu"},
    {"", "Reciprocal", 1, SameAsInput, "Operators.md#Reciprocal"},
    {"", "Relu", 1, SameAsInput, "Operators.md#Relu"},
    {"", "ReverseSequence", 10, SameAsInput, "Operators.md#ReverseSequence"},
    {"", "Round", 11, SameAsInput, "Operators.md#Round"},
    {"", "Selu", 1, SameAsInput, "Operators.md#Selu"},
    {"", "Shrink", 9, SameAsInput, "Operators.md#Shrink"},
    {"", "Sigmoid", 1, SameAsInput, "Operators.md#Sigmoid"},
    {"", "Sign", 9, SameAsInput, "Operators.md#Sign"},
    {"", "Sin", 7, SameAsInput, "Operators.md#Sin"},
    {"", "Sinh", 9, SameAsInput, "Operators.md#Sinh"},
    {"", "Softmax", 1, SameAsInput, "Operators.md#Softmax"},
    {"", "Softplus", 1, SameAsInput, "Operators.md#Softplus"},
    {"", "Softsign", 1, SameAsInput, "Operators.md#Softsign"},
    {"", "Sqrt", 1, SameAsInput, "Operators.md#Sqrt"},
    {"", "Swish", 24, SameAsInput, "Operators.md#Swish"},
    {"", "Tan", 7, SameAsInput, "Operators.md#Tan"},
    {"", "Tanh", 1, SameAsInput, "Operators.md#Tanh"},
    {"", "ThresholdedRelu", 10, SameAsInput, "Operators.md#ThresholdedRelu"},
    {"", "Trilu", 14, SameAsInput, "Operators.md#Trilu"},
    // Several inputs.
    {"", "Add", 1, LimitedBroadcast, "Changelog.md#Add-1"},
    {"", "Add", 7, Broadcast, "Operators.md#Add"},
    {"", "Div", 1, LimitedBroadcast, "Changelog.md#Div-1"},
    {"", "Div", 7, Broadcast, "Operators.md#Div"},
    {"", "Mul", 1, LimitedBroadcast, "Changelog.md#Mul-1"},
    {"", "Mul", 7, Broadcast, "Operators.md#Mul"},
    {"", "Sub", 1, LimitedBroadcast, "Changelog.md#Sub-1"},
    {"", "Sub", 7, Broadcast, "Operators.md#Sub"},
    {"", "Pow", 1, LimitedBroadcast, "Changelog.md#Pow-1"},
    {"", "Pow", 7, Broadcast, "Operators.md#Pow"},
    {"", "And", 1, LimitedBroadcastToBool, "Changelog.md#And-1"},
    {"", "And", 7, BroadcastToBool, "Operators.md#And"},
    {"", "Equal", 1, LimitedBroadcastToBool, "Changelog.md#Equal-1"},
    {"", "Equal", 7, BroadcastToBool, "Operators.md#Equal"},
    {"", "Greater", 1, LimitedBroadcastToBool, "Changelog.md#Greater-1"},
    {"", "Greater", 7, BroadcastToBool, "Operators.md#Greater"},
    {"", "Less", 1, LimitedBroadcastToBool, "Changelog.md#Less-1"},
    {"", "Less", 7, BroadcastToBool, "Operators.md#Less"},
    {"", "Or", 1, LimitedBroadcastToBool, "Changelog.md#Or-1"},
    {"", "Or", 7, BroadcastToBool, "Operators.md#Or"},
    {"", "Xor", 1, LimitedBroadcastToBool, "Changelog.md#Xor-1"},
    {"", "Xor", 7, BroadcastToBool, "Operators.md#Xor"},
    {"", "GreaterOrEqual", 12, BroadcastToBool, "Operators.md#GreaterOrEqual"},
    {"", "LessOrEqual", 12, BroadcastToBool, "Operators.md#LessOrEqual"},
    {"", "BitShift", 11, Broadcast, "Operators.md#BitShift"},
    {"", "BitwiseAnd", 18, Broadcast, "Operators.md#BitwiseAnd"},
    {"", "BitwiseOr", 18, Broadcast, "Operators.md#BitwiseOr"},
    {"", "BitwiseXor", 18, Broadcast, "Operators.md#BitwiseXor"},
    {"", "Mod", 10, Broadcast, "Operators.md#Mod"},
    {"", "Max", 1, SameShapes, "Changelog.md#Max-6"},
    {"", "Max", 8, Broadcast, "Operators.md#Max"},
    {"", "Mean", 1, SameShapes, "Changelog.md#Mean-6"},
    {"", "Mean", 8, Broadcast, "Operators.md#Mean"},
    {"", "Min", 1, SameShapes, "Changelog.md#Min-6"},
    {"", "Min", 8, Broadcast, "Operators.md#Min"},
    {"", "Sum", 1, SameShapes, "Changelog.md#Sum-6"},
    {"", "Sum", 8, Broadcast, "Operators.md#Sum"},
    // With an element type of their own.
    {"", "Bernoulli", 15, Bernoulli, "Operators.md#Bernoulli"},
    {"", "BitCast", 26, BitCast, "Operators.md#BitCast"},
    {"", "Cast", 1, CastToName, "Changelog.md#Cast-1"},
    {"", "Cast", 6, CastToAttribute, "Operators.md#Cast"},
    {"", "CastLike", 15, CastLike, "Operators.md#CastLike"},
    {"", "Dropout", 1, Dropout, "Operators.md#Dropout"},
    {"", "IsInf", 10, SameShapeBool, "Operators.md#IsInf"},
    {"", "IsNaN", 9, SameShapeBool, "Operators.md#IsNaN"},
    {"", "SwiGLU", 28, SwiGlu, "Operators.md#SwiGLU"},
    {"", "Where", 9, Where, "Operators.md#Where"},
};

}  // namespace

absl::Span<const RuleRow> ElementwiseRules() { return kRows; }

}  // namespace memplan
