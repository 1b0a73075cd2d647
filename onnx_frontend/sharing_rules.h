#ifndef MEMPLAN_ONNX_FRONTEND_SHARING_RULES_H_
#define MEMPLAN_ONNX_FRONTEND_SHARING_RULES_H_

#include <vector>

#include "onnx_frontend/model_graph.h"
#include "planner/graph.h"

namespace memplan {

// Which outputs of this node may live in the bytes of which inputs, by
// operator: views first, then in-place. A table; each row has its source.
// Whether they do is the planner's decision.
std::vector<ShareRule> ShareRulesOf(const ModelGraph& graph, NodeIndex node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_SHARING_RULES_H_
