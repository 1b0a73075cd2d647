#ifndef MEMPLAN_ONNX_FRONTEND_LOWER_GRAPH_H_
#define MEMPLAN_ONNX_FRONTEND_LOWER_GRAPH_H_

#include "absl/status/statusor.h"
#include "onnx_frontend/model_graph.h"
#include "planner/graph.h"

namespace memplan {

// The planner's graph of a typed model: ONNX ends here. Sizes are exact bytes;
// a size that is not known stays unset with its reason. Who may share with whom
// comes from sharing_rules.h. Errors (InvalidArgument): a size past int64_t.
absl::StatusOr<Graph> LowerGraph(const ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_LOWER_GRAPH_H_
