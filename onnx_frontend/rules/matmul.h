#ifndef MEMPLAN_ONNX_FRONTEND_RULES_MATMUL_H_
#define MEMPLAN_ONNX_FRONTEND_RULES_MATMUL_H_

#include "absl/status/statusor.h"
#include "onnx_frontend/node_context.h"

namespace memplan {

// The shape of numpy's matmul of two tensors (Operators.md#MatMul): leading
// dimensions broadcast, a vector counts as a matrix whose added dimension is
// dropped again. An error where the inner dimensions differ.
absl::StatusOr<Shape> MatMulShape(const NodeContext& node, const Shape& a,
                                  const Shape& b);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULES_MATMUL_H_
