#include "onnx_frontend/node_context.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "planner/strings.h"

namespace memplan {
namespace {

const Type kUnknownType;

// The attribute's value where it is of the asked type, else null.
template <typename T>
const T* As(const Attribute* attribute) {
  return attribute == nullptr ? nullptr : std::get_if<T>(&attribute->value);
}

template <typename T>
std::optional<T> Copy(const Attribute* attribute) {
  const T* value = As<T>(attribute);
  if (value == nullptr) return std::nullopt;
  return *value;
}

}  // namespace

const Attribute* NodeContext::Find(std::string_view name) const {
  for (const Attribute& attribute : node().attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

bool NodeContext::HasAttribute(std::string_view name) const {
  return Find(name) != nullptr;
}

int64_t NodeContext::Int(std::string_view name, int64_t otherwise) const {
  return Copy<int64_t>(Find(name)).value_or(otherwise);
}

float NodeContext::Float(std::string_view name, float otherwise) const {
  return Copy<float>(Find(name)).value_or(otherwise);
}

std::string NodeContext::String(std::string_view name,
                                std::string_view otherwise) const {
  return Copy<std::string>(Find(name)).value_or(std::string(otherwise));
}

std::optional<std::vector<int64_t>> NodeContext::Ints(
    std::string_view name) const {
  return Copy<std::vector<int64_t>>(Find(name));
}

std::optional<std::vector<float>> NodeContext::Floats(
    std::string_view name) const {
  return Copy<std::vector<float>>(Find(name));
}

std::optional<std::vector<std::string>> NodeContext::Strings(
    std::string_view name) const {
  return Copy<std::vector<std::string>>(Find(name));
}

const TensorAttribute* NodeContext::Tensor(std::string_view name) const {
  return As<TensorAttribute>(Find(name));
}

const Type* NodeContext::TypeAttribute(std::string_view name) const {
  return As<Type>(Find(name));
}

std::optional<BodyIndex> NodeContext::Body(std::string_view name) const {
  const BodyAttribute* body = As<BodyAttribute>(Find(name));
  if (body == nullptr) return std::nullopt;
  return body->body;
}

const ModelValue* NodeContext::InputValue(size_t i) const {
  if (!HasInput(i)) return nullptr;
  return &graph_.values[static_cast<size_t>(*node().inputs[i])];
}

ModelValue* NodeContext::OutputValue(size_t i) const {
  if (!HasOutput(i)) return nullptr;
  return &graph_.values[static_cast<size_t>(*node().outputs[i])];
}

const Type& NodeContext::input(size_t i) const {
  const ModelValue* value = InputValue(i);
  return value == nullptr ? kUnknownType : value->type;
}

const Shape* NodeContext::shape(size_t i) const {
  const Type& type = input(i);
  return type.has_shape() ? &*type.shape : nullptr;
}

const TensorValue* NodeContext::PartlyKnownValue(size_t i) const {
  const ModelValue* value = InputValue(i);
  return value != nullptr && value->value.has_value() ? &*value->value
                                                      : nullptr;
}

const TensorValue* NodeContext::value(size_t i) const {
  const TensorValue* content = PartlyKnownValue(i);
  return content != nullptr && content->is_partly_known_float() ? nullptr
                                                                : content;
}

std::optional<std::vector<int64_t>> NodeContext::IntsOf(size_t i) const {
  const TensorValue* content = value(i);
  if (content == nullptr) return std::nullopt;
  return KnownInts(*content);
}

std::string NodeContext::InputName(size_t i) const {
  const ModelValue* value = InputValue(i);
  return value == nullptr ? "" : value->name;
}

void NodeContext::SetOutput(size_t i, Type type) {
  ModelValue* value = OutputValue(i);
  if (value != nullptr) value->type = std::move(type);
}

void NodeContext::SetValue(size_t i, TensorValue content) {
  ModelValue* value = OutputValue(i);
  if (value == nullptr) return;
  value->type = Type::Tensor(content.element,
                             Shape(content.shape.begin(), content.shape.end()));
  if (content.size() <= kMaxKnownElements) value->value = std::move(content);
}

const Type& NodeContext::output(size_t i) const {
  const ModelValue* value = OutputValue(i);
  return value == nullptr ? kUnknownType : value->type;
}

const Type& NodeContext::declared_output(size_t i) const {
  const ModelValue* value = OutputValue(i);
  return value == nullptr ? kUnknownType : value->declared;
}

void NodeContext::SetUnknown(size_t i, std::string_view reason) {
  ModelValue* value = OutputValue(i);
  if (value == nullptr) return;
  value->unknown_reason = std::string(reason);
  value->unknown_node = NodeLabel(graph_, node_);
}

void NodeContext::LeaveToModel(size_t i, std::string_view reason) {
  SetUnknown(i, reason);
  if (ModelValue* value = OutputValue(i); value != nullptr) {
    value->unknown_operator = true;
  }
}

// Unlike the names of nodes, those of values are unique within their scope.
std::string NodeContext::OutputLabel() const {
  for (size_t i = 0; i < num_outputs(); ++i) {
    const ModelValue* value = OutputValue(i);
    if (value == nullptr) continue;
    if (value->scope.empty()) return value->name;
    return absl::StrCat(value->scope, "/", value->name);
  }
  return NodeLabel(graph_, node_);
}

Dim NodeContext::DataDependentDim(std::string_view what, const Dim& at_most) {
  const std::string symbol =
      absl::StrCat(AsAbsl(what), "(", OutputLabel(), ")");
  const auto range_of =
      [this](
          std::string_view name) -> std::optional<std::pair<int64_t, int64_t>> {
    const auto it = graph_.symbol_ranges.find(name);
    if (it == graph_.symbol_ranges.end()) return std::nullopt;
    return it->second;
  };
  const std::optional<int64_t> limit = at_most.UpperBound(range_of);
  if (limit.has_value() && *limit >= 0) {
    graph_.symbol_ranges[symbol] = {0, *limit};
  } else {
    graph_.symbol_ranges.erase(symbol);
    graph_.unbounded_symbols[symbol] = NodeLabel(graph_, node_);
  }
  return Dim::Symbol(symbol);
}

absl::Status NodeContext::Error(std::string_view message) const {
  return absl::InvalidArgumentError(
      absl::StrCat("node '", NodeLabel(graph_, node_), "' (", op_type(),
                   "): ", AsAbsl(message)));
}

std::string NodeLabel(const ModelGraph& graph, NodeIndex node) {
  const ModelNode& it = graph.nodes[static_cast<size_t>(node)];
  if (!it.name.empty()) return it.name;
  return absl::StrCat(it.op_type, "_", it.file_index);
}

}  // namespace memplan
