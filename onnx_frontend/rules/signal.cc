// Fourier transforms and windows.

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// The bins of a real signal's spectrum.
Dim OneSidedBins(const Dim& length) { return FloorDiv(length, 2) + 1; }

// Inputs: [..., signal, ..., 1 or 2], and maybe the transform's length. The
// inverse of a one-sided spectrum is real.
absl::Status DftAlong(NodeContext& node, int64_t axis) {
  std::optional<Shape> result = node.input(0).shape;
  if (result.has_value()) {
    const absl::StatusOr<size_t> resolved =
        ResolveAxis(node, axis, result->size());
    if (!resolved.ok()) return resolved.status();
    const bool onesided = node.Int("onesided", 0) != 0;
    const bool inverse = node.Int("inverse", 0) != 0;
    Dim length = (*result)[*resolved];
    if (onesided && inverse) length = (length - 1) * 2;
    if (node.HasInput(1)) {
      length = ScalarDim(node, 1);
      if (length.is_unknown()) DependsOnContents(node, 0, 1);
    }
    (*result)[*resolved] = onesided && !inverse ? OneSidedBins(length) : length;
    result->back() = onesided && inverse ? 1 : 2;
    const absl::Status status = CheckNotNegative(node, *result);
    if (!status.ok()) return status;
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// The axis as an attribute.
absl::Status Dft17(NodeContext& node) {
  return DftAlong(node, node.Int("axis", 1));
}

// The axis as input 2.
absl::Status Dft20(NodeContext& node) {
  const std::optional<int64_t> axis = node.HasInput(2) ? ScalarOf(node, 2) : -2;
  if (axis.has_value()) return DftAlong(node, *axis);
  DependsOnContents(node, 0, 2);
  std::optional<Shape> result = node.input(0).shape;
  if (result.has_value()) result = UnknownShape(result->size());
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Inputs: signal [batch, length, 1 or 2], step, and the frame's length as that
// of a window, or as a number. Output: [batch, frames, bins, 2].
absl::Status Stft(NodeContext& node) {
  const Shape* signal = node.shape(0);
  const Shape* window = node.shape(2);
  Dim frame;
  if (window != nullptr && window->size() == 1) {
    frame = (*window)[0];
  } else if (!node.HasInput(2) && node.HasInput(3)) {
    frame = ScalarDim(node, 3);
    if (frame.is_unknown()) DependsOnContents(node, 0, 3);
  }
  const Dim step = ScalarDim(node, 1);
  if (step.is_unknown()) DependsOnContents(node, 0, 1);
  if (step.is_number() && step.number() < 1) {
    return node.Error(absl::StrCat("the step is ", step.number()));
  }
  Shape result = {Dim::Unknown(), Dim::Unknown(), frame, 2};
  if (node.Int("onesided", 1) != 0) result[2] = OneSidedBins(frame);
  if (signal != nullptr && signal->size() > 1) {
    result[0] = (*signal)[0];
    result[1] = FloorDiv((*signal)[1] - frame, step) + 1;
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Inputs: the number of mel bins, the transform's length. Output: [bins of the
// spectrum, mel bins].
absl::Status MelWeightMatrix(NodeContext& node) {
  Shape result = {OneSidedBins(ScalarDim(node, 1)), ScalarDim(node, 0)};
  for (const size_t input : {0, 1}) {
    if (node.value(input) == nullptr) DependsOnContents(node, 0, input);
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0,
                 ElementAttribute(node, "output_datatype", ElementType::kFloat),
                 std::move(result));
  return absl::OkStatus();
}

// Input 0 is the size.
absl::Status SignalWindow(NodeContext& node) {
  Shape result = {ScalarDim(node, 0)};
  if (result[0].is_unknown()) DependsOnContents(node, 0, 0);
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0,
                 ElementAttribute(node, "output_datatype", ElementType::kFloat),
                 std::move(result));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "BlackmanWindow", 17, SignalWindow, "Operators.md#BlackmanWindow"},
    {"", "DFT", 17, Dft17, "Changelog.md#DFT-17"},
    {"", "DFT", 20, Dft20, "Operators.md#DFT"},
    {"", "HammingWindow", 17, SignalWindow, "Operators.md#HammingWindow"},
    {"", "HannWindow", 17, SignalWindow, "Operators.md#HannWindow"},
    {"", "MelWeightMatrix", 17, MelWeightMatrix,
     "Operators.md#MelWeightMatrix"},
    {"", "STFT", 17, Stft, "Operators.md#STFT"},
};

}  // namespace

absl::Span<const RuleRow> SignalRules() { return kRows; }

}  // namespace memplan
