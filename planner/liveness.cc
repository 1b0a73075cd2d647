#include "planner/liveness.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "planner/graph_index.h"

namespace memplan {
namespace {

// Bodies lie inside their node on one timeline, so a read deep inside a body
// is, for a value of the main graph, a read by the outermost node around it:
//
//   step      0     1        2       3       4
//             Relu  Loop begins      ends    Exp
//                            [ Add ]
//   x         |---------------------|               x = Relu(..), read by Add:
//   Add's             |------|                      again in each iteration
class Liveness {
 public:
  Liveness(const Graph& graph, const Timeline& timeline)
      : graph_(graph),
        timeline_(timeline),
        index_(IndexGraph(graph)),
        lifespans_(graph.values.size()) {}

  std::vector<Lifespan> Run() {
    BeginAll();
    for (NodeIndex n : timeline_.order) Visit(n);
    for (ValueIndex v : graph_.bodies[0].outputs) {
      Extend(v, timeline_.num_steps);
    }
    return std::move(lifespans_);
  }

 private:
  // Each value for the steps of its producer. What a body or the graph receives
  // takes its bytes for a step even if nobody reads it; where the graph has
  // one.
  void BeginAll() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      for (ValueIndex v : graph_.nodes[n].outputs) {
        lifespans_[static_cast<size_t>(v)] = timeline_.node_steps[n];
      }
    }
    for (size_t b = 0; b < graph_.bodies.size(); ++b) {
      const int64_t begin = timeline_.body_steps[b].begin;
      for (ValueIndex v : graph_.bodies[b].inputs) {
        lifespans_[static_cast<size_t>(v)] = {
            begin, std::min(begin + 1, timeline_.num_steps)};
      }
    }
  }

  void Visit(NodeIndex n) {
    const Node& node = graph_.nodes[static_cast<size_t>(n)];
    const size_t depth = Depth(index_.body_of[static_cast<size_t>(n)]);
    // Nodes come by their first step: those above `depth` enclose this one.
    enclosing_.resize(std::max(enclosing_.size(), depth + 1));
    enclosing_[depth] = n;
    for (ValueIndex v : node.inputs) Read(v);
    for (BodyIndex b : node.bodies) VisitBody(b);
  }

  void VisitBody(BodyIndex b) {
    const Body& body = graph_.bodies[static_cast<size_t>(b)];
    const int64_t end = timeline_.body_steps[static_cast<size_t>(b)].end;
    if (body.repeats) {
      for (ValueIndex v : body.inputs) Extend(v, end);
    }
    for (ValueIndex v : body.outputs) {
      if (index_.home[static_cast<size_t>(v)] == b) {
        Extend(v, end);
      } else {
        Read(v);  // a captured value is handed on
      }
    }
  }

  // The read by the node that is being visited, as the value's own body sees
  // it.
  void Read(ValueIndex v) {
    const size_t depth = Depth(index_.home[static_cast<size_t>(v)]);
    const NodeIndex reader = enclosing_[depth];
    Extend(v, timeline_.node_steps[static_cast<size_t>(reader)].end);
  }

  void Extend(ValueIndex v, int64_t end) {
    int64_t& own = lifespans_[static_cast<size_t>(v)].end;
    own = std::max(own, end);
  }

  size_t Depth(BodyIndex b) const {
    return static_cast<size_t>(index_.depth[static_cast<size_t>(b)]);
  }

  const Graph& graph_;
  const Timeline& timeline_;
  const GraphIndex index_;
  std::vector<NodeIndex> enclosing_;  // by depth
  std::vector<Lifespan> lifespans_;
};

}  // namespace

std::vector<Lifespan> ComputeLifespans(const Graph& graph,
                                       const Timeline& timeline) {
  return Liveness(graph, timeline).Run();
}

}  // namespace memplan
