// Evaluators of operators that write elements into a copy by index.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"

namespace memplan {
namespace {

// Writes updates[i] to data[targets[i]]. Overwrites alone: what adds up is not
// shape arithmetic.
void PublishScattered(NodeContext& node, const TensorValue& data,
                      const TensorValue& updates, const Positions& targets) {
  const std::string reduction = node.String("reduction", "none");
  if (reduction != "none" || data.element != updates.element) return;
  const TensorValue joined = Joined({&data, &updates});
  Positions positions(static_cast<size_t>(data.size()));
  for (size_t i = 0; i < positions.size(); ++i) {
    positions[i] = static_cast<int64_t>(i);
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    positions[static_cast<size_t>(targets[i])] =
        data.size() + static_cast<int64_t>(i);
  }
  Publish(node, 0, Take(joined, data.shape, positions));
}

std::optional<int64_t> NormalIndex(int64_t index, int64_t size) {
  if (index < -size || index >= size) return std::nullopt;
  return index < 0 ? index + size : index;
}

void EvaluateScatterElements(NodeContext& node) {
  const auto data = ContentOrUnknown(node, 0);
  const TensorValue* indices = ContentOf(node, 1);
  const auto updates = ContentOrUnknown(node, 2);
  if (!data || indices == nullptr || !updates) return;
  const auto numbers = KnownInts(*indices);
  if (!numbers || indices->shape != updates->shape) return;
  const KnownShape& shape = indices->shape;
  const auto axis = NormalAxis(node.Int("axis", 0), data->shape.size());
  if (!axis || shape.size() != data->shape.size()) return;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i != *axis && shape[i] > data->shape[i]) return;
  }
  std::vector<int64_t> strides = StridesOf(data->shape);
  const int64_t stride = std::exchange(strides[*axis], 0);
  Positions targets = StridedPositions(shape, strides);
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto at = NormalIndex((*numbers)[i], data->shape[*axis]);
    if (!at) return;
    targets[i] += *at * stride;
  }
  PublishScattered(node, *data, *updates, targets);
}

void EvaluateScatterND(NodeContext& node) {
  const auto data = ContentOrUnknown(node, 0);
  const TensorValue* indices = ContentOf(node, 1);
  const auto updates = ContentOrUnknown(node, 2);
  if (!data || indices == nullptr || !updates) return;
  const auto numbers = KnownInts(*indices);
  if (!numbers || indices->shape.empty()) return;
  const auto length = static_cast<size_t>(indices->shape.back());
  if (length < 1 || length > data->shape.size()) return;
  if (data->size() == 0 || numbers->empty()) return;
  const std::vector<int64_t> strides = StridesOf(data->shape);
  const int64_t slice = strides[length - 1];
  Positions targets;
  for (size_t tuple = 0; tuple < numbers->size(); tuple += length) {
    int64_t base = 0;
    for (size_t i = 0; i < length; ++i) {
      const auto at = NormalIndex((*numbers)[tuple + i], data->shape[i]);
      if (!at) return;
      base += *at * strides[i];
    }
    if (static_cast<int64_t>(targets.size()) + slice > updates->size()) return;
    for (int64_t i = 0; i < slice; ++i) targets.push_back(base + i);
  }
  if (static_cast<int64_t>(targets.size()) != updates->size()) return;
  PublishScattered(node, *data, *updates, targets);
}

constexpr EvaluatorRow kRows[] = {
    {"", "Scatter", EvaluateScatterElements},
    {"", "ScatterElements", EvaluateScatterElements},
    {"", "ScatterND", EvaluateScatterND},
};

}  // namespace

absl::Span<const EvaluatorRow> ScatterEvaluators() { return kRows; }

}  // namespace memplan
