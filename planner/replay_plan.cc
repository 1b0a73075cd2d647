#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/labels.h"
#include "planner/verify.h"

// Runs the schedule on imaginary memory. A write puts a new mark on a value's
// bytes; a read must find it there, whole:
//
//   node     bytes 0      8      16     24        a read of x, [0, 16), that
//   x = f()        |xxxxxxxxxxxxx|                comes after y: fails, since
//   y = g()               |yyyyyyyyyyyyy|         y stands on half of it
//
// Marks live in a map of byte ranges, so a write or read costs O(log n)
// whatever the sizes. A view takes over its base's mark instead of writing one;
// a part of a Concat's output and that output have one mark from the Concat on.
// Bytes outside the arena are blocks of their own, so that an initializer that
// somebody overwrites is found, too.

namespace memplan {
namespace {

// In so many nested Loops and Scans the bodies run twice; those deeper inside
// run once, so that hostile nesting cannot double the time at each level.
constexpr int kMaxDoubledLevels = 4;

constexpr int32_t kArena = -1;  // other blocks: the root that has its own bytes

struct Place {
  int32_t block = kArena;
  int64_t begin = 0;
  int64_t end = 0;
};

using Mark = size_t;
constexpr Mark kNeverWritten = 0;

struct Range {
  int64_t end = 0;
  Mark mark = 0;
};

// What stands on each byte of each block.
class Memory {
 public:
  void Write(const Place& place, Mark mark) {
    auto it = ranges_.lower_bound({place.block, place.begin});
    if (it != ranges_.begin()) {
      const auto before = std::prev(it);
      if (before->first.first == place.block &&
          before->second.end > place.begin) {
        const Range cut = before->second;
        before->second.end = place.begin;
        if (cut.end > place.end) {
          ranges_.insert(it, {{place.block, place.end}, cut});
        }
      }
    }
    while (it != ranges_.end() && it->first.first == place.block &&
           it->first.second < place.end) {
      const Range cut = it->second;
      it = ranges_.erase(it);
      if (cut.end > place.end) {
        ranges_.insert(it, {{place.block, place.end}, cut});
      }
    }
    ranges_[{place.block, place.begin}] = {place.end, mark};
  }

  // Whether all of `place` holds this mark, written at one time.
  template <typename IsMark>
  bool Holds(const Place& place, const IsMark& is_mark) const {
    auto it = ranges_.upper_bound({place.block, place.begin});
    if (it == ranges_.begin()) return false;
    --it;
    return it->first.first == place.block && it->second.end >= place.end &&
           is_mark(it->second.mark);
  }

  // The first mark on `place` that is another; unset where there is none.
  template <typename IsMark>
  std::optional<Mark> FirstOther(const Place& place,
                                 const IsMark& is_mark) const {
    auto it = ranges_.upper_bound({place.block, place.begin});
    if (it != ranges_.begin()) --it;
    for (; it != ranges_.end(); ++it) {
      if (std::pair(place.block, place.end) <= it->first) break;
      const bool before =
          it->first.first != place.block || it->second.end <= place.begin;
      if (!before && !is_mark(it->second.mark)) return it->second.mark;
    }
    return std::nullopt;
  }

 private:
  std::map<std::pair<int32_t, int64_t>, Range> ranges_;
};

struct RunningBody {
  BodyIndex body = 0;
  bool runs_again = false;
  bool is_doubled = false;  // counts for kMaxDoubledLevels
  size_t position = 0;
  size_t next_body = 0;  // of the node at `position`
};

class Machine {
 public:
  Machine(const Graph& graph, const Schedule& schedule,
          const std::vector<ValueStorage>& storage,
          const std::vector<std::optional<int64_t>>& root_offsets)
      : graph_(graph),
        schedule_(schedule),
        storage_(storage),
        root_offsets_(root_offsets),
        places_(graph.values.size()),
        mark_of_(graph.values.size(), kNeverWritten) {}

  absl::Status Run() {
    absl::Status status = FindPlaces();
    if (!status.ok()) return status;
    for (size_t v = 0; v < graph_.values.size(); ++v) {
      if (IsCallers(graph_.values[v])) Write(static_cast<ValueIndex>(v));
    }
    running_.push_back({});
    while (status.ok() && !running_.empty()) {
      RunningBody& at = running_.back();
      const std::vector<NodeIndex>& order =
          schedule_.orders[static_cast<size_t>(at.body)];
      status = at.position == order.size() ? EndRound()
                                           : Advance(order[at.position]);
    }
    return status.ok() ? CheckWhatTheCallerKeeps() : status;
  }

