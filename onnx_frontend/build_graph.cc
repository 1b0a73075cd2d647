// From names to indices. Each graph of the file is walked twice: first every
// name that it defines (inputs, initializers, node outputs) gets its value,
// then every node looks its inputs up, its own graph first, then the graphs
// around it. So a file may list its nodes in any order; sort_nodes.cc puts them
// in one that can run. build_nodes.cc has the nodes, inline_function.cc the
// calls of functions.
#include "onnx_frontend/build_graph.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/from_proto.h"
#include "onnx_frontend/graph_builder.h"
#include "onnx_frontend/newer_fields.h"
#include "onnx_frontend/rule_table.h"
#include "onnx_frontend/sort_nodes.h"

namespace memplan {

std::string NormalizedDomain(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

Opsets OpsetsOf(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>&
        imports) {
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

std::string JoinScopes(const std::string& scope, const std::string& part) {
  return scope.empty() ? part : absl::StrCat(scope, "/", part);
}

std::string InScope(const std::string& scope) {
  return scope.empty() ? "" : absl::StrCat(" in '", scope, "'");
}

ValueIndex GraphBuilder::AddValue(const std::string& name, const Place& place,
                                  ValueKind kind) {
  ModelValue added;
  added.name = name;
  added.scope = place.scope;
  added.kind = kind;
  graph_.values.push_back(std::move(added));
  return static_cast<ValueIndex>(graph_.values.size() - 1);
}

absl::StatusOr<ModelGraph> GraphBuilder::Build() {
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

absl::Status GraphBuilder::AddGraph(const onnx::GraphProto& proto,
                                    const Place& place,
                                    const Environment* parent,
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

absl::Status GraphBuilder::DefineInputs(const onnx::GraphProto& proto,
                                        const Place& place,
                                        Environment& names) {
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

absl::Status GraphBuilder::DefineInitializers(const onnx::GraphProto& proto,
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

void GraphBuilder::Declare(const onnx::ValueInfoProto& info,
                           const Environment& names) {
  const auto it = names.names.find(info.name());
  if (it == names.names.end()) return;  // about no value of this graph
  Type declared = TypeFromProto(info.type());
  if (declared.kind == Type::Kind::kUnknown) return;
  ModelValue& about = value(*it->second);
  if (about.declared.has_shape() && !declared.has_shape()) return;
  about.declared = std::move(declared);
}

absl::Status GraphBuilder::ResolveOutputs(const onnx::GraphProto& proto,
                                          const Place& place,
                                          const Environment& names) {
  for (const onnx::ValueInfoProto& output : proto.output()) {
    const Binding found =
        FindName(&names, output.name()).value_or(std::nullopt);
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

namespace {

bool HasOwnRule(const std::string& domain, const std::string& op,
                int64_t opset) {
  return FindRule(domain, op, opset) != nullptr;
}

}  // namespace

absl::StatusOr<ModelGraph> BuildGraph(const Model& model) {
  return BuildGraph(model, HasOwnRule);
}

absl::StatusOr<ModelGraph> BuildGraph(const Model& model,
                                      const HasRule& has_rule) {
  return GraphBuilder(*model.proto, has_rule, nullptr).Build();
}

absl::StatusOr<ModelGraph> BuildGraph(const Model& model,
                                      const Expansions& expansions) {
  return GraphBuilder(*model.proto, HasOwnRule, &expansions).Build();
}

}  // namespace memplan
