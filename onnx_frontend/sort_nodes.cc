#include "onnx_frontend/sort_nodes.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/node_context.h"

namespace memplan {
namespace {

// Who makes what, as the sort needs it. A value without a producer is an input
// or a constant.
struct Producers {
  std::vector<std::optional<NodeIndex>> of_value;
  std::vector<BodyIndex> body_of_node;
};

Producers FindProducers(const ModelGraph& graph) {
  Producers producers;
  producers.of_value.resize(graph.values.size());
  producers.body_of_node.resize(graph.nodes.size());
  for (size_t body = 0; body < graph.bodies.size(); ++body) {
    for (NodeIndex node : graph.bodies[body].nodes) {
      producers.body_of_node[static_cast<size_t>(node)] =
          static_cast<BodyIndex>(body);
    }
  }
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    for (const std::optional<ValueIndex>& output : graph.nodes[node].outputs) {
      if (!output.has_value()) continue;
      producers.of_value[static_cast<size_t>(*output)] =
          static_cast<NodeIndex>(node);
    }
  }
  return producers;
}

// By node: the nodes of the same body that must run before it, each once.
using Edges = std::vector<std::vector<NodeIndex>>;

// The node that each body stands in, itself in another body; unset for the main
// graph.
std::vector<std::optional<NodeIndex>> OwnersOfBodies(const ModelGraph& graph) {
  std::vector<std::optional<NodeIndex>> owners(graph.bodies.size());
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    for (BodyIndex body : graph.nodes[node].bodies) {
      owners[static_cast<size_t>(body)] = static_cast<NodeIndex>(node);
    }
  }
  return owners;
}

Edges FindEdges(const ModelGraph& graph, const Producers& producers) {
  const std::vector<std::optional<NodeIndex>> owners = OwnersOfBodies(graph);
  Edges before(graph.nodes.size());
  // A read counts for the node that encloses the reader in the producer's own
  // body.
  const auto add_read = [&](BodyIndex reading_body,
                            std::optional<NodeIndex> reader, ValueIndex value) {
    const std::optional<NodeIndex> producer =
        producers.of_value[static_cast<size_t>(value)];
    if (!producer.has_value()) return;
    const BodyIndex home =
        producers.body_of_node[static_cast<size_t>(*producer)];
    while (reading_body != home) {
      reader = owners[static_cast<size_t>(reading_body)];
      if (!reader.has_value()) return;
      reading_body = producers.body_of_node[static_cast<size_t>(*reader)];
    }
    if (!reader.has_value()) return;  // the body's own output
    before[static_cast<size_t>(*reader)].push_back(*producer);
  };
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    const ModelBody& body = graph.bodies[b];
    for (NodeIndex node : body.nodes) {
      for (const auto& input : graph.nodes[static_cast<size_t>(node)].inputs) {
        if (input.has_value()) {
          add_read(static_cast<BodyIndex>(b), node, *input);
        }
      }
    }
    for (ValueIndex output : body.outputs) {
      add_read(static_cast<BodyIndex>(b), std::nullopt, output);
    }
  }
  for (std::vector<NodeIndex>& nodes : before) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return before;
}

bool IsSorted(const std::vector<NodeIndex>& order, const Edges& before,
              std::vector<char>& done) {
  for (NodeIndex node : order) {
    for (NodeIndex producer : before[static_cast<size_t>(node)]) {
      if (!done[static_cast<size_t>(producer)]) return false;
    }
    done[static_cast<size_t>(node)] = 1;
  }
  return true;
}

// "a -> b -> a", found by walking backwards among nodes that never became
// ready.
std::string DescribeCycle(const ModelGraph& graph, const Edges& before,
                          const std::vector<int>& waiting, NodeIndex start) {
  std::vector<NodeIndex> path;
  std::vector<char> seen(graph.nodes.size(), 0);
  NodeIndex node = start;
  while (!seen[static_cast<size_t>(node)]) {
    seen[static_cast<size_t>(node)] = 1;
    path.push_back(node);
    for (NodeIndex producer : before[static_cast<size_t>(node)]) {
      if (waiting[static_cast<size_t>(producer)] > 0) {
        node = producer;
        break;
      }
    }
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), node));
  std::reverse(path.begin(), path.end());
  constexpr size_t kShown = 8;
  std::string text = absl::StrCat("'", NodeLabel(graph, path.back()), "'");
  for (size_t i = 0; i < std::min(path.size(), kShown); ++i) {
    absl::StrAppend(&text, " -> '", NodeLabel(graph, path[i]), "'");
  }
  if (path.size() > kShown) {
    absl::StrAppend(&text, " -> ... (", path.size(), " nodes)");
  }
  return text;
}

// What sorting one body leaves in it does not matter to the next: each node is
// in one body.
struct Scratch {
  std::vector<std::vector<NodeIndex>> after;  // by node: who waits for it
  std::vector<int> waiting;                   // by node: for how many
};

absl::Status SortBody(const Edges& before, ModelGraph& graph, ModelBody& body,
                      Scratch& scratch) {
  const std::vector<NodeIndex>& nodes = body.nodes;
  std::vector<std::vector<NodeIndex>>& after = scratch.after;
  std::vector<int>& waiting = scratch.waiting;
  after.resize(graph.nodes.size());
  waiting.resize(graph.nodes.size());
  // Nodes are numbered in file order within a body, so the smallest index is
  // the first in the file.
  std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>> ready;
  for (NodeIndex node : nodes) {
    const auto& producers = before[static_cast<size_t>(node)];
    waiting[static_cast<size_t>(node)] = static_cast<int>(producers.size());
    for (NodeIndex producer : producers) {
      after[static_cast<size_t>(producer)].push_back(node);
    }
    if (producers.empty()) ready.push(node);
  }
  std::vector<NodeIndex> sorted;
  sorted.reserve(nodes.size());
  while (!ready.empty()) {
    const NodeIndex node = ready.top();
    ready.pop();
    sorted.push_back(node);
    for (NodeIndex next : after[static_cast<size_t>(node)]) {
      if (--waiting[static_cast<size_t>(next)] == 0) ready.push(next);
    }
  }
  if (sorted.size() < nodes.size()) {
    const NodeIndex stuck = *std::find_if(
        nodes.begin(), nodes.end(),
        [&](NodeIndex node) { return waiting[static_cast<size_t>(node)] > 0; });
    return absl::InvalidArgumentError(
        absl::StrCat("the graph has a cycle: ",
                     DescribeCycle(graph, before, waiting, stuck)));
  }
  body.nodes = std::move(sorted);
  return absl::OkStatus();
}

}  // namespace

absl::Status SortNodes(ModelGraph& graph) {
  const Producers producers = FindProducers(graph);
  const Edges before = FindEdges(graph, producers);
  std::vector<char> done(graph.nodes.size(), 0);
  Scratch scratch;
  for (ModelBody& body : graph.bodies) {
    if (IsSorted(body.nodes, before, done)) continue;
    const absl::Status sorted = SortBody(before, graph, body, scratch);
    if (!sorted.ok()) return sorted;
    graph.warnings.push_back(absl::StrCat(
        body.scope.empty() ? "the graph" : absl::StrCat("'", body.scope, "'"),
        " lists nodes before the producers of their inputs; they were sorted"));
  }
  return absl::OkStatus();
}

}  // namespace memplan
