#include "planner/storage.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/graph_index.h"
#include "planner/labels.h"

// Who shares with whom. What an operator allows stands in Node::share_rules;
// here is what the schedule allows. In one walk over the nodes by first step,
// storages (sets of values in the same bytes) grow. The rules, and why:
//
// - A graph output is laid upon nothing: the caller owns its bytes.
// - What a repeating body returns is not laid upon what it received: the next
//   iteration's input would be written while it is read.
// - A view has the same size: it is the same bytes, and nothing else.
// - In place, size and element width are the same: a cast to another width
//   would overtake its own reading.
// - In place, the storage holds no graph input or output, no initializer, and
//   nothing that a body receives or returns: the caller, the next run, the next
//   iteration or the node around the body still reads it.
// - In place, no read of the storage ends after this node: it would read the
//   new content.
// - In place, no other input and no other output of the node is in the storage:
//   the operator may write one element before it reads the other's.
// - A part is aligned and inside its base; a Concat's input moves into the
//   output only with a storage of just that size, in the same body.
//
// The whole list is docs/design.md, section 4; each row has its test.

namespace memplan {
namespace {

// What the rules ask of a storage, kept at its root.
struct Facts {
  int64_t end = 0;      // one past the last step that reads any of its values
  ValueIndex last = 0;  // one that is read there
  std::optional<ValueIndex> pinned;  // one that nobody may overwrite
  bool has_body_input = false;
};

// A refusal's reason, maybe empty; unset where sharing is fine.
using Refusal = std::optional<std::string>;

class Sharing {
 public:
  Sharing(const Graph& graph, const Timeline& timeline,
          const std::vector<Lifespan>& lifespans, const StorageOptions& options,
          bool gathers)
      : graph_(graph),
        timeline_(timeline),
        lifespans_(lifespans),
        options_(options),
        gathers_(gathers),
        index_(IndexGraph(graph)) {}

  std::vector<ValueStorage> Run() {
    Prepare();
    for (NodeIndex n : timeline_.order) ShareNode(n);
    for (size_t v = 0; v < storage_.size(); ++v) {
      FindRoot(static_cast<ValueIndex>(v));
    }
    for (ValueStorage& s : storage_) s.placed = IsPlaced(s.root);
    return std::move(storage_);
  }

 private:
  const Value& value(ValueIndex v) const {
    return graph_.values[static_cast<size_t>(v)];
  }
  const Node& node(NodeIndex n) const {
    return graph_.nodes[static_cast<size_t>(n)];
  }
  ValueStorage& storage(ValueIndex v) {
    return storage_[static_cast<size_t>(v)];
  }
  Facts& facts(ValueIndex root) { return facts_[static_cast<size_t>(root)]; }
  bool IsOutputOf(ValueIndex v, NodeIndex n) const {
    return index_.producer[static_cast<size_t>(v)] == n;
  }

  void Prepare() {
    body_input_.resize(graph_.values.size());
    body_output_.resize(graph_.values.size());
    goes_round_.resize(graph_.values.size());
    for (size_t b = 1; b < graph_.bodies.size(); ++b) {
      const Body& body = graph_.bodies[b];
      for (ValueIndex v : body.inputs)
        body_input_[static_cast<size_t>(v)] = true;
      for (ValueIndex v : body.outputs) {
        body_output_[static_cast<size_t>(v)] = true;
        if (body.repeats) goes_round_[static_cast<size_t>(v)] = true;
      }
    }
    node_ending_at_.resize(static_cast<size_t>(timeline_.num_steps) + 1);
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      node_ending_at_[static_cast<size_t>(timeline_.node_steps[n].end)] =
          static_cast<NodeIndex>(n);
    }
    storage_.resize(graph_.values.size());
    facts_.resize(graph_.values.size());
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      const ValueIndex v = static_cast<ValueIndex>(i);
      storage_[i].root = v;
      storage_[i].shares_with = v;
      facts_[i].end = lifespans_[i].end;
      facts_[i].last = v;
      facts_[i].has_body_input = body_input_[i];
      if (!WhyPinned(v).empty()) facts_[i].pinned = v;
    }
  }

  // Why nobody may overwrite this value; "" where somebody may.
  std::string WhyPinned(ValueIndex v) const {
    const Value& it = value(v);
    const size_t i = static_cast<size_t>(v);
    if (it.kind == ValueKind::kInitializer) return "an initializer";
    if (it.kind == ValueKind::kInput || it.is_graph_input) {
      return "a graph input";
    }
    if (it.is_graph_output) return "a graph output";
    if (body_input_[i]) return "what a body receives";
    if (body_output_[i]) return "what a body returns";
    return "";
  }

