#ifndef MEMPLAN_ONNX_FRONTEND_FOLD_FOLD_UTIL_H_
#define MEMPLAN_ONNX_FRONTEND_FOLD_FOLD_UTIL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "onnx_frontend/dim.h"
#include "onnx_frontend/node_context.h"
#include "onnx_frontend/tensor_value.h"

// What evaluators share. Most of them only move elements: they say for each
// output element at which position (row-major) of the input it stands.
namespace memplan {

// No position: the element is unknown.
inline constexpr int64_t kNowhere = -1;

using Positions = std::vector<int64_t>;
using KnownShape = std::vector<int64_t>;

// The number of elements; unset where it is more than is evaluated.
std::optional<int64_t> SmallCount(const KnownShape& shape);
// The shape where all of it is known and it is small enough to be evaluated.
std::optional<KnownShape> SmallShape(const Shape* shape);
// That of what the shape rule found for the output.
std::optional<KnownShape> SmallOutputShape(const NodeContext& node, size_t i);

// The input's content, maybe partly known; null where nothing is.
const TensorValue* ContentOf(const NodeContext& node, size_t i);
// The same; where nothing is known of a very small tensor, that many unknown
// elements. Unset where it is large.
std::optional<TensorValue> ContentOrUnknown(const NodeContext& node, size_t i);
TensorValue UnknownContent(ElementType element, KnownShape shape);
// A scalar or one-element input as a number.
std::optional<int64_t> IntOf(const NodeContext& node, size_t i);

// Sets the output's content, unless nothing of it is known, or it contradicts
// the type that the shape rule found.
void Publish(NodeContext& node, size_t i, TensorValue content);
// Publishes the input's elements in the shape that the rule found.
void PublishReshaped(NodeContext& node, size_t i, const TensorValue& content);

// The axis counted from the front; unset where the rank does not have it.
std::optional<size_t> NormalAxis(int64_t axis, size_t rank);
// The distance between neighbours on each axis; zeros for an empty tensor.
std::vector<int64_t> StridesOf(const KnownShape& shape);
// offset + the sum of index * stride, for each index of `shape` in order.
Positions StridedPositions(const KnownShape& shape,
                           const std::vector<int64_t>& strides,
                           int64_t offset = 0);
// The sum of along[axis][index] * stride, where kNowhere on any axis is
// nowhere.
Positions ListedPositions(const std::vector<std::vector<int64_t>>& along,
                          const std::vector<int64_t>& strides);

// Both shapes broadcast to one; unset where they do not match or it is large.
std::optional<KnownShape> BroadcastShapes(const KnownShape& a,
                                          const KnownShape& b);
// For each element of `to`, where it comes from in the tensor of shape `from`,
// which broadcasts to it; unset where it does not.
std::optional<Positions> BroadcastPositions(const KnownShape& from,
                                            const KnownShape& to);

// The elements at `positions`, each one within `content` or nowhere.
TensorValue Take(const TensorValue& content, KnownShape shape,
                 const Positions& positions);

// The elements of all, one after the other, for Take; of one element type, in
// no shape.
TensorValue Joined(const std::vector<const TensorValue*>& contents);

// An axis of a tensor as `outer` x `length` x `inner`.
struct Lanes {
  int64_t outer = 1, length = 1, inner = 1;
  int64_t At(int64_t o, int64_t i, int64_t k) const {
    return (o * length + i) * inner + k;
  }
};
Lanes LanesOf(const KnownShape& shape, size_t axis);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FOLD_FOLD_UTIL_H_
