#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_INFERENCE_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_INFERENCE_H_

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "onnx_frontend/model_graph.h"

namespace memplan {

// What ONNX Runtime (1.30) knows of shapes when it loads a model, where that is
// less than we do, or other. Its inference is onnx's, which looks at contents
// where they are constants, or numbers that were followed through a few
// operators from a Shape on. Symbols are copied, never computed with. What the
// model declares fills in the rest. Found by asking the runtime for the shapes
// of small models, and of the corpus's.

// While it lives, the node's rule sees no contents that the runtime would not
// look at.
class HiddenContents {
 public:
  HiddenContents(ModelGraph& graph, NodeIndex node);
  ~HiddenContents();
  HiddenContents(const HiddenContents&) = delete;
  HiddenContents& operator=(const HiddenContents&) = delete;

 private:
  ModelGraph& graph_;
  std::vector<std::pair<ValueIndex, std::optional<TensorValue>>> hidden_;
};

// Takes from the node's outputs what the runtime does not know, and adds what
// the model declares. `symbols`: the names that the model has for dimensions.
void KeepWhatOnnxRuntimeKnows(const std::set<std::string>& symbols,
                              NodeIndex node, ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_INFERENCE_H_
