// Loop (Operators.md#Loop): in general first, which is what the body's own
// values are planned for; then, where the loop is short and its trips can be
// told, trip by trip, for what comes out.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/control_flow.h"
#include "onnx_frontend/merge_types.h"

namespace memplan {

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

// Scalars. Some exporters declare one element of rank 1, and ONNX Runtime
// (controlflow/loop.cc) gives the body what it declares.
void ControlFlow::SetScalarInput(BodyIndex index, size_t i, ElementType element,
                                 std::optional<TensorValue> content) {
  Shape shape;
  if (i < body(index).inputs.size()) {
    const Type& declared = value(body(index).inputs[i]).declared;
    if (declared.has_shape() && declared.shape->size() == 1) shape = {1};
  }
  if (content.has_value()) content->shape.assign(shape.size(), 1);
  SetBodyInput(index, i,
               {Type::Tensor(element, std::move(shape)), std::move(content)});
}

void ControlFlow::SetLoopState(BodyIndex index,
                               std::optional<TensorValue> iteration,
                               std::optional<TensorValue> condition) {
  SetScalarInput(index, 0, ElementType::kInt64, std::move(iteration));
  SetScalarInput(index, 1, ElementType::kBool, std::move(condition));
}

// Runs the loop with the types and contents of each iteration, for loops whose
// shapes change as they go, or that a condition ends. False if some iteration
// cannot be told, or the loop goes on past `most`.
absl::StatusOr<bool> ControlFlow::Simulate(BodyIndex index,
                                           std::optional<int64_t> trips,
                                           int64_t most,
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
  for (; done < trips.value_or(INT64_MAX) && goes_on; ++done) {
    if (done == most) return false;
    SetLoopState(index, TensorValue::Scalar(ElementType::kInt64, done),
                 TensorValue::Scalar(ElementType::kBool, 1));
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

// How many trips of a loop to tell one by one, at most; 0: none.
int64_t ControlFlow::TripsToTell(BodyIndex index, std::optional<int64_t> trips,
                                 bool runs_to_the_end) {
  constexpr int64_t kMaxTrips = 1024;
  constexpr int64_t kMaxVisits = 100'000;
  const std::vector<NodeIndex>& nodes = body(index).nodes;
  const int64_t most =
      std::min(kMaxTrips, std::min(kMaxVisits, inference_.visits_left) /
                              std::max<int64_t>(1, std::ssize(nodes)));
  if (trips.has_value() && *trips <= most) return most;
  // It is the condition that ends the loop; not so where there is a count that
  // nobody knows. Nested ones would multiply.
  if (runs_to_the_end || (context_.HasInput(0) && !trips.has_value())) return 0;
  const bool nests =
      std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex node) {
        return !graph().nodes[static_cast<size_t>(node)].bodies.empty();
      });
  return nests ? 0 : most;
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
  SetLoopState(index, std::nullopt, std::nullopt);
  std::vector<Flow> carried = initial;
  absl::Status status = Settle(index, 2, 1, carried);
  if (!status.ok()) return status;

  const bool counts = trips.has_value() && (*trips == 0 || RunsToTheEnd(index));
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

  if (carried == initial && counts) return absl::OkStatus();
  const int64_t most = TripsToTell(index, trips, counts);
  if (most <= 0) return absl::OkStatus();
  const std::vector<std::string> warnings = graph().warnings;
  const absl::StatusOr<bool> simulated = Simulate(index, trips, most, initial);
  if (!simulated.ok()) return simulated.status();
  graph().warnings = warnings;
  // Back to what holds in every iteration.
  SetLoopState(index, std::nullopt, std::nullopt);
  return Settle(index, 2, 1, carried);
}

}  // namespace memplan
