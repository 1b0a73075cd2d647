#ifndef MEMPLAN_ONNX_FRONTEND_FUNCTION_BODIES_H_
#define MEMPLAN_ONNX_FRONTEND_FUNCTION_BODIES_H_

#include <optional>
#include <vector>

#include "onnx_frontend/expansion.h"
#include "onnx_frontend/model_graph.h"

namespace memplan {

// The function that defines the node's operator for these element types of its
// inputs (kUndefined where an input is left out): the linked library's, or ours
// where the library is too old to know it. Unset where neither has one.
std::optional<Expansion> FunctionOf(const ModelNode& node,
                                    const std::vector<ElementType>& inputs);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FUNCTION_BODIES_H_
