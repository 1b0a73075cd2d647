#ifndef MEMPLAN_ONNX_FRONTEND_GENERATION_BODY_H_
#define MEMPLAN_ONNX_FRONTEND_GENERATION_BODY_H_

#include "onnx_frontend/model_graph.h"

namespace memplan {

// What BeamSearch, GreedySearch and Sampling feed to their bodies: sets the
// types of the inputs whose shapes follow from the node's own, and leaves the
// others, above all the length of the past, as they are. Where a length differs
// from step to step it is a symbol with a range. Does nothing for other nodes.
void TypeGenerationBody(ModelGraph& graph, NodeIndex node, BodyIndex body);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_GENERATION_BODY_H_
