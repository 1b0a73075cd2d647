#include "onnx_frontend/onnxruntime_casts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/onnxruntime_kernels.h"
#include "onnx_frontend/onnxruntime_neighbours.h"
#include "planner/strings.h"

namespace memplan {
namespace {

using Slots = std::vector<std::optional<ValueIndex>>;

// Of several inputs or outputs that the operator counts as one, the runtime
// looks at the first alone.
size_t LookedAt(const ModelNode& node, const Slots& slots, bool is_input) {
  static constexpr std::string_view kManyInputs[] = {"Concat", "Max", "Mean",
                                                     "Min", "Sum"};
  const bool is_variadic =
      is_input ? std::find(std::begin(kManyInputs), std::end(kManyInputs),
                           node.op_type) != std::end(kManyInputs)
               : node.op_type == "Split";
  return std::min<size_t>(slots.size(), is_variadic ? 1 : slots.size());
}

class CastInserter {
 public:
  explicit CastInserter(ModelGraph& graph)
      : graph_(graph), neighbours_(NeighboursOf(graph)) {}

  std::vector<InsertedCast> Run() {
    MarkNodes();
    for (size_t b = 0; b < graph_.bodies.size(); ++b) CastBody(b);
    return std::move(casts_);
  }

 private:
  ModelNode& node(NodeIndex n) { return graph_.nodes[static_cast<size_t>(n)]; }

  std::vector<ValueIndex> Halves(const Slots& slots, size_t count) const {
    std::vector<ValueIndex> halves;
    for (size_t i = 0; i < count; ++i) {
      if (slots[i] && IsHalf(graph_, *slots[i])) halves.push_back(*slots[i]);
    }
    return halves;
  }

  void MarkNodes() {
    is_cast_.resize(graph_.nodes.size());
    for (size_t n = 0; n < is_cast_.size(); ++n) {
      const ModelNode& it = graph_.nodes[n];
      is_cast_[n] = it.bodies.empty() && !HasHalfKernel(graph_, it) &&
                    !Halves(it.inputs, it.inputs.size()).empty();
    }
    // One after the other: each sees those that were marked before it.
    for (const std::vector<NodeIndex>& nodes : neighbours_.by_file_slot) {
      for (NodeIndex n : nodes) {
        const auto i = static_cast<size_t>(n);
        is_cast_[i] = is_cast_[i] || IsAlone(n);
      }
    }
  }

  // Whether all its float16 comes from, and goes to, nodes that get casts.
  bool IsAlone(NodeIndex n) {
    const ModelNode& it = node(n);
    if (!it.bodies.empty()) return false;
    bool is_fed = false;
    for (const auto& input : it.inputs) {
      is_fed = is_fed || (input && Producer(n, *input));
    }
    const auto is_output = [&](const std::optional<ValueIndex>& output) {
      return output && neighbours_.is_output[static_cast<size_t>(*output)];
    };
    if (!is_fed ||
        std::any_of(it.outputs.begin(), it.outputs.end(), is_output)) {
      return false;
    }
    const auto inputs = Halves(it.inputs, LookedAt(it, it.inputs, true));
    const auto outputs = Halves(it.outputs, LookedAt(it, it.outputs, false));
    return !inputs.empty() && !outputs.empty() &&
           std::all_of(inputs.begin(), inputs.end(),
                       [&](ValueIndex v) {
                         const auto producer = Producer(n, v);
                         return !producer || IsCast(*producer);
                       }) &&
           std::all_of(outputs.begin(), outputs.end(), [&](ValueIndex v) {
             const auto& readers = neighbours_.readers[static_cast<size_t>(v)];
             return std::all_of(readers.begin(), readers.end(),
                                [&](NodeIndex r) { return IsCast(r); });
           });
  }

  bool IsCast(NodeIndex n) const { return is_cast_[static_cast<size_t>(n)]; }

  // The node of the same body that makes the value.
  std::optional<NodeIndex> Producer(NodeIndex n, ValueIndex v) const {
    const GraphIndex& index = neighbours_.index;
    const auto producer = index.producer[static_cast<size_t>(v)];
    if (!producer || index.body_of[static_cast<size_t>(*producer)] !=
                         index.body_of[static_cast<size_t>(n)]) {
      return std::nullopt;
    }
    return producer;
  }

