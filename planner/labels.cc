#include "planner/labels.h"

#include "absl/strings/str_cat.h"
#include "planner/printable.h"

namespace memplan {
namespace {

std::string InScope(const std::string& scope) {
  return scope.empty() ? "" : absl::StrCat(" in '", Printable(scope), "'");
}

}  // namespace

std::string NodeLabel(const Graph& graph, NodeIndex node) {
  const Node& n = graph.nodes[static_cast<size_t>(node)];
  // A node's outputs stand in the scope that it runs in.
  const std::string scope =
      n.outputs.empty()
          ? ""
          : InScope(graph.values[static_cast<size_t>(n.outputs.front())].scope);
  if (n.name.empty()) {
    return absl::StrCat(n.op_type.empty() ? "unnamed" : Printable(n.op_type),
                        " node ", n.file_index, scope);
  }
  return absl::StrCat("node '", Printable(n.name), "'", scope);
}

std::string ValueLabel(const Graph& graph, ValueIndex value) {
  const Value& v = graph.values[static_cast<size_t>(value)];
  return absl::StrCat("tensor '", Printable(v.name), "'", InScope(v.scope));
}

}  // namespace memplan
