#include "planner/order_onnxruntime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/graph_index.h"
#include "planner/reads.h"

namespace memplan {
namespace {

// By position in the body: its place in the file as the runtime numbers it.
// Nodes of an inlined function stand where the call does, in their own order.
std::vector<int32_t> ByFileSlot(const Graph& graph, const Body& body) {
  std::vector<int32_t> positions(body.nodes.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    positions[i] = static_cast<int32_t>(i);
  }
  const auto file_slot = [&](int32_t position) {
    const NodeIndex n = body.nodes[static_cast<size_t>(position)];
    return graph.nodes[static_cast<size_t>(n)].file_slot;
  };
  std::stable_sort(
      positions.begin(), positions.end(),
      [&](int32_t a, int32_t b) { return file_slot(a) < file_slot(b); });
  std::vector<int32_t> rank(positions.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    rank[static_cast<size_t>(positions[i])] = static_cast<int32_t>(i);
  }
  return rank;
}

// Positions in the order of execution.
std::vector<int32_t> DepthFirst(std::vector<std::vector<int32_t>> before,
                                const std::vector<int32_t>& rank) {
  const auto by_rank = [&](int32_t a, int32_t b) {
    return rank[static_cast<size_t>(a)] < rank[static_cast<size_t>(b)];
  };
  std::vector<bool> is_read(before.size());
  for (std::vector<int32_t>& producers : before) {
    std::sort(producers.begin(), producers.end(), by_rank);
    for (int32_t p : producers) is_read[static_cast<size_t>(p)] = true;
  }
  struct Entry {
    int32_t position;
    bool producers_are_done;
  };
  std::vector<int32_t> leaves;
  for (size_t i = 0; i < before.size(); ++i) {
    if (!is_read[i]) leaves.push_back(static_cast<int32_t>(i));
  }
  std::sort(leaves.begin(), leaves.end(), by_rank);
  std::vector<Entry> stack;
  for (int32_t leaf : leaves) stack.push_back({leaf, false});

  std::vector<int32_t> order;
  std::vector<bool> visited(before.size());
  while (!stack.empty()) {
    const Entry entry = stack.back();
    stack.pop_back();
    const size_t i = static_cast<size_t>(entry.position);
    if (entry.producers_are_done) {
      order.push_back(entry.position);
      continue;
    }
    if (visited[i]) continue;
    visited[i] = true;
    stack.push_back({entry.position, true});
    for (int32_t p : before[i]) stack.push_back({p, false});
  }
  return order;
}

}  // namespace

Schedule OnnxRuntimeOrder(const Graph& graph, KeptOrder kept) {
  const auto before = Predecessors(graph, IndexGraph(graph), kept);
  Schedule schedule;
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    const Body& body = graph.bodies[b];
    std::vector<NodeIndex>& order = schedule.orders.emplace_back();
    for (int32_t position : DepthFirst(before[b], ByFileSlot(graph, body))) {
      order.push_back(body.nodes[static_cast<size_t>(position)]);
    }
  }
  return schedule;
}

}  // namespace memplan
