// Types through bodies (ONNX Operators.md: If, Loop, Scan, SequenceMap). A body
// is inferred like the main graph once its inputs have types. For a Loop the
// inputs depend on the body's own outputs: the initial values' types go in, and
// whatever a visit changes is made more general until nothing changes. A
// dimension can only be given up once, so that ends soon.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/inference.h"
#include "onnx_frontend/merge_types.h"
#include "onnx_frontend/node_context.h"

namespace memplan {
namespace {

// What flows along one edge into or out of a body.
struct Flow {
  Type type;
  std::optional<TensorValue> content;

  friend bool operator==(const Flow&, const Flow&) = default;
};

class ControlFlow {
 public:
  ControlFlow(Inference& inference, NodeIndex node)
      : inference_(inference), context_(inference.graph, node) {}

  absl::Status If();
  absl::Status Loop();
  absl::Status Scan();
  absl::Status ScanBatched();  // opset 8
  absl::Status SequenceMap();

 private:
  ModelGraph& graph() { return inference_.graph; }
  ModelBody& body(BodyIndex index) {
    return graph().bodies[static_cast<size_t>(index)];
  }
  ModelValue& value(ValueIndex index) {
    return graph().values[static_cast<size_t>(index)];
  }
  Flow InputFlow(size_t i) const;
  Flow BodyOutput(BodyIndex index, size_t i);
  size_t NumBodyOutputs(BodyIndex index) { return body(index).outputs.size(); }
  void SetBodyInput(BodyIndex index, size_t i, const Flow& flow);
  void SetOutput(size_t i, Flow flow);
  absl::StatusOr<BodyIndex> RequireBody(std::string_view attribute);
  void VisitLeniently(BodyIndex index);
  bool Generalize(const Flow& next, Flow& carried, size_t slot);
  absl::Status Settle(BodyIndex index, size_t first_input, size_t first_output,
                      std::vector<Flow>& carried);
  std::optional<int64_t> TripCount();
  bool RunsToTheEnd(BodyIndex index);
  absl::StatusOr<bool> Simulate(BodyIndex index, int64_t trips,
                                const std::vector<Flow>& initial);
  Shape Stacked(const Shape& slice, int64_t axis, const Dim& count) const;

