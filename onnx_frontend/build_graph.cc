// From names to indices. Each graph of the file is walked twice: first every
// name that it defines (inputs, initializers, node outputs) gets its value,
// then every node looks its inputs up, its own graph first, then the graphs
// around it. So a file may list its nodes in any order; sort_nodes.cc puts them
// in one that can run.
//
// A call of a model-local function is replaced by the function's nodes: its
// formal inputs and outputs are other names for the caller's values, everything
// else gets values in a scope of the call.
#include "onnx_frontend/build_graph.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/from_proto.h"
#include "onnx_frontend/newer_fields.h"
#include "onnx_frontend/sort_nodes.h"

namespace memplan {
namespace {

// protobuf reads no more than a hundred nested messages, four a level of body;
// functions may call functions, but nobody needs this many.
constexpr int kMaxDepth = 64;
// Functions that call functions twice grow without bound; no real model comes
// near.
constexpr size_t kMaxNodes = 20'000'000;

// What a name stands for: a value, or, for a function's input that the caller
// leaves out, nothing.
using Binding = std::optional<ValueIndex>;
using Names = absl::flat_hash_map<std::string, Binding>;
using AttributeMap =
    absl::flat_hash_map<std::string, const onnx::AttributeProto*>;
using Opsets = absl::flat_hash_map<std::string, int64_t>;

// Where names are looked up: a graph's own, then those of the graphs around it.
// Inside a function the chain ends at the function.
struct Environment {
  const Environment* parent = nullptr;
  Names names;
  // A function's outputs that no node has produced yet: the caller's values (or
  // nothing).
  Names formal_outputs;
};

// What holds inside one function call, or in the model outside of any.
struct Call {
  const Opsets* opsets = nullptr;
  const AttributeMap* attributes =
      nullptr;  // of the call; null outside of functions
};

// The place that new values and nodes go to.
struct Place {
  BodyIndex body = 0;
  std::string scope;
  int depth = 0;
};

std::string NormalizedDomain(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

template <typename Imports>
Opsets OpsetsOf(const Imports& imports) {
  Opsets opsets;
  for (const onnx::OperatorSetIdProto& import : imports) {
    opsets[NormalizedDomain(import.domain())] = import.version();
  }
  return opsets;
}

std::string FunctionKey(const std::string& domain, const std::string& name,
                        const std::string& overload) {
  return absl::StrCat(NormalizedDomain(domain), "\n", name, "\n", overload);
}

std::string Join(const std::string& scope, const std::string& part) {
  return scope.empty() ? part : absl::StrCat(scope, "/", part);
}

std::string Describe(const onnx::NodeProto& node, int64_t index) {
  if (!node.name().empty()) {
    return absl::StrCat("node '", node.name(), "' (", node.op_type(), ")");
  }
  return absl::StrCat("node ", index, " (", node.op_type(), ")");
}

std::string InScope(const std::string& scope) {
  return scope.empty() ? "" : absl::StrCat(" in '", scope, "'");
}

bool IsConstant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" &&
         NormalizedDomain(node.domain()).empty();
}

class Builder {
 public:
  explicit Builder(const onnx::ModelProto& model) : model_(model) {}

  absl::StatusOr<ModelGraph> Build();

 private:
  absl::Status AddGraph(const onnx::GraphProto& proto, const Place& place,
                        const Environment* parent, const Call& call);
  absl::Status DefineInputs(const onnx::GraphProto& proto, const Place& place,
                            Environment& names);
  absl::Status DefineInitializers(const onnx::GraphProto& proto,
                                  const Place& place, Environment& names);
  void Declare(const onnx::ValueInfoProto& info, const Environment& names);
  absl::Status ResolveOutputs(const onnx::GraphProto& proto, const Place& place,
                              const Environment& names);

