#ifndef MEMPLAN_ONNX_FRONTEND_FILE_ORDERS_H_
#define MEMPLAN_ONNX_FRONTEND_FILE_ORDERS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "onnx_frontend/read_model.h"
#include "planner/graph.h"
#include "planner/timeline.h"

namespace memplan {

// How a file is to list its nodes: for the graph of each scope (bodies by the
// positions that their nodes have now), the present positions of its nodes in
// their new sequence. Graphs that are not in it stay as they are.
using FileOrders = std::map<std::string, std::vector<int64_t>>;

// The orders with which the file lists its nodes as the schedule runs them.
// Constant nodes come right before the first node that needs them. A call of a
// function is one node of the file, and comes with the first of the function's
// nodes, right after what any of them reads; bodies inside functions stay as
// they are, since all calls share them. `graph` is what the model lowers to.
// O(n log n).
FileOrders OrdersForFile(const Model& model, const Graph& graph,
                         const Schedule& schedule);

// The model as it reads once its file has these orders. (`left_out` still
// counts the old file's bytes.)
Model WithNodesInOrder(const Model& model, const FileOrders& orders);

// The scope of a body: "8.else_branch" below its node's own scope.
std::string BodyScope(const std::string& scope, int64_t position,
                      const std::string& attribute);

// Of "graphs" attributes, each body has its own: "bodies[1]".
std::string BodyName(const std::string& attribute, int index);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FILE_ORDERS_H_
