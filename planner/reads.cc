#include "planner/reads.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "planner/timeline.h"

namespace memplan {
namespace {

// The nodes in file order, each before what is inside it.
std::vector<NodeIndex> OuterFirst(const Graph& graph) {
  const absl::StatusOr<Timeline> timeline =
      MakeTimeline(graph, FileOrder(graph));
  return timeline.ok() ? timeline->order : std::vector<NodeIndex>();
}

class ReadCollector {
 public:
  ReadCollector(const Graph& graph, const GraphIndex& index, bool captures_only)
      : graph_(graph),
        index_(index),
        captures_only_(captures_only),
        reads_(graph.nodes.size()),
        last_reader_(graph.values.size()) {}

  std::vector<std::vector<ValueIndex>> Run() {
    for (NodeIndex n : OuterFirst(graph_)) {
      const Node& node = graph_.nodes[static_cast<size_t>(n)];
      const auto depth =
          static_cast<size_t>(Depth(index_.body_of[static_cast<size_t>(n)]));
      enclosing_.resize(std::max(enclosing_.size(), depth + 1));
      enclosing_[depth] = n;
      for (ValueIndex v : node.inputs) {
        const bool is_capture = index_.home[static_cast<size_t>(v)] !=
                                index_.body_of[static_cast<size_t>(n)];
        if (is_capture || !captures_only_) Add(v);
      }
      for (BodyIndex b : node.bodies) {
        for (ValueIndex v : graph_.bodies[static_cast<size_t>(b)].outputs) {
          // A body's own output is read inside; a captured one, by this node.
          if (index_.home[static_cast<size_t>(v)] != b) Add(v);
        }
      }
    }
    return std::move(reads_);
  }

 private:
  int32_t Depth(BodyIndex b) const {
    return index_.depth[static_cast<size_t>(b)];
  }

  void Add(ValueIndex v) {
    const size_t i = static_cast<size_t>(v);
    const NodeIndex reader =
        enclosing_[static_cast<size_t>(Depth(index_.home[i]))];
    if (last_reader_[i] == reader) return;
    last_reader_[i] = reader;
    reads_[static_cast<size_t>(reader)].push_back(v);
  }

  const Graph& graph_;
  const GraphIndex& index_;
  const bool captures_only_;
  std::vector<NodeIndex> enclosing_;  // by depth
  std::vector<std::vector<ValueIndex>> reads_;
  std::vector<std::optional<NodeIndex>> last_reader_;  // by value
};

// Whether a node, or one inside it, keeps its order.
std::vector<bool> KeepsOrder(const Graph& graph, const GraphIndex& index) {
  std::vector<bool> keeps(graph.nodes.size());
  const std::vector<NodeIndex> outer_first = OuterFirst(graph);
  for (auto it = outer_first.rbegin(); it != outer_first.rend(); ++it) {
    const size_t n = static_cast<size_t>(*it);
    if (graph.nodes[n].keeps_order) keeps[n] = true;
    const auto owner = index.owner[static_cast<size_t>(index.body_of[n])];
    if (keeps[n] && owner) keeps[static_cast<size_t>(*owner)] = true;
  }
  return keeps;
}

}  // namespace

std::vector<std::vector<ValueIndex>> ReadsByNode(const Graph& graph,
                                                 const GraphIndex& index) {
  return ReadCollector(graph, index, /*captures_only=*/false).Run();
}

std::vector<std::vector<ValueIndex>> CapturesByNode(const Graph& graph,
                                                    const GraphIndex& index) {
  return ReadCollector(graph, index, /*captures_only=*/true).Run();
}

std::vector<std::vector<std::vector<int32_t>>> Predecessors(
    const Graph& graph, const GraphIndex& index, KeptOrder kept) {
  const std::vector<std::vector<ValueIndex>> reads = ReadsByNode(graph, index);
  const std::vector<bool> keeps = kept == KeptOrder::kNone
                                      ? std::vector<bool>(graph.nodes.size())
                                      : KeepsOrder(graph, index);
  std::vector<int32_t> position(graph.nodes.size());
  for (const Body& body : graph.bodies) {
    for (size_t i = 0; i < body.nodes.size(); ++i) {
      position[static_cast<size_t>(body.nodes[i])] = static_cast<int32_t>(i);
    }
  }
  std::vector<std::vector<std::vector<int32_t>>> result(graph.bodies.size());
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    std::optional<int32_t> last_kept;
    for (NodeIndex n : graph.bodies[b].nodes) {
      const size_t i = static_cast<size_t>(n);
      std::vector<int32_t>& before = result[b].emplace_back();
      for (ValueIndex v : reads[i]) {
        const auto producer = index.producer[static_cast<size_t>(v)];
        if (producer)
          before.push_back(position[static_cast<size_t>(*producer)]);
      }
      if (keeps[i] && last_kept) before.push_back(*last_kept);
      if (keeps[i]) last_kept = position[i];
      std::sort(before.begin(), before.end());
      before.erase(std::unique(before.begin(), before.end()), before.end());
    }
  }
  return result;
}

}  // namespace memplan
