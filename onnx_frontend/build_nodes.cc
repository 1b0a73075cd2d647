#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/from_proto.h"
#include "onnx_frontend/graph_builder.h"
#include "onnx_frontend/newer_fields.h"
#include "onnx_frontend/schema_function.h"

namespace memplan {
namespace {

std::string Describe(const onnx::NodeProto& node, int64_t index) {
  if (!node.name().empty()) {
    return absl::StrCat("node '", node.name(), "' (", node.op_type(), ")");
  }
  return absl::StrCat("node ", index, " (", node.op_type(), ")");
}

bool IsConstant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" &&
         NormalizedDomain(node.domain()).empty();
}

}  // namespace

std::optional<Binding> FindName(const Environment* names,
                                const std::string& name) {
  for (; names != nullptr; names = names->parent) {
    const auto it = names->names.find(name);
    if (it != names->names.end()) return it->second;
  }
  return std::nullopt;
}
absl::Status GraphBuilder::AddNodes(const NodeProtos& nodes, const Place& place,
                                    Environment& names, const Call& call) {
  int64_t file_index = 0;
  for (const onnx::NodeProto& node : nodes) {
    const absl::Status status =
        DefineOutputs(node, file_index++, place, call, names);
    if (!status.ok()) return status;
  }
  file_index = 0;
  for (const onnx::NodeProto& node : nodes) {
    const int64_t index = file_index++;
    if (IsConstant(node)) continue;
    const absl::Status status = AddNode(node, index, place, names, call);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status GraphBuilder::DefineOutputs(const onnx::NodeProto& proto,
                                         int64_t file_index, const Place& place,
                                         const Call& call, Environment& names) {
  for (const std::string& name : proto.output()) {
    if (name.empty()) continue;
    const auto earlier = names.names.find(name);
    if (IsConstant(proto) && earlier != names.names.end() &&
        IsInitializer(earlier->second)) {
      // As for initializers: no runtime minds.
      graph_.warnings.push_back(
          absl::StrCat("constant '", name, "' is there twice",
                       InScope(place.scope), "; the last one is used"));
      SetConstant(proto, call, value(*earlier->second));
      continue;
    }
    Binding defined;
    const auto formal = names.formal_outputs.find(name);
    if (formal != names.formal_outputs.end()) {
      defined = formal->second;
      names.formal_outputs.erase(formal);
    }
    if (!defined.has_value()) {
      defined = AddValue(name, place, ValueKind::kIntermediate);
    }
    if (!names.names.try_emplace(name, defined).second) {
      return absl::InvalidArgumentError(
          absl::StrCat(Describe(proto, file_index), InScope(place.scope), ": '",
                       name, "' is defined twice; a value has one producer"));
    }
    if (!IsConstant(proto)) continue;
    value(*defined).kind = ValueKind::kInitializer;
    SetConstant(proto, call, value(*defined));
  }
  return absl::OkStatus();
}

bool GraphBuilder::IsInitializer(const Binding& binding) {
  return binding.has_value() && value(*binding).kind == ValueKind::kInitializer;
}

void GraphBuilder::SetConstant(const onnx::NodeProto& proto, const Call& call,
                               ModelValue& constant) {
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    const onnx::AttributeProto* resolved = Resolve(attribute, call);
    if (resolved == nullptr) continue;
    auto [type, content] = ConstantFromAttribute(*resolved);
    if (type.kind == Type::Kind::kUnknown) continue;
    constant.type = std::move(type);
    constant.value = std::move(content);
  }
}

absl::Status GraphBuilder::AddNode(const onnx::NodeProto& proto,
                                   int64_t file_index, const Place& place,
                                   const Environment& names, const Call& call) {
  const std::string domain = NormalizedDomain(proto.domain());
  if (proto.op_type().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("node ", file_index, InScope(place.scope),
                     " has no operator; is the file whole?"));
  }
  const auto function = functions_.find(
      FunctionKey(domain, proto.op_type(), NodeOverload(proto)));
  if (function != functions_.end()) {
    return InlineFunction(*function->second,
                          DefaultAttributes(*function->second), proto,
                          file_index, place, names, call);
  }
  if (expansions_ != nullptr) {
    if (const auto it = expansions_->find(&proto); it != expansions_->end()) {
      return InlineFunction(*it->second.body, *it->second.defaults, proto,
                            file_index, place, names, call);
    }
  }
  const auto opset = call.opsets->find(domain);
  // Runtimes take an operator of a domain that the model forgets to import for
  // version 1.
  const int64_t version = opset == call.opsets->end() ? 1 : opset->second;
  if (!has_rule_(domain, proto.op_type(), version)) {
    if (const auto expanded =
            FindSchemaFunction(domain, proto.op_type(), version)) {
      return InlineFunction(*expanded->body, expanded->defaults, proto,
                            file_index, place, names, call);
    }
  }
  ModelNode node;
  node.name = proto.name();
  node.domain = domain;
  node.op_type = proto.op_type();
  node.opset = version;
  node.file_index = file_index;
  absl::Status status = ResolveInputs(proto, file_index, place, names, node);
  if (!status.ok()) return status;
  for (const std::string& name : proto.output()) {
    node.outputs.push_back(name.empty() ? std::nullopt
                                        : names.names.find(name)->second);
  }
  status = AddAttributes(proto, place, names, call, node);
  if (!status.ok()) return status;
  node.proto = ProtoWithAttributes(proto, call);
  node.source = &proto;
  return Append(std::move(node), place);
}

