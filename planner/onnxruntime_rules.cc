#include "planner/onnxruntime_rules.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "planner/graph_index.h"
#include "planner/liveness.h"
#include "planner/reads.h"

// ONNX Runtime plans in two passes, and so do we:
//
// 1. In the order of execution, each output gets its own buffer or that of
//    another value. A value's use count is one for its definition, one for each
//    input slot that reads it, and one more where it must stay (inputs,
//    initializers, outputs). Whoever runs gives back one count for each slot; a
//    buffer at 0 goes on the free list. A value that takes a buffer over adds
//    its own count to it.
// 2. For each buffer, the last node that reads any of its values releases it.
//
// The free list is the runtime's way to reuse memory without a pattern. It
// holds a buffer from its first owner's birth to its last one's death, though
// nobody may need it in between: with a pattern that costs memory.

namespace memplan {
namespace {

class Allocator {
 public:
  Allocator(const Graph& graph, const Timeline& timeline,
            const OnnxRuntimeFacts& facts)
      : graph_(graph),
        timeline_(timeline),
        facts_(facts),
        index_(IndexGraph(graph)),
        captures_(CapturesByNode(graph, index_)),
        use_count_(graph.values.size()),
        has_consumer_(graph.values.size()),
        shape_class_(graph.values.size()) {}

  OnnxRuntimeAllocation Run() {
    Prepare();
    for (NodeIndex n : timeline_.order) {
      if (index_.body_of[Index(n)] != 0) continue;
      for (ValueIndex v : node(n).outputs) AllocateOutput(n, v);
      for (ValueIndex v : node(n).inputs) Release(v);
      for (ValueIndex v : captures_[Index(n)]) Release(v);
      for (ValueIndex v : node(n).outputs) Release(v);
    }
    SetLifespans();
    return std::move(result_);
  }

 private:
  static size_t Index(int32_t i) { return static_cast<size_t>(i); }
  const Node& node(NodeIndex n) const { return graph_.nodes[Index(n)]; }
  ValueIndex& root(ValueIndex v) { return result_.storage[Index(v)].root; }

  void Prepare() {
    const size_t n = graph_.values.size();
    result_.storage.resize(n);
    result_.used_rules.resize(graph_.nodes.size());
    std::map<std::string, int32_t> classes;
    for (size_t i = 0; i < n; ++i) {
      result_.storage[i].root = static_cast<ValueIndex>(i);
      result_.storage[i].shares_with = static_cast<ValueIndex>(i);
      const Value& value = graph_.values[i];
      const bool must_stay = value.kind != ValueKind::kIntermediate ||
                             value.is_graph_input || value.is_graph_output;
      use_count_[i] = (index_.producer[i] ? 1 : 0) + (must_stay ? 1 : 0);
      const std::optional<std::string> key = ShapeKey(facts_.values[i]);
      if (key) {
        shape_class_[i] =
            classes.emplace(*key, static_cast<int32_t>(classes.size()))
                .first->second;
      }
    }
    free_.resize(classes.size());
    for (NodeIndex m : graph_.bodies[0].nodes) {
      for (ValueIndex v : node(m).inputs) AddUse(v);
      for (ValueIndex v : captures_[Index(m)]) AddUse(v);
    }
  }

  void AddUse(ValueIndex v) {
    ++use_count_[Index(v)];
    has_consumer_[Index(v)] = true;
  }

  // Two values have the same key where the runtime sees that they have the same
  // size: equal element sizes, and each dimension the same number or the same
  // symbol. An unknown dimension is like no other.
  static std::optional<std::string> ShapeKey(
      const OnnxRuntimeFacts::Value& value) {
    if (!value.is_tensor || value.element_bytes == 0 || !value.dims) {
      return std::nullopt;
    }
    std::string key = absl::StrCat(value.element_bytes);
    for (const std::string& dim : *value.dims) {
      if (dim.empty() || dim == "0") return std::nullopt;
      absl::StrAppend(&key, ",", dim.size(), ":", dim);
    }
    return key;
  }

  bool HaveSameSize(ValueIndex a, ValueIndex b) const {
    return shape_class_[Index(a)] &&
           shape_class_[Index(a)] == shape_class_[Index(b)];
  }

  void AllocateOutput(NodeIndex n, ValueIndex v) {
    if (graph_.values[Index(v)].is_graph_output) return;
    if (TakeInput(n, v)) return;
    const OnnxRuntimeFacts::Value& known = facts_.values[Index(v)];
    if (known.is_tensor && has_consumer_[Index(v)] && TakeFreeBuffer(v)) return;
    result_.storage[Index(v)].placed =
        known.is_tensor && graph_.values[Index(v)].size.has_value();
  }