  Inference& inference_;
  NodeContext context_;
};

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
  if (flow.type.kind == Type::Kind::kUnknown) receives.type = receives.declared;
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

std::optional<int64_t> ControlFlow::TripCount() {
  if (!context_.HasInput(0)) return std::nullopt;
  const std::optional<std::vector<int64_t>> trips = context_.IntsOf(0);
  if (!trips.has_value() || trips->size() != 1) return std::nullopt;
  return std::max<int64_t>(0, (*trips)[0]);
}

// Whether only the trip count ends the loop: the condition is absent or true,
// and stays so.
bool ControlFlow::RunsToTheEnd(BodyIndex index) {
  if (context_.HasInput(1)) {
    const std::optional<std::vector<int64_t>> first = context_.IntsOf(1);
    if (!first.has_value() || first->size() != 1 || (*first)[0] == 0) {
      return false;
    }
  }
  const ModelBody& of = body(index);
  if (of.outputs.empty()) return false;
  if (of.inputs.size() > 1 && of.outputs[0] == of.inputs[1]) return true;
  const Flow next = BodyOutput(index, 0);
  return next.content.has_value() &&
         KnownInts(*next.content) == std::vector<int64_t>{1};
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

// Runs the loop with the types and contents of each iteration, for loops whose
// shapes change as they go. False if some iteration cannot be told.
absl::StatusOr<bool> ControlFlow::Simulate(BodyIndex index, int64_t trips,
                                           const std::vector<Flow>& initial) {
  std::vector<Flow> carried = initial;
  const size_t num_scans = NumBodyOutputs(index) - 1 - initial.size();
  std::vector<std::optional<Type>> slices(num_scans);
  int64_t done = 0;
  bool goes_on = true;
  if (context_.HasInput(1)) {
    const auto first = context_.IntsOf(1);
    if (!first.has_value() || first->size() != 1) return false;
    goes_on = (*first)[0] != 0;
  }
  for (; done < trips && goes_on; ++done) {
    SetBodyInput(index, 0,
                 {Type::Tensor(ElementType::kInt64, Shape{}),
                  TensorValue::Scalar(ElementType::kInt64, done)});
    SetBodyInput(index, 1,
                 {Type::Tensor(ElementType::kBool, Shape{}),
                  TensorValue::Scalar(ElementType::kBool, 1)});
    for (size_t i = 0; i < carried.size(); ++i) {
      SetBodyInput(index, 2 + i, carried[i]);
    }
    const absl::Status status = InferBody(inference_, index);
    if (!status.ok()) return status;
    const Flow condition = BodyOutput(index, 0);
    if (!condition.content.has_value()) return false;
    const auto again = KnownInts(*condition.content);
    if (!again.has_value() || again->size() != 1) return false;
    goes_on = (*again)[0] != 0;
    for (size_t i = 0; i < carried.size(); ++i) {
      carried[i] = BodyOutput(index, 1 + i);
    }
    for (size_t i = 0; i < num_scans; ++i) {
      const Type slice = BodyOutput(index, 1 + carried.size() + i).type;
      slices[i] = slices[i].has_value() ? CommonType(*slices[i], slice) : slice;
    }
  }
  for (size_t i = 0; i < carried.size(); ++i) SetOutput(i, carried[i]);
  for (size_t i = 0; i < num_scans; ++i) {
    if (!slices[i].has_value() || !slices[i]->has_shape()) continue;
    context_.SetTensor(carried.size() + i, slices[i]->element,
                       Stacked(*slices[i]->shape, 0, done));
  }
  return true;
}

absl::Status ControlFlow::Loop() {
  const absl::StatusOr<BodyIndex> found = RequireBody("body");
  if (!found.ok()) return found.status();
  const BodyIndex index = *found;
  const size_t num_carried =
      context_.num_inputs() < 2 ? 0 : context_.num_inputs() - 2;
  if (body(index).inputs.size() < 2 + num_carried ||
      NumBodyOutputs(index) < 1 + num_carried) {
    return context_.Error(absl::StrCat(
        "its body must take the iteration, the condition and ", num_carried,
        " carried values, and return the last two; it takes ",
        body(index).inputs.size(), " and returns ", NumBodyOutputs(index)));
  }
  std::vector<Flow> initial;
  for (size_t i = 0; i < num_carried; ++i) initial.push_back(InputFlow(2 + i));
  const std::optional<int64_t> trips = TripCount();

  // The general case, which is what the body's own values are planned for.
  SetBodyInput(index, 0,
               {Type::Tensor(ElementType::kInt64, Shape{}), std::nullopt});
  SetBodyInput(index, 1,
               {Type::Tensor(ElementType::kBool, Shape{}), std::nullopt});
  std::vector<Flow> carried = initial;
  absl::Status status = Settle(index, 2, 1, carried);
  if (!status.ok()) return status;

  const bool counts = trips.has_value() && RunsToTheEnd(index);
  const size_t num_outputs = context_.num_outputs();
  for (size_t i = 0; i < num_carried; ++i) SetOutput(i, carried[i]);
  for (size_t i = num_carried; i < num_outputs; ++i) {
    const Type slice = BodyOutput(index, 1 + i).type;
    if (!slice.has_shape()) {
      if (slice.is_tensor()) context_.SetTensor(i, slice.element, std::nullopt);
      continue;
    }
    const Dim count =
        counts ? Dim(*trips)
               : context_.DataDependentDim(
                     absl::StrCat("iterations", i),
                     trips.has_value() ? Dim(*trips) : Dim::Unknown());
    context_.SetTensor(i, slice.element, Stacked(*slice.shape, 0, count));
  }

  // A short loop whose trips can be told one by one gives more.
  constexpr int64_t kMaxTrips = 1024;
  constexpr int64_t kMaxVisits = 100'000;
  const auto visits = static_cast<int64_t>(body(index).nodes.size());
  if (!trips.has_value() || *trips > kMaxTrips ||
      *trips * visits > std::min(kMaxVisits, inference_.visits_left) ||
      (carried == initial && counts)) {
    return absl::OkStatus();
  }
  const std::vector<std::string> warnings = graph().warnings;
  const absl::StatusOr<bool> simulated = Simulate(index, *trips, initial);
  if (!simulated.ok()) return simulated.status();
  graph().warnings = warnings;
  // Back to what holds in every iteration.
  SetBodyInput(index, 0,
               {Type::Tensor(ElementType::kInt64, Shape{}), std::nullopt});
  SetBodyInput(index, 1,
               {Type::Tensor(ElementType::kBool, Shape{}), std::nullopt});
  return Settle(index, 2, 1, carried);
}

absl::Status ControlFlow::Scan() {
  if (context_.opset() != 0 && context_.opset() < 9) return ScanBatched();
  const absl::StatusOr<BodyIndex> found = RequireBody("body");
  if (!found.ok()) return found.status();
  const BodyIndex index = *found;
  const size_t num_inputs = context_.num_inputs();
  const int64_t num_scans = context_.Int("num_scan_inputs", 0);
  if (num_scans < 0 || num_scans > static_cast<int64_t>(num_inputs) ||
      body(index).inputs.size() < num_inputs) {
    return context_.Error(absl::StrCat("scans ", num_scans, " of its ",
                                       num_inputs, " inputs with a body of ",
                                       body(index).inputs.size(), " inputs"));
  }
  const size_t num_states = num_inputs - static_cast<size_t>(num_scans);
  const std::vector<int64_t> axes =
      context_.Ints("scan_input_axes").value_or(std::vector<int64_t>{});
  Dim length;
  for (size_t i = num_states; i < num_inputs; ++i) {
    Flow slice{context_.input(i), std::nullopt};
    if (slice.type.has_shape()) {
      Shape& shape = *slice.type.shape;
      const auto rank = static_cast<int64_t>(shape.size());
      int64_t axis = i - num_states < axes.size() ? axes[i - num_states] : 0;
      if (axis < 0) axis += rank;
      if (axis < 0 || axis >= rank) {
        return context_.Error(absl::StrCat("scans '", context_.InputName(i),
                                           "' along axis ", axis, " of ",
                                           rank));
      }
      if (!length.is_number()) length = shape[static_cast<size_t>(axis)];
      shape.erase(shape.begin() + axis);
    }
    SetBodyInput(index, i, slice);
  }
  std::vector<Flow> states;
  for (size_t i = 0; i < num_states; ++i) states.push_back(InputFlow(i));
  const absl::Status status = Settle(index, 0, 0, states);
  if (!status.ok()) return status;
  for (size_t i = 0; i < num_states; ++i) SetOutput(i, states[i]);
  const std::vector<int64_t> out_axes =
      context_.Ints("scan_output_axes").value_or(std::vector<int64_t>{});
  for (size_t i = num_states; i < context_.num_outputs(); ++i) {
    const Type slice = BodyOutput(index, i).type;
    if (!slice.is_tensor()) continue;
    std::optional<Shape> shape;
    const int64_t axis =
        i - num_states < out_axes.size() ? out_axes[i - num_states] : 0;
    if (slice.has_shape()) shape = Stacked(*slice.shape, axis, length);
    context_.SetTensor(i, slice.element, std::move(shape));
  }
  return absl::OkStatus();
}

// Opset 8: an optional sequence_lens first, and every tensor has a batch, then
// the sequence.
absl::Status ControlFlow::ScanBatched() {
  const absl::StatusOr<BodyIndex> found = RequireBody("body");
  if (!found.ok()) return found.status();
  const BodyIndex index = *found;
  const size_t num_inputs =
      context_.num_inputs() == 0 ? 0 : context_.num_inputs() - 1;
  const int64_t num_scans = context_.Int("num_scan_inputs", 0);
  if (num_scans < 0 || num_scans > static_cast<int64_t>(num_inputs)) {
    return context_.Error(
        absl::StrCat("scans ", num_scans, " of its ", num_inputs, " inputs"));
  }
  const size_t num_states = num_inputs - static_cast<size_t>(num_scans);
  Dim batch;
  Dim length;
  std::vector<Flow> states;
  for (size_t i = 0; i < num_inputs; ++i) {
    const bool is_state = i < num_states;
    Flow slice{context_.input(1 + i), std::nullopt};
    if (slice.type.has_shape()) {
      Shape& shape = *slice.type.shape;
      const size_t outer = is_state ? 1 : 2;
      if (shape.size() < outer) {
        return context_.Error(
            absl::StrCat("'", context_.InputName(1 + i), "' has ", shape.size(),
                         " dimensions; Scan of opset 8 wants a batch",
                         is_state ? "" : " and a sequence"));
      }
      if (!batch.is_number()) batch = shape[0];
      if (!is_state && !length.is_number()) length = shape[1];
      shape.erase(shape.begin(), shape.begin() + static_cast<int64_t>(outer));
    }
    if (is_state) {
      states.push_back(slice);
    } else {
      SetBodyInput(index, i, slice);
    }
  }
  const absl::Status status = Settle(index, 0, 0, states);
  if (!status.ok()) return status;
  for (size_t i = 0; i < context_.num_outputs(); ++i) {
    const Type slice =
        i < num_states ? states[i].type : BodyOutput(index, i).type;
    if (!slice.is_tensor()) continue;
    std::optional<Shape> shape = slice.shape;
    if (shape.has_value()) {
      if (i >= num_states) shape->insert(shape->begin(), length);
      shape->insert(shape->begin(), batch);
    }
    context_.SetTensor(i, slice.element, std::move(shape));
  }
  return absl::OkStatus();
}

absl::Status ControlFlow::SequenceMap() {
  const absl::StatusOr<BodyIndex> found = RequireBody("body");
  if (!found.ok()) return found.status();
  const BodyIndex index = *found;
  for (size_t i = 0; i < context_.num_inputs(); ++i) {
    Flow flow{context_.input(i), std::nullopt};
    if (flow.type.kind == Type::Kind::kSequence) {
      flow.type = flow.type.inner == nullptr ? Type() : Type(*flow.type.inner);
    }
    SetBodyInput(index, i, flow);
  }
  const absl::Status status = InferBody(inference_, index);
  if (!status.ok()) return status;
  for (size_t i = 0; i < context_.num_outputs(); ++i) {
    context_.SetOutput(i, Type::Sequence(BodyOutput(index, i).type));
  }
  return absl::OkStatus();
}

}  // namespace

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

void InferForeignBodies(Inference& inference, NodeIndex node) {
  ModelGraph& graph = inference.graph;
  for (BodyIndex body : graph.nodes[static_cast<size_t>(node)].bodies) {
    for (ValueIndex input : graph.bodies[static_cast<size_t>(body)].inputs) {
      ModelValue& receives = graph.values[static_cast<size_t>(input)];
      receives.type = receives.declared;
      if (IsComplete(receives.type)) continue;
      receives.unknown_reason =
          "the operator around the body decides what it receives";
      receives.unknown_node = NodeLabel(graph, node);
    }
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
