#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_frontend/control_flow.h"
#include "onnx_frontend/merge_types.h"

namespace memplan {

// The body once for each element, where the sequences' elements are known. True
// if that told the outputs.
absl::StatusOr<bool> ControlFlow::MapEachElement(BodyIndex index) {
  std::optional<size_t> count;
  for (size_t i = 0; i < context_.num_inputs(); ++i) {
    const Type& type = context_.input(i);
    if (type.kind != Type::Kind::kSequence) continue;
    if (type.elements == nullptr) return false;
    count = std::min(count.value_or(SIZE_MAX), type.elements->size());
  }
  const auto visits = static_cast<int64_t>(count.value_or(0)) *
                      std::max<int64_t>(1, std::ssize(body(index).nodes));
  if (!count.has_value() || visits > inference_.visits_left) return false;
  std::vector<std::vector<Type>> results(context_.num_outputs());
  for (size_t element = 0; element < *count; ++element) {
    for (size_t i = 0; i < context_.num_inputs(); ++i) {
      Flow flow = InputFlow(i);
      if (flow.type.kind == Type::Kind::kSequence) {
        flow.type = Type((*flow.type.elements)[element]);
      }
      SetBodyInput(index, i, flow);
    }
    const absl::Status status = InferBody(inference_, index);
    if (!status.ok()) return status;
    for (size_t i = 0; i < results.size(); ++i) {
      results[i].push_back(BodyOutput(index, i).type);
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    context_.SetOutput(
        i, SequenceOf(std::move(results[i]), BodyOutput(index, i).type));
  }
  return true;
}

absl::Status ControlFlow::SequenceMap() {
  const absl::StatusOr<BodyIndex> found = RequireBody("body");
  if (!found.ok()) return found.status();
  const BodyIndex index = *found;
  const std::vector<std::string> warnings = graph().warnings;
  const absl::StatusOr<bool> mapped = MapEachElement(index);
  if (!mapped.ok()) return mapped.status();
  graph().warnings = warnings;
  // What holds for every element, which the body's own values are planned for.
  for (size_t i = 0; i < context_.num_inputs(); ++i) {
    Flow flow = InputFlow(i);
    if (flow.type.kind == Type::Kind::kSequence) {
      flow.type = flow.type.inner == nullptr ? Type() : Type(*flow.type.inner);
    }
    SetBodyInput(index, i, flow);
  }
  const absl::Status status = InferBody(inference_, index);
  if (!status.ok() || *mapped) return status;
  for (size_t i = 0; i < context_.num_outputs(); ++i) {
    context_.SetOutput(i, Type::Sequence(BodyOutput(index, i).type));
  }
  return absl::OkStatus();
}

}  // namespace memplan
