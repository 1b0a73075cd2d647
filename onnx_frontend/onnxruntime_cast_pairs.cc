#include "onnx_frontend/onnxruntime_cast_pairs.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "onnx_frontend/onnxruntime_casts.h"
#include "onnx_frontend/onnxruntime_neighbours.h"

namespace memplan {
namespace {

enum class Group { kOther, kBool, kSigned, kUnsigned, kFloat };

Group GroupOf(ElementType type) {
  switch (type) {
    case ElementType::kBool:
      return Group::kBool;
    case ElementType::kInt8:
    case ElementType::kInt16:
    case ElementType::kInt32:
    case ElementType::kInt64:
      return Group::kSigned;
    case ElementType::kUint8:
    case ElementType::kUint16:
    case ElementType::kUint32:
    case ElementType::kUint64:
      return Group::kUnsigned;
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
    case ElementType::kFloat:
    case ElementType::kDouble:
      return Group::kFloat;
    default:
      return Group::kOther;
  }
}

int WidthOf(ElementType type) {
  return type == ElementType::kBool ? 1 : ElementBits(type);
}

// Whether the Cast may change a number.
bool LosesSome(ElementType from, ElementType to, bool is_inserted) {
  const Group source = GroupOf(from);
  const Group target = GroupOf(to);
  if (source == Group::kOther || target == Group::kOther) return true;
  if (target == Group::kUnsigned && source != Group::kBool &&
      source != Group::kUnsigned) {
    return true;
  }
  if (source == Group::kFloat && target != Group::kFloat) return true;
  const bool is_wider = WidthOf(to) > WidthOf(from);
  if (source == Group::kUnsigned && target == Group::kSigned) return !is_wider;
  if (target == Group::kFloat &&
      (source == Group::kSigned || source == Group::kUnsigned)) {
    return !is_wider;
  }
  // The two 16-bit floats are no part of each other.
  const bool are_sixteen = source == Group::kFloat && from != to &&
                           WidthOf(from) == 16 && WidthOf(to) == 16;
  return are_sixteen || (WidthOf(from) > WidthOf(to) && !is_inserted);
}

class PairRemover {
 public:
  explicit PairRemover(ModelGraph& graph)
      : graph_(graph),
        neighbours_(NeighboursOf(graph)),
        is_gone_(graph.nodes.size()),
        stands_for_(graph.values.size()) {}

  std::vector<bool> Run() {
    for (const std::vector<NodeIndex>& nodes : neighbours_.by_file_slot) {
      for (NodeIndex n : nodes) {
        if (!is_gone_[static_cast<size_t>(n)] && IsCast(n)) Visit(n);
      }
    }
    Apply();
    return std::move(is_gone_);
  }

 private:
  const ModelNode& node(NodeIndex n) const {
    return graph_.nodes[static_cast<size_t>(n)];
  }

  bool IsCast(NodeIndex n) const {
    const ModelNode& it = node(n);
    return it.domain.empty() && it.op_type == "Cast" && it.inputs.size() == 1 &&
           it.outputs.size() == 1 && it.inputs[0] && it.outputs[0];
  }

  bool IsInserted(NodeIndex n) const {
    return node(n).name.rfind(kInsertedCast, 0) == 0;
  }

  // The value that is read in this one's place by now. What it passes on the
  // way points there afterwards.
  ValueIndex Now(ValueIndex v) {
    ValueIndex last = v;
    while (Other(last)) last = *Other(last);
    while (Other(v)) v = *std::exchange(Other(v), last);
    return last;
  }

  std::optional<ValueIndex>& Other(ValueIndex v) {
    return stands_for_[static_cast<size_t>(v)];
  }

  ValueIndex From(NodeIndex n) { return Now(*node(n).inputs[0]); }
  ValueIndex To(NodeIndex n) const { return *node(n).outputs[0]; }
  ElementType TypeOf(ValueIndex v) const {
    const Type& type = graph_.values[static_cast<size_t>(v)].type;
    return type.is_tensor() ? type.element : ElementType::kUndefined;
  }
  bool IsOutput(ValueIndex v) const {
    return neighbours_.is_output[static_cast<size_t>(v)];
  }

  void Visit(NodeIndex first) {
    const ElementType source = TypeOf(From(first));
    const ElementType middle = TypeOf(To(first));
    const bool loses = LosesSome(source, middle, IsInserted(first));
    std::vector<NodeIndex> backward;  // Casts back to the first one's source
    bool are_casts = true;
    bool is_to_bool = false;
    size_t readers = 0;
    for (NodeIndex n : neighbours_.readers[static_cast<size_t>(To(first))]) {
      if (is_gone_[static_cast<size_t>(n)]) continue;
      ++readers;
      if (!IsCast(n)) {
        are_casts = false;
        continue;
      }
      const ElementType target = TypeOf(To(n));
      if (loses && LosesSome(target, middle, IsInserted(n))) return;
      if (target == source && !IsOutput(To(n))) {
        backward.push_back(n);
      } else {
        is_to_bool = is_to_bool || target == ElementType::kBool;
      }
    }
    for (NodeIndex n : backward) Remove(n, From(first));
    if (readers > 0 && are_casts && !IsOutput(To(first)) &&
        !(loses && is_to_bool)) {
      Remove(first, From(first));
    }
  }

  void Remove(NodeIndex n, ValueIndex instead) {
    is_gone_[static_cast<size_t>(n)] = true;
    stands_for_[static_cast<size_t>(To(n))] = instead;
    auto& readers = neighbours_.readers[static_cast<size_t>(instead)];
    auto& more = neighbours_.readers[static_cast<size_t>(To(n))];
    // Each is moved a logarithmic number of times.
    if (readers.size() < more.size()) readers.swap(more);
    readers.insert(readers.end(), more.begin(), more.end());
    more.clear();
  }

  void Apply() {
    for (ModelNode& it : graph_.nodes) {
      for (std::optional<ValueIndex>& input : it.inputs) {
        if (input) input = Now(*input);
      }
    }
    for (ModelBody& body : graph_.bodies) {
      for (ValueIndex& output : body.outputs) output = Now(output);
      body.nodes.erase(std::remove_if(body.nodes.begin(), body.nodes.end(),
                                      [&](NodeIndex n) {
                                        return is_gone_[static_cast<size_t>(n)];
                                      }),
                       body.nodes.end());
    }
  }

  ModelGraph& graph_;
  Neighbours neighbours_;
  std::vector<bool> is_gone_;  // by node
  // By value that nobody makes any more.
  std::vector<std::optional<ValueIndex>> stands_for_;
};

}  // namespace

std::vector<bool> RemoveCastPairs(ModelGraph& graph) {
  return PairRemover(graph).Run();
}

}  // namespace memplan
