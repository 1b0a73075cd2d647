#ifndef MEMPLAN_TESTS_PLANNER_GRAPH_BUILDER_H_
#define MEMPLAN_TESTS_PLANNER_GRAPH_BUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "planner/graph.h"

namespace memplan {

// Writes graphs down as tests need them:
//
//   GraphBuilder g;
//   const ValueIndex x = g.Input("x", 8);
//   const ValueIndex a = g.Op("a", {x}, 8);
//   g.Output(g.View("b", a));
//
// A node is called like its first output.
class GraphBuilder {
 public:
  GraphBuilder() { graph_.bodies.emplace_back(); }

  ValueIndex Input(std::string name, std::optional<int64_t> size) {
    const ValueIndex v = Add(std::move(name), size);
    value(v).kind = ValueKind::kInput;
    value(v).is_graph_input = true;
    graph_.bodies[0].inputs.push_back(v);
    return v;
  }

  ValueIndex Constant(std::string name, int64_t size) {
    const ValueIndex v = Add(std::move(name), size);
    value(v).kind = ValueKind::kInitializer;
    return v;
  }

  // A node with one output of so many bytes.
  ValueIndex Op(std::string name, std::vector<ValueIndex> inputs,
                std::optional<int64_t> size) {
    const NodeIndex n = Node(name, std::move(inputs));
    return AddOutput(n, std::move(name), size);
  }
  ValueIndex View(std::string name, ValueIndex base) {
    return Sharing(SharingKind::kView, std::move(name), base, {});
  }
  ValueIndex InPlace(std::string name, ValueIndex base,
                     std::vector<ValueIndex> others = {}) {
    return Sharing(SharingKind::kInPlace, std::move(name), base,
                   std::move(others));
  }

  NodeIndex Node(std::string name, std::vector<ValueIndex> inputs) {
    memplan::Node node;
    node.name = std::move(name);
    node.op_type = "Op";
    node.inputs = std::move(inputs);
    node.file_index = static_cast<int64_t>(body(open_.back()).nodes.size());
    node.file_slot = node.file_index;
    const NodeIndex n = static_cast<NodeIndex>(graph_.nodes.size());
    graph_.nodes.push_back(std::move(node));
    body(open_.back()).nodes.push_back(n);
    return n;
  }
  ValueIndex AddOutput(NodeIndex n, std::string name,
                       std::optional<int64_t> size) {
    const ValueIndex v = Add(std::move(name), size);
    node(n).outputs.push_back(v);
    return v;
  }
  void Rule(NodeIndex n, ShareRule rule) {
    node(n).share_rules.push_back(rule);
  }

  // A body of the node; what is added until CloseBody stands in it.
  BodyIndex OpenBody(NodeIndex n, bool repeats = false) {
    const BodyIndex b = static_cast<BodyIndex>(graph_.bodies.size());
    graph_.bodies.emplace_back();
    body(b).repeats = repeats;
    body(b).scope = absl::StrCat(node(n).name, ".body", node(n).bodies.size());
    node(n).bodies.push_back(b);
    open_.push_back(b);
    return b;
  }
  void CloseBody() { open_.pop_back(); }
  ValueIndex BodyInput(std::string name, std::optional<int64_t> size) {
    const ValueIndex v = Add(std::move(name), size);
    body(open_.back()).inputs.push_back(v);
    return v;
  }
  // Of the graph, or of the body that is open.
  void Output(ValueIndex v) {
    body(open_.back()).outputs.push_back(v);
    if (open_.back() != 0) return;
    value(v).is_graph_output = true;
    if (value(v).kind == ValueKind::kIntermediate) {
      value(v).kind = ValueKind::kOutput;
    }
  }
  // Of the body that is open: `out` is one of its outputs.
  void Carry(ValueIndex in, ValueIndex out) {
    body(open_.back()).carried.push_back({in, out});
  }

  Value& value(ValueIndex v) { return graph_.values[static_cast<size_t>(v)]; }
  memplan::Node& node(NodeIndex n) {
    return graph_.nodes[static_cast<size_t>(n)];
  }
  Body& body(BodyIndex b) { return graph_.bodies[static_cast<size_t>(b)]; }
  const Graph& graph() const { return graph_; }

 private:
  ValueIndex Add(std::string name, std::optional<int64_t> size) {
    Value v;
    v.name = std::move(name);
    v.scope = body(open_.back()).scope;
    v.size = size;
    v.element_bits = 8;
    v.type = "uint8";
    if (size) v.shape = {{*size}};
    graph_.values.push_back(std::move(v));
    return static_cast<ValueIndex>(graph_.values.size()) - 1;
  }
  ValueIndex Sharing(SharingKind kind, std::string name, ValueIndex base,
                     std::vector<ValueIndex> others) {
    others.insert(others.begin(), base);
    const ValueIndex v = Op(std::move(name), others, value(base).size);
    Rule(static_cast<NodeIndex>(graph_.nodes.size()) - 1,
         {.value = v, .base = base, .kind = kind});
    return v;
  }

  Graph graph_;
  std::vector<BodyIndex> open_ = {0};
};

}  // namespace memplan

#endif  // MEMPLAN_TESTS_PLANNER_GRAPH_BUILDER_H_