  // Views come first: what they share is not to be overwritten here.
  void ShareNode(NodeIndex n) {
    const std::vector<ShareRule>& rules = node(n).share_rules;
    for (const ShareRule& rule : rules) {
      if (rule.kind == SharingKind::kView) Try(rule, RefuseView(rule));
      if (rule.kind == SharingKind::kPart && IsOutputOf(rule.value, n)) {
        Try(rule, RefusePart(rule));
      }
    }
    for (const ShareRule& rule : rules) {
      if (rule.kind == SharingKind::kInPlace) Try(rule, RefuseInPlace(n, rule));
    }
    for (const ShareRule& rule : rules) {
      if (rule.kind == SharingKind::kPart && !IsOutputOf(rule.value, n) &&
          MayGather(rule)) {
        Gather(rule);
      }
    }
  }

  void Try(const ShareRule& rule, const Refusal& refusal) {
    ValueStorage& own = storage(rule.value);
    if (own.sharing != SharingKind::kNone) return;  // by a preferred rule
    if (refusal) {
      if (own.why_not.empty()) own.why_not = *refusal;
      return;
    }
    const ValueIndex root = FindRoot(rule.base);
    LayUpon(root, rule, own);
    Join(root, rule.value);
  }

  void LayUpon(ValueIndex root, const ShareRule& rule, ValueStorage& own) {
    own.root = root;
    own.offset_in_root = storage(rule.base).offset_in_root + rule.part_offset;
    own.sharing = rule.kind;
    own.shares_with = rule.base;
    own.why_not.clear();
  }

  // Adds what is known of `other`, a storage of its own so far, to `root`.
  void Join(ValueIndex root, ValueIndex other) {
    const Facts& more = facts(other);
    Facts& own = facts(root);
    if (more.end > own.end) {
      own.end = more.end;
      own.last = more.last;
    }
    if (!own.pinned) own.pinned = more.pinned;
    own.has_body_input = own.has_body_input || more.has_body_input;
  }

  Refusal RefuseOutputs(const ShareRule& rule) {
    if (value(rule.value).is_graph_output) {
      return "a graph output shares with nothing before it";
    }
    if (goes_round_[static_cast<size_t>(rule.value)] &&
        facts(FindRoot(rule.base)).has_body_input) {
      return "what a loop carries on is kept apart from what it received";
    }
    return std::nullopt;
  }

  Refusal RefuseView(const ShareRule& rule) {
    if (options_.in_place == InPlaceMode::kOff) return "";
    if (!value(rule.value).size) return "";
    if (value(rule.base).size != value(rule.value).size) {
      return absl::StrCat(ValueLabel(graph_, rule.base),
                          " has another size in bytes");
    }
    return RefuseOutputs(rule);
  }

  Refusal RefusePart(const ShareRule& rule) {
    if (options_.in_place != InPlaceMode::kAggressive) return "";
    const std::optional<int64_t> size = value(rule.value).size;
    const std::optional<int64_t> base_size = value(rule.base).size;
    if (!size || !base_size) return "";
    const auto end = CheckedAdd(rule.part_offset, *size);
    if (!end || *end > *base_size) return "";
    if (rule.part_offset % options_.alignment != 0) {
      return absl::StrCat("it begins at byte ", rule.part_offset, " of ",
                          ValueLabel(graph_, rule.base),
                          ", which is not aligned");
    }
    return RefuseOutputs(rule);
  }

  Refusal RefuseInPlace(NodeIndex n, const ShareRule& rule) {
    if (options_.in_place < InPlaceMode::kSafe) return "";
    const Value& own = value(rule.value);
    const Value& base = value(rule.base);
    if (!own.size || !node(n).bodies.empty()) return "";
    if (own.is_graph_output) {
      return "a graph output shares with nothing before it";
    }
    if (base.size != own.size || base.element_bits != own.element_bits) {
      return absl::StrCat(ValueLabel(graph_, rule.base),
                          " has another size or element width");
    }
    const ValueIndex root = FindRoot(rule.base);
    const Facts& known = facts(root);
    if (known.pinned) {
      return absl::StrCat(ValueLabel(graph_, *known.pinned), " is ",
                          WhyPinned(*known.pinned));
    }
    if (known.end > timeline_.node_steps[static_cast<size_t>(n)].end) {
      const auto reader = node_ending_at_[static_cast<size_t>(known.end)];
      return absl::StrCat(ValueLabel(graph_, known.last), " is read later by ",
                          reader ? NodeLabel(graph_, *reader) : "another node");
    }
    return RefuseOtherSlots(n, rule, root);
  }