absl::Status GraphBuilder::Append(ModelNode node, const Place& place) {
  node.file_slot = place.call.value_or(node.file_index);
  if (place.call && expansions_ != nullptr) {
    node.file_slot = kBehindTheFile + static_cast<int64_t>(graph_.nodes.size());
  }
  graph_.nodes.push_back(std::move(node));
  body(place).nodes.push_back(static_cast<NodeIndex>(graph_.nodes.size() - 1));
  return absl::OkStatus();
}

absl::Status GraphBuilder::ResolveInputs(const onnx::NodeProto& proto,
                                         int64_t file_index, const Place& place,
                                         const Environment& names,
                                         ModelNode& node) const {
  for (const std::string& name : proto.input()) {
    if (name.empty()) {
      node.inputs.emplace_back();
      continue;
    }
    const std::optional<Binding> found = FindName(&names, name);
    if (!found.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          Describe(proto, file_index), InScope(place.scope), ": its input '",
          name, "' is no input, no initializer, and no node's output"));
    }
    node.inputs.push_back(*found);
  }
  return absl::OkStatus();
}

absl::Status GraphBuilder::AddAttributes(const onnx::NodeProto& proto,
                                         const Place& place,
                                         const Environment& names,
                                         const Call& call, ModelNode& node) {
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    const onnx::AttributeProto* resolved = Resolve(attribute, call);
    if (resolved == nullptr) continue;
    const std::string& name = attribute.name();
    const auto kind = KindOfAttribute(*resolved);
    if (kind == onnx::AttributeProto::GRAPH) {
      const absl::StatusOr<BodyIndex> added =
          AddBody(resolved->g(), name, place, names, call, node.file_index);
      if (!added.ok()) return added.status();
      node.bodies.push_back(*added);
      node.attributes.push_back({name, BodyAttribute{*added}});
    } else if (kind == onnx::AttributeProto::GRAPHS) {
      std::vector<BodyAttribute> bodies;
      for (int i = 0; i < resolved->graphs_size(); ++i) {
        const absl::StatusOr<BodyIndex> added =
            AddBody(resolved->graphs(i), absl::StrCat(name, "[", i, "]"), place,
                    names, call, node.file_index);
        if (!added.ok()) return added.status();
        node.bodies.push_back(*added);
        bodies.push_back({*added});
      }
      node.attributes.push_back({name, std::move(bodies)});
    } else if (std::optional<AttributeValue> held =
                   ValueOfAttribute(*resolved)) {
      node.attributes.push_back({name, std::move(*held)});
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<BodyIndex> GraphBuilder::AddBody(const onnx::GraphProto& proto,
                                                const std::string& attribute,
                                                const Place& place,
                                                const Environment& names,
                                                const Call& call,
                                                int64_t file_index) {
  Place inner;
  inner.body = static_cast<BodyIndex>(graph_.bodies.size());
  inner.scope =
      JoinScopes(place.scope, absl::StrCat(file_index, ".", attribute));
  inner.depth = place.depth + 1;
  ModelBody added;
  added.scope = inner.scope;
  added.attribute = attribute;
  graph_.bodies.push_back(std::move(added));
  const absl::Status status = AddGraph(proto, inner, &names, call);
  if (!status.ok()) return status;
  return inner.body;
}

}  // namespace memplan
