#ifndef MEMPLAN_ONNX_FRONTEND_FOLD_ELEMENTWISE_H_
#define MEMPLAN_ONNX_FRONTEND_FOLD_ELEMENTWISE_H_

#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/fold/fold_util.h"

namespace memplan {

// An operation on two elements, on each kind of content. Null where it has no
// meaning there.
struct BinaryOperation {
  Dim (*ints)(const Dim&, const Dim&) = nullptr;
  double (*floats)(double, double) = nullptr;
  TensorValue (*fractions)(const TensorValue&, const TensorValue&) = nullptr;
};

// The two tensors of one node, broadcast to one shape. Unset where nothing is
// known of either, or one is large and unknown. `node` tells of the
// broadcasting of opsets below 7 (attributes "broadcast" and "axis").
std::optional<std::pair<TensorValue, TensorValue>> BroadcastInputs(
    const NodeContext& node, size_t a, size_t b);
// Both contents broadcast to one shape.
std::optional<std::pair<TensorValue, TensorValue>> Broadcast(
    const TensorValue& a, const TensorValue& b);

// Element by element on contents of one shape and type; numbers are rounded to
// the type, and what it cannot hold becomes unknown.
TensorValue Combine(const TensorValue& a, const TensorValue& b,
                    const BinaryOperation& operation);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FOLD_ELEMENTWISE_H_