  template <typename Nodes>
  absl::Status AddNodes(const Nodes& nodes, const Place& place,
                        Environment& names, const Call& call);
  absl::Status DefineOutputs(const onnx::NodeProto& proto, int64_t file_index,
                             const Place& place, const Call& call,
                             Environment& names);
  absl::Status AddNode(const onnx::NodeProto& proto, int64_t file_index,
                       const Place& place, const Environment& names,
                       const Call& call);
  absl::Status ResolveInputs(const onnx::NodeProto& proto, int64_t file_index,
                             const Place& place, const Environment& names,
                             ModelNode& node) const;
  absl::Status Append(ModelNode node, const Place& place);
  absl::Status AddAttributes(const onnx::NodeProto& proto, const Place& place,
                             const Environment& names, const Call& call,
                             ModelNode& node);
  absl::StatusOr<BodyIndex> AddBody(const onnx::GraphProto& proto,
                                    const std::string& attribute,
                                    const Place& place,
                                    const Environment& names, const Call& call,
                                    int64_t file_index);
  absl::Status InlineFunction(const onnx::FunctionProto& function,
                              const onnx::NodeProto& node, int64_t file_index,
                              const Place& place, const Environment& names,
                              const Call& call);
  absl::Status FinishOutputs(const onnx::FunctionProto& function,
                             const Environment& formal, const Place& place);

  const onnx::AttributeProto* Resolve(const onnx::AttributeProto& proto,
                                      const Call& call) const;
  const onnx::NodeProto* ProtoWithAttributes(const onnx::NodeProto& proto,
                                             const Call& call);
  ValueIndex AddValue(const std::string& name, const Place& place,
                      ValueKind kind);
  ModelValue& value(ValueIndex index) {
    return graph_.values[static_cast<size_t>(index)];
  }
  ModelBody& body(const Place& place) {
    return graph_.bodies[static_cast<size_t>(place.body)];
  }

  const onnx::ModelProto& model_;
  ModelGraph graph_;
  absl::flat_hash_map<std::string, const onnx::FunctionProto*> functions_;
  std::shared_ptr<std::deque<onnx::NodeProto>> owned_protos_ =
      std::make_shared<std::deque<onnx::NodeProto>>();
};

// Unset: nobody knows the name.
std::optional<Binding> Find(const Environment* names, const std::string& name) {
  for (; names != nullptr; names = names->parent) {
    const auto it = names->names.find(name);
    if (it != names->names.end()) return it->second;
  }
  return std::nullopt;
}

ValueIndex Builder::AddValue(const std::string& name, const Place& place,
                             ValueKind kind) {
  ModelValue added;
  added.name = name;
  added.scope = place.scope;
  added.kind = kind;
  graph_.values.push_back(std::move(added));
  return static_cast<ValueIndex>(graph_.values.size() - 1);
}

absl::StatusOr<ModelGraph> Builder::Build() {
  graph_.ir_version = model_.ir_version();
  Opsets opsets = OpsetsOf(model_.opset_import());
  // IR below 3 had no opset imports; its operators are those of version 1.
  opsets.try_emplace("", 1);
  for (const auto& [domain, version] : opsets) graph_.opsets[domain] = version;
  for (const onnx::FunctionProto& function : model_.functions()) {
    functions_[FunctionKey(function.domain(), function.name(),
                           FunctionOverload(function))] = &function;
  }
  graph_.bodies.emplace_back();
  const absl::Status added =
      AddGraph(model_.graph(), Place{}, nullptr, Call{&opsets, nullptr});
  if (!added.ok()) return added;
  const absl::Status sorted = SortNodes(graph_);
  if (!sorted.ok()) return sorted;
  graph_.owned_protos = owned_protos_;
  return std::move(graph_);
}

absl::Status Builder::AddGraph(const onnx::GraphProto& proto,
                               const Place& place, const Environment* parent,
                               const Call& call) {
  if (place.depth > kMaxDepth) {
    return absl::InvalidArgumentError(absl::StrCat("bodies nest deeper than ",
                                                   kMaxDepth, " levels",
                                                   InScope(place.scope)));
  }
  Environment names;
  names.parent = parent;
  absl::Status status = DefineInputs(proto, place, names);
  if (status.ok()) status = DefineInitializers(proto, place, names);
  if (status.ok()) status = AddNodes(proto.node(), place, names, call);
  if (!status.ok()) return status;
  for (const onnx::ValueInfoProto& info : proto.value_info()) {
    Declare(info, names);
  }
  for (const onnx::ValueInfoProto& info : proto.output()) Declare(info, names);
  return ResolveOutputs(proto, place, names);
}

absl::Status Builder::DefineInputs(const onnx::GraphProto& proto,
                                   const Place& place, Environment& names) {
  const bool is_main = place.body == 0;
  for (const onnx::ValueInfoProto& input : proto.input()) {
    const ValueIndex added =
        AddValue(input.name(), place,
                 is_main ? ValueKind::kInput : ValueKind::kIntermediate);
    value(added).is_graph_input = is_main;
    value(added).declared = TypeFromProto(input.type());
    body(place).inputs.push_back(added);
    if (input.name().empty()) continue;  // a body may not care for an input
    if (!names.names.emplace(input.name(), added).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "input '", input.name(), "' is listed twice", InScope(place.scope)));
    }
  }
  return absl::OkStatus();
}

