#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_KERNELS_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_KERNELS_H_

#include "onnx_frontend/model_graph.h"

namespace memplan {

bool IsHalf(const ModelGraph& graph, ValueIndex value);  // a float16 tensor

// Whether ONNX Runtime (1.30, x64) has a CPU kernel that takes the node's
// float16 inputs as they are. Most compute in float32 alone; those that move
// bytes take anything.
bool HasHalfKernel(const ModelGraph& graph, const ModelNode& node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_KERNELS_H_