 private:
  const Value& value(ValueIndex v) const {
    return graph_.values[static_cast<size_t>(v)];
  }
  const Node& node(NodeIndex n) const {
    return graph_.nodes[static_cast<size_t>(n)];
  }
  const Body& body(BodyIndex b) const {
    return graph_.bodies[static_cast<size_t>(b)];
  }
  const ValueStorage& storage(ValueIndex v) const {
    return storage_[static_cast<size_t>(v)];
  }
  // Unset where there are no bytes, or not known how many.
  const std::optional<Place>& place(ValueIndex v) const {
    return places_[static_cast<size_t>(v)];
  }
  Mark& mark_of(ValueIndex v) { return mark_of_[static_cast<size_t>(v)]; }
  static bool IsCallers(const Value& v) {
    return v.kind == ValueKind::kInitializer || v.kind == ValueKind::kInput ||
           v.is_graph_input;
  }

  absl::Status FindPlaces() {
    for (size_t v = 0; v < graph_.values.size(); ++v) {
      const int64_t size = graph_.values[v].size.value_or(0);
      if (size == 0) continue;
      const ValueIndex root = storage_[v].root;
      const std::optional<int64_t> offset =
          root_offsets_[static_cast<size_t>(root)];
      const std::optional<int64_t> begin =
          CheckedAdd(offset.value_or(0), storage_[v].offset_in_root);
      const std::optional<int64_t> end =
          begin ? CheckedAdd(*begin, size) : std::nullopt;
      if (!end || *begin < 0) {
        return absl::FailedPreconditionError(
            absl::StrCat(ValueLabel(graph_, static_cast<ValueIndex>(v)),
                         " lies out of bounds"));
      }
      places_[v] = Place{offset ? kArena : root, *begin, *end};
    }
    return absl::OkStatus();
  }

  // Runs what comes next of this node: its beginning, a body, its end.
  absl::Status Advance(NodeIndex n) {
    RunningBody& at = running_.back();
    if (at.next_body == 0) {
      if (absl::Status s = CheckAll(node(n).inputs, n); !s.ok()) return s;
      if (absl::Status s = WriteOutputs(n); !s.ok()) return s;
    }
    if (at.next_body < node(n).bodies.size()) {
      return Enter(node(n).bodies[at.next_body++]);
    }
    at.next_body = 0;
    ++at.position;
    return CheckNodeEnd(n);
  }

  absl::Status Enter(BodyIndex b) {
    const bool twice = body(b).repeats && doubled_levels_ < kMaxDoubledLevels;
    if (twice) ++doubled_levels_;
    running_.push_back({.body = b, .runs_again = twice, .is_doubled = twice});
    return WriteInputs(b);
  }

  absl::Status EndRound() {
    RunningBody& at = running_.back();
    if (absl::Status s = CheckAll(body(at.body).outputs, std::nullopt);
        !s.ok()) {
      return s;
    }
    // What goes round is copied one by one, as a runtime would.
    for (const Carried& carried : body(at.body).carried) {
      if (absl::Status s = Check(carried.out, std::nullopt); !s.ok()) return s;
      Write(carried.in);
    }
    if (at.runs_again) {
      at.runs_again = false;
      at.position = 0;
      return WriteInputs(at.body);
    }
    if (at.is_doubled) --doubled_levels_;
    running_.pop_back();
    return absl::OkStatus();
  }

  absl::Status WriteInputs(BodyIndex b) {
    for (ValueIndex v : body(b).inputs) Write(v);
    return CheckAll(body(b).inputs, std::nullopt);
  }

  absl::Status WriteOutputs(NodeIndex n) {
    for (ValueIndex v : node(n).outputs) {
      const ValueStorage& own = storage(v);
      if (own.sharing == SharingKind::kNone) {
        Write(v);
        continue;
      }
      const ShareRule* rule = FindRule(n, v);
      // A part without a rule here goes to its Concat later.
      const bool has_own_bytes =
          own.sharing == SharingKind::kPart && rule == nullptr;
      if (!has_own_bytes && (rule == nullptr || !IsAtItsPlace(*rule))) {
        return absl::FailedPreconditionError(
            absl::StrCat(NodeLabel(graph_, n), " has no rule by which ",
                         ValueLabel(graph_, v), " may lie where it does in ",
                         ValueLabel(graph_, own.shares_with)));
      }
      if (has_own_bytes || own.sharing == SharingKind::kInPlace) {
        Write(v);
      } else {
        mark_of(v) = mark_of(own.shares_with);
      }
    }
    UniteParts(n);
    return absl::OkStatus();
  }

  // The rule of the node that says what the storage says.
  const ShareRule* FindRule(NodeIndex n, ValueIndex v) const {
    const ValueStorage& own = storage(v);
    for (const ShareRule& rule : node(n).share_rules) {
      if (rule.value == v && rule.base == own.shares_with &&
          rule.kind == own.sharing) {
        return &rule;
      }
    }
    return nullptr;
  }