absl::Status Builder::DefineInitializers(const onnx::GraphProto& proto,
                                         const Place& place,
                                         Environment& names) {
  const auto define = [&](const std::string& name, Type type,
                          std::optional<TensorValue> content) {
    if (name.empty()) return;
    auto [it, is_new] = names.names.try_emplace(name, 0);
    if (is_new) it->second = AddValue(name, place, ValueKind::kInitializer);
    ModelValue& defined = value(*it->second);
    if (!is_new && defined.kind == ValueKind::kInitializer) {
      graph_.warnings.push_back(
          absl::StrCat("initializer '", name, "' is there twice",
                       InScope(place.scope), "; the last one is used"));
    }
    // Below IR 4 an initializer had to be an input, too, and is a constant all
    // the same.
    defined.is_overridable = defined.is_graph_input && graph_.ir_version >= 4;
    defined.kind = ValueKind::kInitializer;
    defined.type = std::move(type);
    defined.value = std::move(content);
  };
  for (const onnx::TensorProto& tensor : proto.initializer()) {
    define(tensor.name(), TypeOfTensor(tensor), ValueOfTensor(tensor));
  }
  for (const onnx::SparseTensorProto& tensor : proto.sparse_initializer()) {
    define(tensor.values().name(), TypeOfSparseTensor(tensor), std::nullopt);
  }
  return absl::OkStatus();
}

void Builder::Declare(const onnx::ValueInfoProto& info,
                      const Environment& names) {
  const auto it = names.names.find(info.name());
  if (it == names.names.end()) return;  // about no value of this graph
  Type declared = TypeFromProto(info.type());
  if (declared.kind == Type::Kind::kUnknown) return;
  ModelValue& about = value(*it->second);
  if (about.declared.has_shape() && !declared.has_shape()) return;
  about.declared = std::move(declared);
}

absl::Status Builder::ResolveOutputs(const onnx::GraphProto& proto,
                                     const Place& place,
                                     const Environment& names) {
  for (const onnx::ValueInfoProto& output : proto.output()) {
    const Binding found = Find(&names, output.name()).value_or(std::nullopt);
    if (!found.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("output '", output.name(), "'", InScope(place.scope),
                       " is produced by no node; is the file whole?"));
    }
    body(place).outputs.push_back(*found);
    if (place.body == 0) {
      value(*found).is_graph_output = true;
      if (value(*found).kind == ValueKind::kIntermediate) {
        value(*found).kind = ValueKind::kOutput;
      }
    }
  }
  return absl::OkStatus();
}