  Refusal RefuseOtherSlots(NodeIndex n, const ShareRule& rule,
                           ValueIndex root) {
    for (ValueIndex v : node(n).inputs) {
      if (v != rule.base && FindRoot(v) == root) {
        return absl::StrCat(ValueLabel(graph_, v),
                            ", which the node reads, too, is in those bytes");
      }
    }
    for (ValueIndex v : node(n).outputs) {
      if (v != rule.value && FindRoot(v) == root) {
        return absl::StrCat("another output, ", ValueLabel(graph_, v),
                            ", is in those bytes");
      }
    }
    return std::nullopt;
  }

  // Whether an input of a Concat may be laid into its output, `rule.base`: all
  // of its storage must fit the place, since its other values move with it.
  bool MayGather(const ShareRule& rule) {
    if (!gathers_ || RefusePart(rule)) return false;
    const ValueIndex whole = FindRoot(rule.base);
    const ValueIndex part = FindRoot(rule.value);
    return part != whole && !value(rule.base).is_graph_output &&
           !facts(part).pinned && !facts(whole).pinned &&
           value(part).size == value(rule.value).size &&
           index_.home[static_cast<size_t>(part)] ==
               index_.home[static_cast<size_t>(whole)];
  }

  void Gather(const ShareRule& rule) {
    const ValueIndex whole = FindRoot(rule.base);
    const ValueIndex part = FindRoot(rule.value);
    LayUpon(whole, rule, storage(part));
    Join(whole, part);
  }

  // The root, with the path to it made short: roots move under others in
  // Gather.
  ValueIndex FindRoot(ValueIndex v) {
    path_.clear();
    while (storage(v).root != v) {
      path_.push_back(v);
      v = storage(v).root;
    }
    int64_t offset = 0;
    for (; !path_.empty(); path_.pop_back()) {
      ValueStorage& s = storage(path_.back());
      offset += s.offset_in_root;
      s.root = v;
      s.offset_in_root = offset;
    }
    return v;
  }

  bool IsPlaced(ValueIndex root) const {
    const Value& it = value(root);
    const Lifespan& lifespan = lifespans_[static_cast<size_t>(root)];
    const bool is_input = it.kind == ValueKind::kInput || it.is_graph_input;
    return it.size && lifespan.begin < lifespan.end &&
           it.kind != ValueKind::kInitializer &&
           (!is_input || options_.place_inputs) &&
           (!it.is_graph_output || options_.place_outputs);
  }

  const Graph& graph_;
  const Timeline& timeline_;
  const std::vector<Lifespan>& lifespans_;
  const StorageOptions& options_;
  const bool gathers_;  // whether Concats take their inputs in
  const GraphIndex index_;
  std::vector<bool> body_input_;   // by value
  std::vector<bool> body_output_;  // by value
  std::vector<bool> goes_round_;   // by value: what a repeating body returns
  std::vector<std::optional<NodeIndex>> node_ending_at_;  // by step
  std::vector<ValueStorage> storage_;                     // by value
  std::vector<Facts> facts_;                              // by value, at roots
  std::vector<ValueIndex> path_;                          // FindRoot's own
};

}  // namespace

std::vector<ValueStorage> AssignStorage(const Graph& graph,
                                        const Timeline& timeline,
                                        const std::vector<Lifespan>& lifespans,
                                        const StorageOptions& options) {
  const auto assign = [&](InPlaceMode mode, bool gathers) {
    StorageOptions changed = options;
    changed.in_place = mode;
    return Sharing(graph, timeline, lifespans, changed, gathers).Run();
  };
  std::vector<ValueStorage> best = assign(options.in_place, true);
  if (options.in_place != InPlaceMode::kAggressive) return best;

  // A part spares a copy, but a Concat's output then lives from its first part
  // on, and a Split's input to its last: only where that costs nothing.
  const auto live_bytes = [&](const std::vector<ValueStorage>& storage) {
    const auto placement =
        BuildProblem(graph, storage, lifespans, options.alignment);
    return placement.ok() ? MaxLiveBytes(placement->problem) : 0;
  };
  int64_t least = live_bytes(best);
  for (const InPlaceMode mode :
       {InPlaceMode::kAggressive, InPlaceMode::kSafe}) {
    std::vector<ValueStorage> other = assign(mode, false);
    const int64_t bytes = live_bytes(other);
    if (bytes >= least) continue;
    least = bytes;
    best = std::move(other);
  }
  return best;
}

}  // namespace memplan