  bool IsAtItsPlace(const ShareRule& rule) const {
    const std::optional<Place>& part = place(rule.value);
    const std::optional<Place>& whole = place(rule.base);
    if (!part || !whole) return !part;  // no bytes are anywhere
    return part->block == whole->block && part->end <= whole->end &&
           part->begin - whole->begin == rule.part_offset;
  }

  // Inputs of a Concat that already stand where it writes them: from now on
  // they and its output are the same content.
  void UniteParts(NodeIndex n) {
    for (const ShareRule& rule : node(n).share_rules) {
      if (rule.kind != SharingKind::kPart || !place(rule.value)) continue;
      const bool is_gathered =
          storage(rule.value).root == storage(rule.base).root;
      if (is_gathered && IsAtItsPlace(rule)) {
        same_as_[Find(mark_of(rule.value))] = Find(mark_of(rule.base));
      }
    }
  }

  // All that the node needed is as it was, all that it wrote stands.
  absl::Status CheckNodeEnd(NodeIndex n) {
    for (ValueIndex v : node(n).inputs) {
      if (IsOverwrittenBy(n, v)) continue;
      if (absl::Status s = Check(v, n); !s.ok()) return s;
    }
    return CheckAll(node(n).outputs, n);
  }

  bool IsOverwrittenBy(NodeIndex n, ValueIndex input) const {
    for (ValueIndex v : node(n).outputs) {
      if (storage(v).sharing == SharingKind::kInPlace &&
          storage(v).shares_with == input) {
        return true;
      }
    }
    return false;
  }

  absl::Status CheckWhatTheCallerKeeps() {
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      const bool is_kept = IsCallers(graph_.values[i]) && places_[i] &&
                           places_[i]->block != kArena;
      if (!is_kept) continue;
      const absl::Status s = Check(static_cast<ValueIndex>(i), std::nullopt);
      if (!s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status CheckAll(const std::vector<ValueIndex>& values,
                        std::optional<NodeIndex> reader) {
    for (ValueIndex v : values) {
      if (absl::Status s = Check(v, reader); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  // `reader` unset: the body that is running, or the caller.
  absl::Status Check(ValueIndex v, std::optional<NodeIndex> reader) {
    if (!place(v)) return absl::OkStatus();
    const Mark own = Find(mark_of(v));
    const auto is_own = [&](Mark mark) { return Find(mark) == own; };
    if (memory_.Holds(*place(v), is_own)) return absl::OkStatus();

    const std::optional<Mark> other = memory_.FirstOther(*place(v), is_own);
    return absl::FailedPreconditionError(absl::StrCat(
        ReaderLabel(reader), " needs ", ValueLabel(graph_, v), " at bytes [",
        place(v)->begin, ", ", place(v)->end, "), but ",
        other ? absl::StrCat(ValueLabel(graph_, writer_[*other]),
                             " was written there")
              : std::string("nobody has written it")));
  }

  std::string ReaderLabel(std::optional<NodeIndex> reader) const {
    if (reader) return NodeLabel(graph_, *reader);
    if (running_.empty() || running_.back().body == 0) return "the caller";
    return absl::StrCat("body '", body(running_.back().body).scope, "'");
  }

  void Write(ValueIndex v) {
    if (!place(v)) return;
    const Mark mark = writer_.size();
    writer_.push_back(v);
    same_as_.push_back(mark);
    mark_of(v) = mark;
    memory_.Write(*place(v), mark);
  }

  Mark Find(Mark mark) {
    while (same_as_[mark] != mark) {
      same_as_[mark] = same_as_[same_as_[mark]];
      mark = same_as_[mark];
    }
    return mark;
  }

  const Graph& graph_;
  const Schedule& schedule_;
  const std::vector<ValueStorage>& storage_;
  const std::vector<std::optional<int64_t>>& root_offsets_;
  std::vector<std::optional<Place>> places_;     // by value
  std::vector<Mark> mark_of_;                    // by value: its last write
  std::vector<ValueIndex> writer_ = {0};         // by mark
  std::vector<Mark> same_as_ = {kNeverWritten};  // by mark, see UniteParts
  Memory memory_;
  std::vector<RunningBody> running_;
  int doubled_levels_ = 0;
};

}  // namespace

absl::Status ReplayPlan(
    const Graph& graph, const Schedule& schedule,
    const std::vector<ValueStorage>& storage,
    const std::vector<std::optional<int64_t>>& root_offsets) {
  return Machine(graph, schedule, storage, root_offsets).Run();
}

}  // namespace memplan
