#include "planner/timeline.h"

#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "planner/labels.h"

namespace memplan {
namespace {

// A body that is being laid out: its node at `position` waits for its
// `next_body`.
struct OpenBody {
  BodyIndex body = 0;
  size_t position = 0;
  size_t next_body = 0;
};

// Walks the schedule body by body and hands out the steps; knows which values
// can be read at each point.
class Layout {
 public:
  Layout(const Graph& graph, const Schedule& schedule)
      : graph_(graph), schedule_(schedule), readable_(graph.values.size()) {
    timeline_.node_steps.resize(graph.nodes.size());
    timeline_.body_steps.resize(graph.bodies.size());
    timeline_.order.reserve(graph.nodes.size());
    for (size_t v = 0; v < graph.values.size(); ++v) {
      readable_[v] = graph.values[v].kind == ValueKind::kInitializer;
    }
  }

  absl::StatusOr<Timeline> Run() {
    Enter(0);
    while (!open_.empty()) {
      const OpenBody at = open_.back();
      const std::vector<NodeIndex>& order =
          schedule_.orders[static_cast<size_t>(at.body)];
      absl::Status status;
      if (at.position == order.size()) {
        status = Leave(at.body);
      } else {
        status = Advance(order[at.position], open_.back());
      }
      if (!status.ok()) return status;
    }
    return std::move(timeline_);
  }

 private:
  void Enter(BodyIndex b) {
    timeline_.body_steps[static_cast<size_t>(b)].begin = timeline_.num_steps;
    SetReadable(graph_.bodies[static_cast<size_t>(b)].inputs, true);
    open_.push_back({.body = b});
  }

  absl::Status Leave(BodyIndex b) {
    const Body& body = graph_.bodies[static_cast<size_t>(b)];
    for (ValueIndex v : body.outputs) {
      if (readable_[static_cast<size_t>(v)]) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "nobody produces ", ValueLabel(graph_, v), ", an output of ",
          body.scope.empty() ? "the graph"
                             : absl::StrCat("'", body.scope, "'")));
    }
    timeline_.body_steps[static_cast<size_t>(b)].end = timeline_.num_steps;
    // Nobody outside may read what is inside.
    SetReadable(body.inputs, false);
    for (NodeIndex n : body.nodes) {
      SetReadable(graph_.nodes[static_cast<size_t>(n)].outputs, false);
    }
    open_.pop_back();
    return absl::OkStatus();
  }

  // Begins the node, enters its next body, or ends it.
  absl::Status Advance(NodeIndex n, OpenBody& at) {
    const Node& node = graph_.nodes[static_cast<size_t>(n)];
    Lifespan& steps = timeline_.node_steps[static_cast<size_t>(n)];
    if (at.next_body == 0) {
      if (absl::Status s = CheckReads(n); !s.ok()) return s;
      steps.begin = timeline_.num_steps++;
      timeline_.order.push_back(n);
    }
    if (at.next_body < node.bodies.size()) {
      Enter(node.bodies[at.next_body++]);  // may move what `at` refers to
      return absl::OkStatus();
    }
    if (!node.bodies.empty()) ++timeline_.num_steps;
    steps.end = timeline_.num_steps;
    SetReadable(node.outputs, true);
    ++at.position;
    at.next_body = 0;
    return absl::OkStatus();
  }

  absl::Status CheckReads(NodeIndex n) const {
    for (ValueIndex v : graph_.nodes[static_cast<size_t>(n)].inputs) {
      if (readable_[static_cast<size_t>(v)]) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(NodeLabel(graph_, n), " would read ",
                       ValueLabel(graph_, v), " before it is produced"));
    }
    return absl::OkStatus();
  }

  void SetReadable(const std::vector<ValueIndex>& values, bool readable) {
    for (ValueIndex v : values) readable_[static_cast<size_t>(v)] = readable;
  }

  const Graph& graph_;
  const Schedule& schedule_;
  std::vector<bool> readable_;
  std::vector<OpenBody> open_;
  Timeline timeline_;
};

absl::Status CheckOrders(const Graph& graph, const Schedule& schedule) {
  if (schedule.orders.size() != graph.bodies.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the schedule has orders for ", schedule.orders.size(),
                     " bodies, the graph has ", graph.bodies.size()));
  }
  // A node's body + 1, so long as it still waits for its turn.
  std::vector<size_t> waits_in(graph.nodes.size());
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    for (NodeIndex n : graph.bodies[b].nodes) {
      waits_in[static_cast<size_t>(n)] = b + 1;
    }
  }
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    bool good = schedule.orders[b].size() == graph.bodies[b].nodes.size();
    for (NodeIndex n : schedule.orders[b]) {
      good = good && n >= 0 && static_cast<size_t>(n) < graph.nodes.size() &&
             waits_in[static_cast<size_t>(n)] == b + 1;
      if (!good) break;
      waits_in[static_cast<size_t>(n)] = 0;
    }
    if (!good) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the order of body ", b, " is no permutation of its nodes"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

Schedule FileOrder(const Graph& graph) {
  Schedule schedule;
  schedule.orders.reserve(graph.bodies.size());
  for (const Body& body : graph.bodies) schedule.orders.push_back(body.nodes);
  return schedule;
}

absl::StatusOr<Timeline> MakeTimeline(const Graph& graph,
                                      const Schedule& schedule) {
  if (absl::Status s = CheckOrders(graph, schedule); !s.ok()) return s;
  return Layout(graph, schedule).Run();
}

}  // namespace memplan
