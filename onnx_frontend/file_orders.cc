#include "onnx_frontend/file_orders.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/graph_builder.h"
#include "planner/graph_index.h"
#include "planner/reads.h"

// A file's graph has more nodes than the plan's: constants, and calls of
// functions of which only the insides are planned. So the schedule says who
// wants to come first, and the names in the file say what must come before it:
// each node is written once all that it reads is.

namespace memplan {
namespace {

using NameSet = absl::flat_hash_set<std::string>;

template <typename Graph>
NameSet DefinedNames(const Graph& graph) {
  NameSet names;
  for (const auto& input : graph.input()) names.insert(input.name());
  for (const auto& tensor : graph.initializer()) names.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) {
    names.insert(tensor.values().name());
  }
  for (const auto& node : graph.node()) {
    names.insert(node.output().begin(), node.output().end());
  }
  return names;
}

void AddReads(const onnx::NodeProto& node, NameSet& reads);

// What a body reads from around it.
void AddCaptures(const onnx::GraphProto& body, NameSet& reads) {
  NameSet inside;
  for (const auto& node : body.node()) AddReads(node, inside);
  for (const auto& output : body.output()) inside.insert(output.name());
  const NameSet defined = DefinedNames(body);
  for (const std::string& name : inside) {
    if (!defined.contains(name)) reads.insert(name);
  }
}

// Bodies nest no deeper than protobuf's messages may.
void AddReads(const onnx::NodeProto& node, NameSet& reads) {
  reads.insert(node.input().begin(), node.input().end());
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) AddCaptures(attribute.g(), reads);
    for (const auto& body : attribute.graphs()) AddCaptures(body, reads);
  }
}

// By position in a graph of the file: the positions that must come before.
using Edges = std::vector<std::vector<int64_t>>;

Edges EdgesByName(const onnx::GraphProto& graph) {
  absl::flat_hash_map<std::string, int64_t> producers;
  for (int i = 0; i < graph.node_size(); ++i) {
    for (const std::string& name : graph.node(i).output()) {
      if (!name.empty()) producers.emplace(name, i);
    }
  }
  Edges before(static_cast<size_t>(graph.node_size()));
  for (int i = 0; i < graph.node_size(); ++i) {
    NameSet reads;
    AddReads(graph.node(i), reads);
    for (const std::string& name : reads) {
      const auto it = producers.find(name);
      if (it == producers.end() || it->second == i) continue;
      before[static_cast<size_t>(i)].push_back(it->second);
    }
  }
  return before;
}

// Writes nodes, each after those that it needs. Empty where they need each
// other.
std::vector<int64_t> AfterWhatTheyNeed(const std::vector<int64_t>& wished,
                                       Edges before) {
  for (std::vector<int64_t>& positions : before) {
    std::sort(positions.begin(), positions.end(), std::greater<>());
  }
  enum class State : uint8_t { kWaits, kOpen, kWritten };
  std::vector<State> states(before.size());
  std::vector<int64_t> order;
  for (const int64_t first : wished) {
    std::vector<int64_t> stack = {first};
    while (!stack.empty()) {
      const int64_t at = stack.back();
      State& state = states[static_cast<size_t>(at)];
      std::vector<int64_t>& needs = before[static_cast<size_t>(at)];
      if (state == State::kWritten || needs.empty()) {
        if (state != State::kWritten) order.push_back(at);
        state = State::kWritten;
        stack.pop_back();
        continue;
      }
      state = State::kOpen;
      const int64_t next = needs.back();
      needs.pop_back();
      if (states[static_cast<size_t>(next)] == State::kOpen) return {};
      stack.push_back(next);
    }
  }
  return order;
}

class Orders {
 public:
  Orders(const Graph& graph, const Schedule& schedule)
      : graph_(graph),
        schedule_(schedule),
        before_(
            Predecessors(graph, IndexGraph(graph), KeptOrder::kAmongKeepers)) {
    for (size_t b = 0; b < graph.bodies.size(); ++b) {
      const auto [it, is_new] = bodies_.emplace(graph.bodies[b].scope, b);
      // A node with two attributes of one name: nobody knows which is meant.
      if (!is_new) it->second.reset();
    }
  }