template <typename Nodes>
absl::Status Builder::AddNodes(const Nodes& nodes, const Place& place,
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

absl::Status Builder::DefineOutputs(const onnx::NodeProto& proto,
                                    int64_t file_index, const Place& place,
                                    const Call& call, Environment& names) {
  for (const std::string& name : proto.output()) {
    if (name.empty()) continue;
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
    for (const onnx::AttributeProto& attribute : proto.attribute()) {
      const onnx::AttributeProto* resolved = Resolve(attribute, call);
      if (resolved == nullptr) continue;
      auto [type, content] = ConstantFromAttribute(*resolved);
      if (type.kind == Type::Kind::kUnknown) continue;
      value(*defined).type = std::move(type);
      value(*defined).value = std::move(content);
    }
  }
  return absl::OkStatus();
}

absl::Status Builder::AddNode(const onnx::NodeProto& proto, int64_t file_index,
                              const Place& place, const Environment& names,
                              const Call& call) {
  const std::string domain = NormalizedDomain(proto.domain());
  if (proto.op_type().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("node ", file_index, InScope(place.scope),
                     " has no operator; is the file whole?"));
  }
  const auto function = functions_.find(
      FunctionKey(domain, proto.op_type(), NodeOverload(proto)));
  if (function != functions_.end()) {
    return InlineFunction(*function->second, proto, file_index, place, names,
                          call);
  }
  ModelNode node;
  node.name = proto.name();
  node.domain = domain;
  node.op_type = proto.op_type();
  const auto opset = call.opsets->find(domain);
  node.opset = opset == call.opsets->end() ? 0 : opset->second;
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
  return Append(std::move(node), place);
}

absl::Status Builder::Append(ModelNode node, const Place& place) {
  if (graph_.nodes.size() >= kMaxNodes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the model has more than ", kMaxNodes,
                     " nodes once its functions are inlined"));
  }
  graph_.nodes.push_back(std::move(node));
  body(place).nodes.push_back(static_cast<NodeIndex>(graph_.nodes.size() - 1));
  return absl::OkStatus();
}

absl::Status Builder::ResolveInputs(const onnx::NodeProto& proto,
                                    int64_t file_index, const Place& place,
                                    const Environment& names,
                                    ModelNode& node) const {
  for (const std::string& name : proto.input()) {
    if (name.empty()) {
      node.inputs.emplace_back();
      continue;
    }
    const std::optional<Binding> found = Find(&names, name);
    if (!found.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          Describe(proto, file_index), InScope(place.scope), ": its input '",
          name, "' is no input, no initializer, and no node's output"));
    }
    node.inputs.push_back(*found);
  }
  return absl::OkStatus();
}

// A function's attribute may stand for one of the call's; null where the call
// has none.
const onnx::AttributeProto* Builder::Resolve(const onnx::AttributeProto& proto,
                                             const Call& call) const {
  if (proto.ref_attr_name().empty() || call.attributes == nullptr) {
    return &proto;
  }
  const auto it = call.attributes->find(proto.ref_attr_name());
  return it == call.attributes->end() ? nullptr : it->second;
}

