// Evaluators of operators that pick elements by index.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/fold/fold_util.h"

namespace memplan {
namespace {

// Counted from the back where negative; nowhere if it is unknown or outside.
int64_t NormalIndex(const Dim& index, int64_t size) {
  if (!index.is_number()) return kNowhere;
  const int64_t number = index.number();
  if (number < -size || number >= size) return kNowhere;
  return number < 0 ? number + size : number;
}

void EvaluateGather(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const TensorValue* indices = ContentOf(node, 1);
  const auto shape = SmallOutputShape(node, 0);
  if (content == nullptr || indices == nullptr || !shape) return;
  const auto axis = NormalAxis(node.Int("axis", 0), content->shape.size());
  if (!axis || indices->is_float()) return;
  const Lanes lanes = LanesOf(content->shape, *axis);
  Positions positions;
  positions.reserve(static_cast<size_t>(*SmallCount(*shape)));
  for (int64_t outer = 0; outer < lanes.outer; ++outer) {
    for (const Dim& index : indices->ints) {
      const int64_t at = NormalIndex(index, lanes.length);
      for (int64_t inner = 0; inner < lanes.inner; ++inner) {
        positions.push_back(at == kNowhere ? kNowhere
                                           : lanes.At(outer, at, inner));
      }
    }
  }
  if (SmallCount(*shape) != static_cast<int64_t>(positions.size())) return;
  Publish(node, 0, Take(*content, *shape, positions));
}

void EvaluateGatherElements(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const TensorValue* indices = ContentOf(node, 1);
  if (content == nullptr || indices == nullptr || indices->is_float()) return;
  const KnownShape& shape = indices->shape;
  const auto axis = NormalAxis(node.Int("axis", 0), content->shape.size());
  if (!axis || shape.size() != content->shape.size()) return;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i != *axis && shape[i] > content->shape[i]) return;
  }
  std::vector<int64_t> strides = StridesOf(content->shape);
  const int64_t stride = std::exchange(strides[*axis], 0);
  Positions positions = StridedPositions(shape, strides);
  for (size_t i = 0; i < positions.size(); ++i) {
    const int64_t at = NormalIndex(indices->ints[i], content->shape[*axis]);
    positions[i] = at == kNowhere ? kNowhere : positions[i] + at * stride;
  }
  Publish(node, 0, Take(*content, shape, positions));
}

// Where a tuple of indices points: the sum of index * stride.
int64_t TuplePosition(const TensorValue& indices, int64_t tuple, int64_t length,
                      const KnownShape& shape, size_t first_axis,
                      const std::vector<int64_t>& strides) {
  int64_t position = 0;
  for (int64_t i = 0; i < length; ++i) {
    const size_t axis = first_axis + static_cast<size_t>(i);
    const int64_t at = NormalIndex(
        indices.ints[static_cast<size_t>(tuple * length + i)], shape[axis]);
    if (at == kNowhere) return kNowhere;
    position += at * strides[axis];
  }
  return position;
}

void EvaluateGatherND(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const TensorValue* indices = ContentOf(node, 1);
  const auto shape = SmallOutputShape(node, 0);
  if (content == nullptr || indices == nullptr || !shape) return;
  if (indices->is_float() || indices->shape.empty()) return;
  const int64_t batch_dims = node.Int("batch_dims", 0);
  const auto rank = static_cast<int64_t>(content->shape.size());
  const int64_t length = indices->shape.back();
  if (batch_dims < 0 || length < 1 || length > rank - batch_dims) return;
  if (static_cast<int64_t>(indices->shape.size()) <= batch_dims) return;
  const std::vector<int64_t> strides = StridesOf(content->shape);
  int64_t batches = 1, slice = 1;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t size = content->shape[static_cast<size_t>(i)];
    if (i < batch_dims) {
      if (indices->shape[static_cast<size_t>(i)] != size) return;
      batches *= size;
    }
    if (i >= batch_dims + length) slice *= size;
  }
  if (content->size() == 0 || indices->size() == 0) return;
  const int64_t tuples = indices->size() / length;
  const int64_t batch_size = content->size() / batches;
  Positions positions;
  positions.reserve(static_cast<size_t>(*SmallCount(*shape)));
  for (int64_t tuple = 0; tuple < tuples; ++tuple) {
    const int64_t base = tuple / (tuples / batches) * batch_size;
    const int64_t at = TuplePosition(*indices, tuple, length, content->shape,
                                     static_cast<size_t>(batch_dims), strides);
    for (int64_t i = 0; i < slice; ++i) {
      positions.push_back(at == kNowhere ? kNowhere : base + at + i);
    }
  }
  if (SmallCount(*shape) != static_cast<int64_t>(positions.size())) return;
  Publish(node, 0, Take(*content, *shape, positions));
}

// Keeps the slices (or, without an axis, the elements) whose condition holds.
void EvaluateCompress(NodeContext& node) {
  const TensorValue* content = ContentOf(node, 0);
  const auto condition = node.IntsOf(1);
  if (content == nullptr || !condition) return;
  KnownShape shape = {content->size()};
  size_t axis = 0;
  if (node.HasAttribute("axis")) {
    const auto given = NormalAxis(node.Int("axis", 0), content->shape.size());
    if (!given) return;
    axis = *given;
    shape = content->shape;
  }
  std::vector<int64_t> kept;
  for (size_t i = 0; i < condition->size(); ++i) {
    if ((*condition)[i] == 0) continue;
    if (static_cast<int64_t>(i) >= shape[axis]) return;
    kept.push_back(static_cast<int64_t>(i));
  }
  const Lanes lanes = LanesOf(shape, axis);
  Positions positions;
  for (int64_t outer = 0; outer < lanes.outer; ++outer) {
    for (int64_t at : kept) {
      for (int64_t inner = 0; inner < lanes.inner; ++inner) {
        positions.push_back(lanes.At(outer, at, inner));
      }
    }
  }
  shape[axis] = static_cast<int64_t>(kept.size());
  Publish(node, 0, Take(*content, shape, positions));
}

constexpr EvaluatorRow kRows[] = {
    {"", "Compress", EvaluateCompress},
    {"", "Gather", EvaluateGather},
    {"", "GatherElements", EvaluateGatherElements},
    {"", "GatherND", EvaluateGatherND},
};

}  // namespace

absl::Span<const EvaluatorRow> GatherEvaluators() { return kRows; }

}  // namespace memplan
