#ifndef MEMPLAN_ONNX_FRONTEND_INFERENCE_H_
#define MEMPLAN_ONNX_FRONTEND_INFERENCE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "onnx_frontend/model_graph.h"

namespace memplan {

// The state of one run of InferShapes, and the mutual recursion between nodes
// and bodies: control flow (infer_control_flow.cc) visits bodies, bodies visit
// nodes (infer_shapes.cc).
struct Inference {
  explicit Inference(ModelGraph& model);

  ModelGraph& graph;
  bool strict = false;
  // Declared types fill what cannot be computed; not where the user gave other
  // input shapes.
  bool trust_declared = true;
  std::map<std::string, std::vector<int64_t>> bounds;
  // By value: of which value the content would have to be known to know this
  // one's content. For reasons.
  std::vector<ValueIndex> content_source;
  // Loops visit their bodies again; nested ones multiply. Past this, nothing is
  // visited again.
  int64_t visits_left = 0;
  // Only what ONNX Runtime would know (onnxruntime_inference.h), and the names
  // that the model has for dimensions.
  bool as_onnxruntime = false;
  std::set<std::string> declared_symbols;
};

// Infers every node of the body in order. The body's inputs must have their
// types.
absl::Status InferBody(Inference& inference, BodyIndex body);

// The rules for If, Loop, Scan and SequenceMap. True if the node is one of
// these and `status` is its outcome.
bool InferControlFlow(Inference& inference, NodeIndex node,
                      absl::Status& status);

// Bodies of operators that we have no rule for, as far as declared types carry.
void InferForeignBodies(Inference& inference, NodeIndex node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_INFERENCE_H_
