#include "planner/graph.h"

#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "planner/labels.h"
#include "planner/timeline.h"

namespace memplan {
namespace {

template <typename T>
bool InRange(int32_t index, const std::vector<T>& items) {
  return index >= 0 && static_cast<size_t>(index) < items.size();
}

template <typename T>
bool AllInRange(const std::vector<int32_t>& indices,
                const std::vector<T>& items) {
  for (int32_t index : indices) {
    if (!InRange(index, items)) return false;
  }
  return true;
}

absl::Status CheckNodeIndices(const Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  bool good = AllInRange(node.inputs, graph.values) &&
              AllInRange(node.outputs, graph.values) &&
              AllInRange(node.bodies, graph.bodies);
  for (const ShareRule& rule : node.share_rules) {
    good = good && InRange(rule.value, graph.values) &&
           InRange(rule.base, graph.values) && rule.part_offset >= 0;
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("node ", n, ": an index is out of range"));
}

absl::Status CheckBodyIndices(const Graph& graph, size_t b) {
  const Body& body = graph.bodies[b];
  bool good = AllInRange(body.nodes, graph.nodes) &&
              AllInRange(body.inputs, graph.values) &&
              AllInRange(body.outputs, graph.values);
  for (const Carried& carried : body.carried) {
    good = good && InRange(carried.in, graph.values) &&
           InRange(carried.out, graph.values);
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("body ", b, ": an index is out of range"));
}

absl::Status CheckIndices(const Graph& graph) {
  if (graph.bodies.empty()) {
    return absl::InvalidArgumentError("the graph has no main body");
  }
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (graph.values[v].size.value_or(0) < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(ValueLabel(graph, static_cast<ValueIndex>(v)),
                       " has a negative size"));
    }
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (absl::Status s = CheckNodeIndices(graph, n); !s.ok()) return s;
  }
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    if (absl::Status s = CheckBodyIndices(graph, b); !s.ok()) return s;
  }
  return absl::OkStatus();
}

// Each node stands in one body, and each body but the first in one node; all of
// them hang together, which also rules out bodies that enclose themselves.
absl::Status CheckTree(const Graph& graph) {
  std::vector<bool> node_seen(graph.nodes.size());
  std::vector<bool> body_seen(graph.bodies.size());
  size_t nodes = 0;
  size_t bodies = 1;
  std::vector<BodyIndex> to_visit = {0};
  body_seen[0] = true;
  while (!to_visit.empty()) {
    const Body& body = graph.bodies[static_cast<size_t>(to_visit.back())];
    to_visit.pop_back();
    for (NodeIndex n : body.nodes) {
      if (node_seen[static_cast<size_t>(n)]) {
        return absl::InvalidArgumentError(
            absl::StrCat(NodeLabel(graph, n), " stands in two places"));
      }
      node_seen[static_cast<size_t>(n)] = true;
      ++nodes;
      for (BodyIndex inner : graph.nodes[static_cast<size_t>(n)].bodies) {
        if (body_seen[static_cast<size_t>(inner)]) {
          return absl::InvalidArgumentError(
              absl::StrCat("body ", inner, " has two owners"));
        }
        body_seen[static_cast<size_t>(inner)] = true;
        ++bodies;
        to_visit.push_back(inner);
      }
    }
  }
  if (nodes == graph.nodes.size() && bodies == graph.bodies.size()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "a node or a body is not reached from the main graph");
}

absl::Status CheckProducers(const Graph& graph) {
  std::vector<bool> produced(graph.values.size());
  const auto produce = [&](ValueIndex v) -> absl::Status {
    if (produced[static_cast<size_t>(v)]) {
      return absl::InvalidArgumentError(
          absl::StrCat(ValueLabel(graph, v), " has two producers"));
    }
    produced[static_cast<size_t>(v)] = true;
    return absl::OkStatus();
  };
  for (const Body& body : graph.bodies) {
    for (ValueIndex v : body.inputs) {
      if (absl::Status s = produce(v); !s.ok()) return s;
    }
  }
  for (const Node& node : graph.nodes) {
    for (ValueIndex v : node.outputs) {
      if (absl::Status s = produce(v); !s.ok()) return s;
    }
  }
  return absl::OkStatus();
}

// What the rules and the carried pairs name must belong to their node or body.
absl::Status CheckRulesAndCarried(const Graph& graph) {
  std::vector<size_t> input_of(graph.values.size());  // node or body + 1
  std::vector<size_t> output_of(graph.values.size());
  const auto mark = [](const std::vector<ValueIndex>& values, size_t stamp,
                       std::vector<size_t>& of) {
    for (ValueIndex v : values) of[static_cast<size_t>(v)] = stamp;
  };
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    mark(node.inputs, n + 1, input_of);
    mark(node.outputs, n + 1, output_of);
    for (const ShareRule& rule : node.share_rules) {
      const size_t value = static_cast<size_t>(rule.value);
      const size_t base = static_cast<size_t>(rule.base);
      const bool forward = output_of[value] == n + 1 && input_of[base] == n + 1;
      const bool backward = rule.kind == SharingKind::kPart &&
                            input_of[value] == n + 1 &&
                            output_of[base] == n + 1;
      if (!forward && !backward) {
        return absl::InvalidArgumentError(absl::StrCat(
            NodeLabel(graph, static_cast<NodeIndex>(n)),
            " has a sharing rule for a value that is not its own"));
      }
    }
  }
  input_of.assign(graph.values.size(), 0);
  output_of.assign(graph.values.size(), 0);
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    const Body& body = graph.bodies[b];
    mark(body.inputs, b + 1, input_of);
    mark(body.outputs, b + 1, output_of);
    for (const Carried& carried : body.carried) {
      if (input_of[static_cast<size_t>(carried.in)] != b + 1 ||
          output_of[static_cast<size_t>(carried.out)] != b + 1) {
        return absl::InvalidArgumentError(absl::StrCat(
            "body '", body.scope, "' carries a value that is not its own"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckGraph(const Graph& graph) {
  if (absl::Status s = CheckIndices(graph); !s.ok()) return s;
  if (absl::Status s = CheckTree(graph); !s.ok()) return s;
  if (absl::Status s = CheckProducers(graph); !s.ok()) return s;
  if (absl::Status s = CheckRulesAndCarried(graph); !s.ok()) return s;
  return MakeTimeline(graph, FileOrder(graph)).status();
}

}  // namespace memplan