  bool TakeInput(NodeIndex n, ValueIndex v) {
    for (const SharingKind kind : {SharingKind::kView, SharingKind::kInPlace}) {
      for (const ShareRule& rule : facts_.rules[Index(n)]) {
        if (rule.kind != kind || rule.value != v) continue;
        const bool is_fine = kind == SharingKind::kView ||
                             (use_count_[Index(root(rule.base))] == 1 &&
                              HaveSameSize(rule.base, v));
        if (!is_fine || !HasSameBytes(rule)) continue;
        Reuse(v, root(rule.base));
        result_.storage[Index(v)].sharing = kind;
        result_.storage[Index(v)].shares_with = rule.base;
        AddRule(n, rule);
        return true;
      }
    }
    return false;
  }

  // An alias has its base's size in any run; where ours differ, or one is not
  // known, the plan could not be checked.
  bool HasSameBytes(const ShareRule& rule) const {
    return graph_.values[Index(rule.value)].size ==
           graph_.values[Index(rule.base)].size;
  }

  void AddRule(NodeIndex n, const ShareRule& rule) {
    const std::vector<ShareRule>& known = node(n).share_rules;
    if (std::find(known.begin(), known.end(), rule) == known.end()) {
      result_.used_rules[Index(n)].push_back(rule);
    }
  }

  bool TakeFreeBuffer(ValueIndex v) {
    const std::optional<int32_t> shape = shape_class_[Index(v)];
    if (!shape || facts_.values[Index(v)].dims->empty()) return false;
    std::vector<ValueIndex>& buffers = free_[Index(*shape)];
    if (buffers.empty()) return false;
    const ValueIndex taken = buffers.back();
    // Symbols that are equal by name may differ in the shapes at hand.
    if (graph_.values[Index(taken)].size != graph_.values[Index(v)].size) {
      return false;
    }
    buffers.pop_back();
    Reuse(v, taken);
    return true;
  }

  void Reuse(ValueIndex v, ValueIndex buffer) {
    root(v) = buffer;
    result_.storage[Index(v)].placed = result_.storage[Index(buffer)].placed;
    use_count_[Index(buffer)] += use_count_[Index(v)];
  }

  void Release(ValueIndex v) {
    const ValueIndex buffer = root(v);
    if (--use_count_[Index(buffer)] != 0) return;
    const std::optional<int32_t> shape = shape_class_[Index(buffer)];
    if (shape) free_[Index(*shape)].push_back(buffer);
  }

  void SetLifespans() {
    result_.lifespans = ComputeLifespans(graph_, timeline_);
    // One past the last reader's steps, by root; 0 where nobody reads.
    std::vector<int64_t> released(graph_.values.size());
    for (NodeIndex n : graph_.bodies[0].nodes) {
      const int64_t end = timeline_.node_steps[Index(n)].end;
      const auto read = [&](ValueIndex v) {
        int64_t& last = released[Index(root(v))];
        last = std::max(last, end);
      };
      for (ValueIndex v : node(n).inputs) read(v);
      for (ValueIndex v : captures_[Index(n)]) read(v);
    }
    for (size_t v = 0; v < released.size(); ++v) {
      const ValueStorage& own = result_.storage[v];
      if (!own.placed || Index(own.root) != v) continue;
      result_.lifespans[v].end =
          released[v] == 0 ? timeline_.num_steps : released[v];
    }
  }

  const Graph& graph_;
  const Timeline& timeline_;
  const OnnxRuntimeFacts& facts_;
  const GraphIndex index_;
  const std::vector<std::vector<ValueIndex>> captures_;  // by node
  std::vector<int64_t> use_count_;                       // by value, of roots
  std::vector<bool> has_consumer_;                       // by value
  std::vector<std::optional<int32_t>> shape_class_;      // by value
  // By shape class: dead buffers, the last freed at the back.
  std::vector<std::vector<ValueIndex>> free_;
  OnnxRuntimeAllocation result_;
};

}  // namespace

OnnxRuntimeAllocation AllocateAsOnnxRuntime(const Graph& graph,
                                            const Timeline& timeline,
                                            const OnnxRuntimeFacts& facts) {
  return Allocator(graph, timeline, facts).Run();
}

}  // namespace memplan
