#ifndef MEMPLAN_PLANNER_LABELS_H_
#define MEMPLAN_PLANNER_LABELS_H_

#include <string>

#include "planner/graph.h"

namespace memplan {

// How messages name things: "node 'Conv_3'", or "Conv node 3" where the model
// gives no name; "tensor 'x'". What stands in a body is followed by its scope.
std::string NodeLabel(const Graph& graph, NodeIndex node);
std::string ValueLabel(const Graph& graph, ValueIndex value);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_LABELS_H_