  FileOrders Find(const onnx::GraphProto& main) {
    Visit(main, "");
    return std::move(result_);
  }

 private:
  void Visit(const onnx::GraphProto& graph, const std::string& scope) {
    const auto body = bodies_.find(scope);
    if (body == bodies_.end() || !body->second) return;  // not planned
    std::vector<int64_t> order = OrderOf(graph, *body->second);
    if (!std::is_sorted(order.begin(), order.end())) {
      result_.emplace(scope, std::move(order));
    }
    for (int i = 0; i < graph.node_size(); ++i) {
      for (const auto& attribute : graph.node(i).attribute()) {
        if (attribute.has_g()) {
          Visit(attribute.g(), BodyScope(scope, i, attribute.name()));
        }
        for (int k = 0; k < attribute.graphs_size(); ++k) {
          Visit(attribute.graphs(k),
                BodyScope(scope, i, BodyName(attribute.name(), k)));
        }
      }
    }
  }

  std::vector<int64_t> OrderOf(const onnx::GraphProto& graph, size_t b) const {
    const std::vector<NodeIndex>& nodes = graph_.bodies[b].nodes;
    // A hostile attribute's name can look like the scope of another body.
    for (const NodeIndex n : nodes) {
      if (SlotOf(n) >= graph.node_size()) return {};
    }
    Edges before = EdgesByName(graph);
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (const int32_t p : before_[b][i]) {
        const int64_t from = SlotOf(nodes[static_cast<size_t>(p)]);
        const int64_t to = SlotOf(nodes[i]);
        if (from != to) before[static_cast<size_t>(to)].push_back(from);
      }
    }
    std::vector<int64_t> wished;
    for (const NodeIndex n : schedule_.orders[b]) wished.push_back(SlotOf(n));
    if (std::is_sorted(wished.begin(), wished.end())) return {};
    for (int i = 0; i < graph.node_size(); ++i) wished.push_back(i);
    return AfterWhatTheyNeed(wished, std::move(before));
  }

  int64_t SlotOf(NodeIndex n) const {
    return graph_.nodes[static_cast<size_t>(n)].file_slot;
  }

  const Graph& graph_;
  const Schedule& schedule_;
  const std::vector<std::vector<std::vector<int32_t>>> before_;
  absl::flat_hash_map<std::string, std::optional<size_t>> bodies_;  // by scope
  FileOrders result_;
};

void Reorder(const FileOrders& orders, const std::string& scope,
             onnx::GraphProto& graph) {
  for (int i = 0; i < graph.node_size(); ++i) {
    for (auto& attribute : *graph.mutable_node(i)->mutable_attribute()) {
      if (attribute.has_g()) {
        Reorder(orders, BodyScope(scope, i, attribute.name()),
                *attribute.mutable_g());
      }
      for (int k = 0; k < attribute.graphs_size(); ++k) {
        Reorder(orders, BodyScope(scope, i, BodyName(attribute.name(), k)),
                *attribute.mutable_graphs(k));
      }
    }
  }
  const auto order = orders.find(scope);
  if (order == orders.end()) return;
  std::vector<onnx::NodeProto*> nodes(static_cast<size_t>(graph.node_size()));
  graph.mutable_node()->ExtractSubrange(0, graph.node_size(), nodes.data());
  for (const int64_t position : order->second) {
    graph.mutable_node()->AddAllocated(nodes[static_cast<size_t>(position)]);
  }
}

}  // namespace

std::string BodyScope(const std::string& scope, int64_t position,
                      const std::string& attribute) {
  return JoinScopes(scope, absl::StrCat(position, ".", attribute));
}

std::string BodyName(const std::string& attribute, int index) {
  return absl::StrCat(attribute, "[", index, "]");
}

FileOrders OrdersForFile(const Model& model, const Graph& graph,
                         const Schedule& schedule) {
  return Orders(graph, schedule).Find(model.proto->graph());
}

Model WithNodesInOrder(const Model& model, const FileOrders& orders) {
  Model result = model;
  auto proto = std::make_shared<onnx::ModelProto>(*model.proto);
  Reorder(orders, "", *proto->mutable_graph());
  result.proto = std::move(proto);
  return result;
}

}  // namespace memplan
