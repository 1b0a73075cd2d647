#ifndef MEMPLAN_ONNX_FRONTEND_ATTENTION_BODY_H_
#define MEMPLAN_ONNX_FRONTEND_ATTENTION_BODY_H_

#include "onnx_frontend/model_graph.h"

namespace memplan {

// What FlexAttention feeds to its bodies: the scores of each query for each
// key, [batch, heads, L, S], in the type that its softmax computes in. Does
// nothing for other nodes.
void TypeAttentionBody(ModelGraph& graph, NodeIndex node, BodyIndex body);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ATTENTION_BODY_H_
