#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_LOST_SHAPES_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_LOST_SHAPES_H_

#include <vector>

#include "onnx_frontend/model_graph.h"

namespace memplan {

// Which shapes ONNX Runtime cannot know when it loads the model, though we can,
// by value: its inference follows the contents of shape tensors through few
// operators (onnx's data propagation), and where it loses them, every shape
// downstream is lost. Of the main graph; `graph` must be inferred. O(size of
// the graph).
std::vector<bool> ShapesLostByOnnxRuntime(const ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_LOST_SHAPES_H_
