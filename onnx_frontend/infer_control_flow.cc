// Types through bodies (ONNX Operators.md: If, Loop, Scan, SequenceMap). A body
// is inferred like the main graph once its inputs have types. For a Loop the
// inputs depend on the body's own outputs: the initial values' types go in, and
// whatever a visit changes is made more general until nothing changes. A
// dimension can only be given up once, so that ends soon.
// infer_loop.cc, infer_scan.cc and infer_sequence_map.cc have those three.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/attention_body.h"
#include "onnx_frontend/control_flow.h"
#include "onnx_frontend/generation_body.h"
#include "onnx_frontend/merge_types.h"

namespace memplan {

Flow ControlFlow::InputFlow(size_t i) const {
  Flow flow{context_.input(i), std::nullopt};
  if (context_.value(i) != nullptr) flow.content = *context_.value(i);
  return flow;
}

Flow ControlFlow::BodyOutput(BodyIndex index, size_t i) {
  const ModelBody& of = body(index);
  if (i >= of.outputs.size()) return Flow{};
  const ModelValue& output = value(of.outputs[i]);
  return Flow{output.type, output.value};
}

void ControlFlow::SetBodyInput(BodyIndex index, size_t i, const Flow& flow) {
  if (i >= body(index).inputs.size()) return;
  const ValueIndex input = body(index).inputs[i];
  ModelValue& receives = value(input);
  receives.type = flow.type;
  receives.value = flow.content;
  receives.unknown_reason.clear();
  receives.unknown_node.clear();
  if (!IsComplete(receives.type)) {
    receives.unknown_reason = "shape is not the same in every iteration";
    receives.unknown_node = NodeLabel(graph(), context_.index());
  }
}

void ControlFlow::SetOutput(size_t i, Flow flow) {
  const bool has_content = flow.content.has_value() && IsComplete(flow.type);
  if (has_content) {
    context_.SetValue(i, std::move(*flow.content));
  } else {
    context_.SetOutput(i, std::move(flow.type));
  }
}

absl::StatusOr<BodyIndex> ControlFlow::RequireBody(std::string_view attribute) {
  const std::optional<BodyIndex> found = context_.Body(attribute);
  if (found.has_value()) return *found;
  return context_.Error(
      absl::StrCat("has no body '", std::string(attribute), "'"));
}

// A branch may be one that never runs: what cannot work there is no fault of
// the model.
void ControlFlow::VisitLeniently(BodyIndex index) {
  const absl::Status status = InferBody(inference_, index);
  if (status.ok()) return;
  graph().warnings.push_back(absl::StrCat(
      "'", body(index).scope,
      "' cannot run as it is, and is planned as far as it is known: ",
      std::string(status.message())));
}

absl::Status ControlFlow::If() {
  const absl::StatusOr<BodyIndex> then_body = RequireBody("then_branch");
  const absl::StatusOr<BodyIndex> else_body = RequireBody("else_branch");
  if (!then_body.ok()) return then_body.status();
  if (!else_body.ok()) return else_body.status();
  const std::optional<std::vector<int64_t>> condition = context_.IntsOf(0);
  const bool is_known = condition.has_value() && condition->size() == 1;
  if (is_known) {
    const bool taken = (*condition)[0] != 0;
    VisitLeniently(taken ? *else_body : *then_body);
    const absl::Status status =
        InferBody(inference_, taken ? *then_body : *else_body);
    if (!status.ok()) return status;
    for (size_t i = 0; i < context_.num_outputs(); ++i) {
      SetOutput(i, BodyOutput(taken ? *then_body : *else_body, i));
    }
    return absl::OkStatus();
  }
  VisitLeniently(*then_body);
  VisitLeniently(*else_body);
  for (size_t i = 0; i < context_.num_outputs(); ++i) {
    Flow a = BodyOutput(*then_body, i);
    const Flow b = BodyOutput(*else_body, i);
    if (a == b) {
      SetOutput(i, std::move(a));
      continue;
    }
    if (IsComplete(a.type) && IsComplete(b.type)) {
      context_.SetUnknown(i, "shape depends on which branch runs");
    }
    context_.SetOutput(i, CommonType(a.type, b.type));
  }
  return absl::OkStatus();
}
// Makes what a body carries as general as `next` asks for. True if that changed
// anything.
bool ControlFlow::Generalize(const Flow& next, Flow& carried, size_t slot) {
  bool changed = false;
  if (carried.content.has_value() && carried.content != next.content) {
    carried.content.reset();
    changed = true;
  }
  const Type common = CommonType(carried.type, next.type);
  if (common == carried.type) return changed;
  carried.type = common;
  context_.SetUnknown(slot, "shape changes from one iteration to the next");
  return true;
}

// Visits the body until what it carries fits every iteration.
absl::Status ControlFlow::Settle(BodyIndex index, size_t first_input,
                                 size_t first_output,
                                 std::vector<Flow>& carried) {
  constexpr int kMaxVisits = 20;
  // Only the last visit's warnings hold for every iteration.
  const size_t warnings = graph().warnings.size();
  for (int visit = 0;; ++visit) {
    graph().warnings.resize(warnings);
    for (size_t i = 0; i < carried.size(); ++i) {
      SetBodyInput(index, first_input + i, carried[i]);
    }
    const absl::Status status = InferBody(inference_, index);
    if (!status.ok()) return status;
    bool changed = false;
    for (size_t i = 0; i < carried.size(); ++i) {
      const Flow next = BodyOutput(index, first_output + i);
      if (visit < kMaxVisits && inference_.visits_left > 0) {
        changed = Generalize(next, carried[i], i) || changed;
      } else if (!(carried[i] == next)) {
        carried[i] = Flow{};
      }
    }
    if (!changed) return absl::OkStatus();
  }
}
Shape ControlFlow::Stacked(const Shape& slice, int64_t axis,
                           const Dim& count) const {
  Shape stacked = slice;
  const auto rank = static_cast<int64_t>(slice.size()) + 1;
  if (axis < 0) axis += rank;
  axis = std::clamp<int64_t>(axis, 0, rank - 1);
  stacked.insert(stacked.begin() + axis, count);
  return stacked;
}
bool InferControlFlow(Inference& inference, NodeIndex node,
                      absl::Status& status) {
  const ModelNode& it = inference.graph.nodes[static_cast<size_t>(node)];
  if (!it.domain.empty()) return false;
  ControlFlow flow(inference, node);
  if (it.op_type == "If") {
    status = flow.If();
  } else if (it.op_type == "Loop") {
    status = flow.Loop();
  } else if (it.op_type == "Scan") {
    status = flow.Scan();
  } else if (it.op_type == "SequenceMap") {
    status = flow.SequenceMap();
  } else {
    return false;
  }
  return true;
}

// A beam search decides what its decoder receives; the shapes that the decoder
// declares are often of another batch. The types hold, and the ranks.
void ReceiveForeign(const std::string& node, ModelValue& receives) {
  receives.type = receives.declared;
  if (receives.type.has_shape()) {
    receives.type.shape = Shape(receives.type.shape->size());
  }
  if (IsComplete(receives.type)) return;
  receives.unknown_reason =
      "the operator around the body decides the shapes that it receives";
  receives.unknown_node = node;
}

void InferForeignBodies(Inference& inference, NodeIndex node) {
  ModelGraph& graph = inference.graph;
  std::vector<BodyIndex> bodies = graph.nodes[static_cast<size_t>(node)].bodies;
  // A decoder reads what the encoder gives.
  std::stable_partition(bodies.begin(), bodies.end(), [&](BodyIndex body) {
    return graph.bodies[static_cast<size_t>(body)].attribute == "encoder";
  });
  for (BodyIndex body : bodies) {
    for (ValueIndex input : graph.bodies[static_cast<size_t>(body)].inputs) {
      ReceiveForeign(NodeLabel(graph, node),
                     graph.values[static_cast<size_t>(input)]);
    }
    TypeGenerationBody(graph, node, body);
    TypeAttentionBody(graph, node, body);
    const absl::Status status = InferBody(inference, body);
    if (!status.ok()) {
      graph.warnings.push_back(
          absl::StrCat("'", graph.bodies[static_cast<size_t>(body)].scope,
                       "' is planned as far as it is known: ",
                       std::string(status.message())));
    }
  }
}

}  // namespace memplan
