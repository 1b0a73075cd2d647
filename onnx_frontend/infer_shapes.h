#ifndef MEMPLAN_ONNX_FRONTEND_INFER_SHAPES_H_
#define MEMPLAN_ONNX_FRONTEND_INFER_SHAPES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/model_graph.h"

namespace memplan {

// What the user says of the model's inputs.
struct InputOptions {
  std::map<std::string, int64_t>
      dims;  // --dim batch=8: a symbolic dimension, or all of that name
  // --input-shape x:1,3,224,224. The name "" stands for the only input. A
  // dimension may be left to the model with -1 or a symbol's name.
  std::map<std::string, std::vector<std::string>> shapes;
  // --input-value shape:1,-1,8: the contents of an input that shapes depend on,
  // each element as the user wrote it: what it may be, the input's type says.
  std::map<std::string, std::vector<std::string>> values;
  // --bound mask_indices=2,64: an upper bound of the shape of a tensor that
  // only a run can tell.
  std::map<std::string, std::vector<int64_t>> bounds;
  bool strict =
      false;  // a declared shape that contradicts the computed one is an error
};

// Finds the type of every value of `graph`, in place: node by node, with our
// own rules first and the library's schemas where we have none, folding shape
// arithmetic on the way. What cannot be known keeps the reason and the node
// that first lost it. Errors (InvalidArgument): unknown names in `options`
// (with the nearest name), shapes that contradict the model, a node that no
// runtime could run.
absl::StatusOr<std::map<std::string, int64_t>> InferShapes(
    const InputOptions& options, ModelGraph& graph);

// Finds what ONNX Runtime knows of the types when it loads the model, before
// any run gives numbers (onnxruntime_inference.h).
absl::Status InferShapesAsOnnxRuntime(ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_INFER_SHAPES_H_
