// A call of a function, of the model or of the specification, is replaced by
// the function's nodes: its formal inputs and outputs are other names for the
// caller's values, everything else gets values in a scope of the call.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/graph_builder.h"
#include "onnx_frontend/newer_fields.h"

namespace memplan {

// A function's attribute may stand for one of the call's; null where the call
// has none.
const onnx::AttributeProto* GraphBuilder::Resolve(
    const onnx::AttributeProto& proto, const Call& call) const {
  if (proto.ref_attr_name().empty() || call.attributes == nullptr) {
    return &proto;
  }
  const auto it = call.attributes->find(proto.ref_attr_name());
  return it == call.attributes->end() ? nullptr : it->second;
}

absl::Status GraphBuilder::InlineFunction(
    const onnx::FunctionProto& function,
    const std::vector<onnx::AttributeProto>& defaults,
    const onnx::NodeProto& node, int64_t file_index, const Place& place,
    const Environment& names, const Call& call) {
  Place inner = place;
  inner.scope =
      JoinScopes(place.scope, absl::StrCat(file_index, ".", function.name()));
  inner.call = place.call.value_or(file_index);
  if (++inner.depth > kMaxDepth) {
    return absl::InvalidArgumentError(
        absl::StrCat("function '", function.name(), "' is called ", kMaxDepth,
                     " levels deep; does it call itself?"));
  }
  inlined_nodes_ += 1 + function.node_size();
  if (inlined_nodes_ > kMaxInlinedNodes) {
    return absl::InvalidArgumentError(
        absl::StrCat("function '", function.name(),
                     "': the model has more than ", kMaxInlinedNodes,
                     " nodes once its functions are inlined; do they call "
                     "each other more and more often?"));
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
absl::Status GraphBuilder::FinishOutputs(const onnx::FunctionProto& function,
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
const onnx::NodeProto* GraphBuilder::ProtoWithAttributes(
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

}  // namespace memplan
