// Scan (Operators.md#Scan): slices go in, states go round, what comes out is
// stacked.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/control_flow.h"
#include "onnx_frontend/merge_types.h"

namespace memplan {

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

}  // namespace memplan