absl::Status Builder::AddAttributes(const onnx::NodeProto& proto,
                                    const Place& place,
                                    const Environment& names, const Call& call,
                                    ModelNode& node) {
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

absl::StatusOr<BodyIndex> Builder::AddBody(const onnx::GraphProto& proto,
                                           const std::string& attribute,
                                           const Place& place,
                                           const Environment& names,
                                           const Call& call,
                                           int64_t file_index) {
  Place inner;
  inner.body = static_cast<BodyIndex>(graph_.bodies.size());
  inner.scope = Join(place.scope, absl::StrCat(file_index, ".", attribute));
  inner.depth = place.depth + 1;
  ModelBody added;
  added.scope = inner.scope;
  added.attribute = attribute;
  graph_.bodies.push_back(std::move(added));
  const absl::Status status = AddGraph(proto, inner, &names, call);
  if (!status.ok()) return status;
  return inner.body;
}

absl::Status Builder::InlineFunction(const onnx::FunctionProto& function,
                                     const onnx::NodeProto& node,
                                     int64_t file_index, const Place& place,
                                     const Environment& names,
                                     const Call& call) {
  Place inner = place;
  inner.scope =
      Join(place.scope, absl::StrCat(file_index, ".", function.name()));
  if (++inner.depth > kMaxDepth) {
    return absl::InvalidArgumentError(
        absl::StrCat("function '", function.name(), "' is called ", kMaxDepth,
                     " levels deep; does it call itself?"));
  }
  Environment formal;
  ModelNode resolved;  // for its inputs alone
  absl::Status status = ResolveInputs(node, file_index, place, names, resolved);
  if (!status.ok()) return status;
  for (int i = 0; i < function.input_size(); ++i) {
    const auto slot = static_cast<size_t>(i);
    formal.names[function.input(i)] =
        slot < resolved.inputs.size() ? resolved.inputs[slot] : std::nullopt;
  }
  for (int i = 0; i < function.output_size(); ++i) {
    const bool wanted = i < node.output_size() && !node.output(i).empty();
    formal.formal_outputs[function.output(i)] =
        wanted ? names.names.find(node.output(i))->second : std::nullopt;
  }

  const std::vector<onnx::AttributeProto> defaults =
      DefaultAttributes(function);
  AttributeMap attributes;
  for (const onnx::AttributeProto& attribute : defaults) {
    attributes[attribute.name()] = &attribute;
  }
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const onnx::AttributeProto* given = Resolve(attribute, call);
    if (given != nullptr) attributes[attribute.name()] = given;
  }
  Opsets opsets = OpsetsOf(function.opset_import());
  if (opsets.empty()) opsets = *call.opsets;
  status = AddNodes(function.node(), inner, formal, Call{&opsets, &attributes});
  if (!status.ok()) return status;
  return FinishOutputs(function, formal, inner);
}

// What no node of the function produces must be one of its inputs, passed
// through.
absl::Status Builder::FinishOutputs(const onnx::FunctionProto& function,
                                    const Environment& formal,
                                    const Place& place) {
  for (const std::string& name : function.output()) {
    const auto open = formal.formal_outputs.find(name);
    if (open == formal.formal_outputs.end() || !open->second.has_value()) {
      continue;
    }
    const auto input = formal.names.find(name);
    if (input == formal.names.end() || !input->second.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("function '", function.name(), "': its output '", name,
                       "' is produced by no node of it"));
    }
    ModelNode identity;
    identity.op_type = "Identity";
    identity.opset = 13;
    identity.file_index = function.node_size();
    identity.inputs = {input->second};
    identity.outputs = {open->second};
    const absl::Status status = Append(std::move(identity), place);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// The node for the library's schemas: a copy with the call's attributes filled
// in where it names any.
const onnx::NodeProto* Builder::ProtoWithAttributes(
    const onnx::NodeProto& proto, const Call& call) {
  bool refers = false;
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    refers = refers || !attribute.ref_attr_name().empty();
  }
  if (!refers || call.attributes == nullptr) return &proto;
  onnx::NodeProto filled = proto;
  filled.clear_attribute();
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    const onnx::AttributeProto* resolved = Resolve(attribute, call);
    if (resolved == nullptr) continue;
    onnx::AttributeProto* added = filled.add_attribute();
    *added = *resolved;
    added->set_name(attribute.name());
  }
  owned_protos_->push_back(std::move(filled));
  return &owned_protos_->back();
}

}  // namespace

absl::StatusOr<ModelGraph> BuildGraph(const Model& model) {
  return Builder(*model.proto).Build();
}

}  // namespace memplan
