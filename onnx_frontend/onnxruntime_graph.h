#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_GRAPH_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_GRAPH_H_

#include "onnx_frontend/model_graph.h"
#include "planner/onnxruntime_rules.h"

namespace memplan {

// Makes of the model, whose types are found, what ONNX Runtime (1.30, CPU, no
// optimisation) runs: a DequantizeLinear for each reader, Casts around nodes
// that cannot take float16, and of Casts that follow each other only those that
// matter. `facts` are then of the new
// graph. A float16 value that the runtime never makes, since it has it as
// float32, is float32 here; another value that it never makes is nobody's
// output. Indices of values stay, new ones come behind.
void MakeOnnxRuntimeGraph(ModelGraph& graph, OnnxRuntimeFacts& facts);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_GRAPH_H_
