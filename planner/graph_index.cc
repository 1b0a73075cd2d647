#include "planner/graph_index.h"

namespace memplan {

GraphIndex IndexGraph(const Graph& graph) {
  GraphIndex index;
  index.producer.resize(graph.values.size());
  index.home.assign(graph.values.size(), 0);
  index.body_of.assign(graph.nodes.size(), 0);
  index.owner.resize(graph.bodies.size());
  index.depth.assign(graph.bodies.size(), 0);

  std::vector<BodyIndex> to_visit = {0};
  while (!to_visit.empty()) {
    const BodyIndex b = to_visit.back();
    to_visit.pop_back();
    const Body& body = graph.bodies[static_cast<size_t>(b)];
    for (ValueIndex v : body.inputs) index.home[static_cast<size_t>(v)] = b;
    for (NodeIndex n : body.nodes) {
      const Node& node = graph.nodes[static_cast<size_t>(n)];
      index.body_of[static_cast<size_t>(n)] = b;
      for (ValueIndex v : node.outputs) {
        index.producer[static_cast<size_t>(v)] = n;
        index.home[static_cast<size_t>(v)] = b;
      }
      for (BodyIndex inner : node.bodies) {
        index.owner[static_cast<size_t>(inner)] = n;
        index.depth[static_cast<size_t>(inner)] =
            index.depth[static_cast<size_t>(b)] + 1;
        to_visit.push_back(inner);
      }
    }
  }
  return index;
}

}  // namespace memplan
