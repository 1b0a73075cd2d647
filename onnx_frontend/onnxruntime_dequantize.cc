#include "onnx_frontend/onnxruntime_dequantize.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/onnxruntime_neighbours.h"

namespace memplan {
namespace {

bool IsDequantize(const ModelNode& node) {
  return (node.domain.empty() || node.domain == "com.microsoft") &&
         node.op_type == "DequantizeLinear" && node.outputs.size() == 1 &&
         node.outputs[0];
}

class Repeater {
 public:
  explicit Repeater(ModelGraph& graph)
      : graph_(graph), neighbours_(NeighboursOf(graph)) {}

  std::vector<ValueIndex> Run() {
    FindSlots();
    behind_.resize(graph_.nodes.size());
    for (size_t b = 0; b < graph_.bodies.size(); ++b) {
      next_slot_ = 0;
      for (NodeIndex n : graph_.bodies[b].nodes) {
        next_slot_ = std::max(next_slot_, node(n).file_slot + 1);
      }
      for (NodeIndex n : neighbours_.schedule.orders[b]) {
        if (IsDequantize(node(n))) Repeat(n);
      }
      PutBehind(graph_.bodies[b].nodes);
    }
    return std::move(originals_);
  }

 private:
  struct Slot {
    NodeIndex reader = 0;
    size_t input = 0;
  };

  ModelNode& node(NodeIndex n) { return graph_.nodes[static_cast<size_t>(n)]; }

  // By value: who reads it, in the runtime's order.
  void FindSlots() {
    slots_.resize(graph_.values.size());
    for (const std::vector<NodeIndex>& nodes : neighbours_.by_file_slot) {
      for (NodeIndex n : nodes) {
        for (size_t i = 0; i < node(n).inputs.size(); ++i) {
          const auto& input = node(n).inputs[i];
          if (input) slots_[static_cast<size_t>(*input)].push_back({n, i});
        }
      }
    }
  }

  // Whether a body reads it; what a node around it reads as well does not
  // count.
  bool IsCaptured(ValueIndex v) const {
    size_t readers = 0;
    std::optional<NodeIndex> last;
    for (const Slot& slot : slots_[static_cast<size_t>(v)]) {
      if (slot.reader != last) ++readers;
      last = slot.reader;
    }
    return readers < neighbours_.readers[static_cast<size_t>(v)].size();
  }

  void Repeat(NodeIndex n) {
    const ValueIndex original = *node(n).outputs[0];
    const std::vector<Slot> slots = slots_[static_cast<size_t>(original)];
    const bool is_kept = IsCaptured(original) ||
                         neighbours_.is_output[static_cast<size_t>(original)];
    int64_t copies = 0;
    for (size_t i = is_kept ? 0 : 1; i < slots.size(); ++i) {
      node(slots[i].reader).inputs[slots[i].input] =
          AddCopy(n, original, copies++);
    }
  }

  ValueIndex AddCopy(NodeIndex n, ValueIndex original, int64_t count) {
    ModelValue value = graph_.values[static_cast<size_t>(original)];
    const std::string suffix =
        count == 0 ? "/duplicated" : absl::StrCat("/duplicated_", count);
    value.name += suffix;
    value.kind = ValueKind::kIntermediate;
    value.is_graph_output = false;
    graph_.values.push_back(std::move(value));
    originals_.push_back(original);
    const auto added = static_cast<ValueIndex>(graph_.values.size() - 1);
    ModelNode copy = node(n);
    copy.name += suffix;
    copy.file_index = copy.file_slot = next_slot_++;
    copy.outputs = {added};
    graph_.nodes.push_back(std::move(copy));
    behind_[static_cast<size_t>(n)].push_back(
        static_cast<NodeIndex>(graph_.nodes.size() - 1));
    return added;
  }

  void PutBehind(std::vector<NodeIndex>& nodes) const {
    std::vector<NodeIndex> sorted;
    for (NodeIndex n : nodes) {
      sorted.push_back(n);
      const auto& copies = behind_[static_cast<size_t>(n)];
      sorted.insert(sorted.end(), copies.begin(), copies.end());
    }
    nodes = std::move(sorted);
  }

  ModelGraph& graph_;
  const Neighbours neighbours_;           // before any copy
  std::vector<std::vector<Slot>> slots_;  // by value
  std::vector<ValueIndex> originals_;
  int64_t next_slot_ = 0;                       // of the body at hand
  std::vector<std::vector<NodeIndex>> behind_;  // by node: its copies
};

}  // namespace

std::vector<ValueIndex> RepeatDequantize(ModelGraph& graph) {
  const bool has_any =
      std::any_of(graph.nodes.begin(), graph.nodes.end(), IsDequantize);
  if (!has_any) return {};
  return Repeater(graph).Run();
}

}  // namespace memplan