  void CastBody(size_t b) {
    next_slot_ = 0;
    for (NodeIndex n : graph_.bodies[b].nodes) {
      next_slot_ = std::max(next_slot_, node(n).file_slot + 1);
    }
    scope_ = &graph_.bodies[b].scope;
    singles_.clear();
    behind_.clear();
    for (NodeIndex n : neighbours_.schedule.orders[b]) {
      if (!IsCast(n)) continue;
      CastInputs(n);
      CastOutputs(n);
    }
    std::vector<NodeIndex> sorted = behind_[std::nullopt];
    for (NodeIndex n : graph_.bodies[b].nodes) {
      sorted.push_back(n);
      const auto it = behind_.find(n);
      if (it == behind_.end()) continue;
      sorted.insert(sorted.end(), it->second.begin(), it->second.end());
    }
    graph_.bodies[b].nodes = std::move(sorted);
  }

  void CastInputs(NodeIndex n) {
    for (size_t i = 0; i < node(n).inputs.size(); ++i) {
      const std::optional<ValueIndex> input = node(n).inputs[i];
      if (!input || !IsHalf(graph_, *input)) continue;
      const auto [it, is_new] = singles_.try_emplace(*input, 0);
      if (is_new) {
        it->second = AddSingle(*input);
        behind_[Producer(n, *input)].push_back(
            AddCast({0, *input, it->second, false}));
      }
      node(n).inputs[i] = it->second;
    }
  }

  void CastOutputs(NodeIndex n) {
    for (size_t i = 0; i < node(n).outputs.size(); ++i) {
      const std::optional<ValueIndex> output = node(n).outputs[i];
      if (!output || !IsHalf(graph_, *output)) continue;
      const ValueIndex single = AddSingle(*output);
      node(n).outputs[i] = single;
      behind_[n].push_back(AddCast({0, *output, single, true}));
    }
  }

  ValueIndex AddSingle(ValueIndex half) {
    const ModelValue& from = graph_.values[static_cast<size_t>(half)];
    ModelValue added;
    added.name = absl::StrCat(AsAbsl(kInsertedCast), from.name);
    // What is captured has its copy in the body.
    const bool is_own = from.scope.rfind(*scope_, 0) == 0;
    added.scope = is_own ? from.scope : *scope_;
    added.type = from.type;
    added.type.element = ElementType::kFloat;
    added.unknown_reason = from.unknown_reason;
    added.unknown_node = from.unknown_node;
    graph_.values.push_back(std::move(added));
    return static_cast<ValueIndex>(graph_.values.size() - 1);
  }

  NodeIndex AddCast(InsertedCast cast) {
    ModelNode added;
    added.name =
        absl::StrCat(AsAbsl(kInsertedCast),
                     graph_.values[static_cast<size_t>(cast.half)].name);
    added.op_type = "Cast";
    added.opset = graph_.opsets[""];
    added.file_index = added.file_slot = next_slot_++;
    added.inputs = {cast.makes_half ? cast.single : cast.half};
    added.outputs = {cast.makes_half ? cast.half : cast.single};
    graph_.nodes.push_back(std::move(added));
    cast.node = static_cast<NodeIndex>(graph_.nodes.size() - 1);
    casts_.push_back(cast);
    return cast.node;
  }

  ModelGraph& graph_;
  const Neighbours neighbours_;  // before any cast
  std::vector<bool> is_cast_;    // by node
  std::vector<InsertedCast> casts_;
  // Of the body at hand:
  const std::string* scope_ = nullptr;
  int64_t next_slot_ = 0;
  std::map<ValueIndex, ValueIndex> singles_;  // float16 -> its float32 copy
  // New nodes, by the node that they follow.
  std::map<std::optional<NodeIndex>, std::vector<NodeIndex>> behind_;
};

}  // namespace

std::vector<InsertedCast> InsertCasts(ModelGraph& graph) {
  return CastInserter(graph).Run();
}

}  // namespace memplan
