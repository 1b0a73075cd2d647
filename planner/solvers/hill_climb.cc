// Puts the buffer that ends highest lower, whoever is in the way; whoever had
// to make room is put back in the same manner, until all have a place. Those
// that are pushed out are as few and as small as can be, and as a rule find a
// gap soon:
//
//     bytes                                        limit
//       |  +--top--+  ............................ - - - -
//       |  +-------+
//       |        +-----+                  +-----+
//       |  +-----+--+  |  top pushes b    |     +---b
//       |  |  a  |b |  |  ------------>   |  +--+--+    b goes into a gap
//       |  +-----+--+--+  out             |  |top  |
//       +------------------ time          +--+-----+----
//
// Each buffer that is pushed out becomes harder to push out again, so that a
// chain does not go in circles: it learns who is difficult here. A chain that
// grows too long is taken back. (Ejection chains and the growing penalty are
// known from vehicle routing.)
//
// The limit goes down a ladder: half way from the arena to the goal, then,
// while that fails, a quarter, an eighth...
#include "planner/solvers/hill_climb.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "planner/bounds.h"
#include "planner/checked_math.h"
#include "planner/solvers/live_index.h"
#include "planner/solvers/slots.h"

namespace memplan {
namespace {

// A chain that pushes out more buffers than this, or each so often, is taken
// back.
constexpr size_t kLongestChain = 300;
constexpr size_t kLongestChainPerItem = 4;
// As many chains may fail before the limit is given up as too low.
constexpr int kFailuresPerLimit = 20;
constexpr int kMostHalvings = 6;
// The weight of the buffer with the largest size x sqrt(duration); the sum of
// all, however often they are pushed out, fits int64_t.
constexpr double kLargestWeight = 1 << 24;
constexpr int64_t kMostPenalty = 1 << 12;
// How many comparisons (see ClimbOptions) it takes to find one who is live, and
// to sort the edges of one who is placed.
constexpr int64_t kWorkPerNeighbor = 4;
constexpr int64_t kWorkPerEdge = 8;

constexpr int64_t kOut = -1;  // the offset of a buffer that has no place

struct Item {
  SlotRange slots;
  int64_t offset;
  int64_t size;
  int64_t alignment;
  int64_t weight;   // of being pushed out for the first time
  int64_t penalty;  // how many times that it costs now
  int32_t buffer;
  bool is_fixed;

  int64_t end() const { return offset + size; }
};

// Who can be in the way of another, by first slot.
std::vector<Item> MakeItems(const Problem& problem, const Solution& start) {
  const Slots slots = MakeSlots(problem);
  std::vector<Item> items;
  std::vector<double> areas;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (CannotConflict(buffer)) continue;
    items.push_back({slots.ranges[i], start.offsets[i], buffer.size,
                     buffer.alignment, 1, 1, static_cast<int32_t>(i),
                     buffer.fixed_offset.has_value()});
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) {
                     return a.slots.begin < b.slots.begin;
                   });
  double largest = 0;
  for (const Item& item : items) {
    const double duration = item.slots.end - item.slots.begin;
    areas.push_back(static_cast<double>(item.size) * std::sqrt(duration));
    largest = std::max(largest, areas.back());
  }
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].weight +=
        static_cast<int64_t>(areas[i] / largest * kLargestWeight);
  }
  return items;
}

std::vector<SlotRange> SlotsOf(const std::vector<Item>& items) {
  std::vector<SlotRange> ranges;
  ranges.reserve(items.size());
  for (const Item& item : items) ranges.push_back(item.slots);
  return ranges;
}

class Climber {
 public:
  Climber(const Problem& problem, const Solution& start,
          const ClimbOptions& options)
      : options_(options),
        items_(MakeItems(problem, start)),
        ranges_(SlotsOf(items_)),
        index_(ranges_) {
    for (size_t i = 0; i < items_.size(); ++i) {
      highest_.push({items_[i].end(), static_cast<int32_t>(i)});
    }
  }

  void Run();
  const std::vector<Item>& items() const { return items_; }
  int64_t work() const { return work_; }

 private:
  // Where an item begins or ends, and what it costs to push it out.
  struct Edge {
    int64_t at;
    int64_t cost;
    int32_t item;
    bool is_fixed;
  };
  struct Place {
    int64_t cost = std::numeric_limits<int64_t>::max();
    int64_t offset = -1;
  };
  struct Move {
    int32_t item;
    int64_t old_offset;
  };
  enum class Outcome { kLowered, kFailed, kStopped };

  int64_t ArenaSize();
  Outcome LowerAll(int64_t limit);
  bool Lower(int32_t top, int64_t limit);
  void MoveTo(int32_t item, int64_t offset);
  void TakeBack();
  size_t PushOut(int64_t begin, int64_t end);
  std::optional<int64_t> FindPlace(int32_t item, int64_t limit);
  void LookAtNeighbors(SlotRange slots);
  void SortEdges(std::vector<Edge>& edges, int64_t limit);
  std::optional<int64_t> FindGap(const Item& item, int64_t limit) const;
  template <typename F>
  void TryOffsets(size_t count, F offset_at, int64_t size, int64_t limit,
                  Place& best) const;
  bool MustStop() const {
    return work_ >= options_.max_work ||
           (options_.should_stop && options_.should_stop());
  }

  const ClimbOptions& options_;
  std::vector<Item> items_;
  const std::vector<SlotRange> ranges_;  // of the items
  const LiveIndex index_;
  // Ends of items; those that have moved since are out of date.
  std::priority_queue<std::pair<int64_t, int32_t>> highest_;
  int64_t work_ = 0;
  // Of the current chain: what it did, and whom it still has to place, the
  // heaviest first.
  std::vector<Move> moves_;
  std::priority_queue<std::pair<int64_t, int32_t>> out_;
  // Of the item that looks for a place: who is live with it, and the edges of
  // those that are placed, ascending.
  std::vector<int32_t> neighbors_;
  std::vector<Edge> begins_;
  std::vector<Edge> ends_;
  std::vector<Edge> sorted_;          // within SortEdges, and
  std::vector<int32_t> bucket_ends_;  // this, too
};

void Climber::Run() {
  int halvings = 1;
  int failures = 0;  // since something was lowered
  for (int64_t arena = ArenaSize(); arena > options_.goal;) {
    if (MustStop()) return;
    if (options_.progress) options_.progress(arena);
    const int64_t step =
        std::max<int64_t>((arena - options_.goal) >> halvings, 1);
    const Outcome outcome = LowerAll(arena - step);
    if (outcome == Outcome::kStopped) return;
    const bool is_done = outcome == Outcome::kLowered;
    halvings = is_done ? std::max(halvings - 1, 1)
                       : std::min(halvings + 1, kMostHalvings);
    const int64_t now = ArenaSize();
    failures = now < arena ? 0 : failures + 1;
    if (failures == options_.max_failures) return;
    arena = now;
  }
}

int64_t Climber::ArenaSize() {
  while (!highest_.empty()) {
    const auto [end, item] = highest_.top();
    if (items_[item].end() == end) return end;
    highest_.pop();
  }
  return 0;
}

// Puts all that ends above the limit below it.
Climber::Outcome Climber::LowerAll(int64_t limit) {
  std::vector<int32_t> stuck;
  while (ArenaSize() > limit && stuck.size() < kFailuresPerLimit) {
    if (MustStop()) return Outcome::kStopped;
    const int32_t top = highest_.top().second;
    highest_.pop();
    if (!Lower(top, limit)) stuck.push_back(top);
  }
  for (const int32_t i : stuck) highest_.push({items_[i].end(), i});
  return stuck.empty() ? Outcome::kLowered : Outcome::kFailed;
}

// False: the chain failed, and all is as before.
bool Climber::Lower(int32_t top, int64_t limit) {
  moves_.clear();
  out_ = {};
  MoveTo(top, kOut);
  const size_t longest =
      std::min(kLongestChain, kLongestChainPerItem * items_.size());
  size_t pushed_out = 0;
  while (!out_.empty()) {
    const int32_t item = out_.top().second;
    out_.pop();
    const std::optional<int64_t> offset = FindPlace(item, limit);
    if (offset) pushed_out += PushOut(*offset, *offset + items_[item].size);
    if (!offset || pushed_out > longest || MustStop()) {
      TakeBack();
      return false;
    }
    MoveTo(item, *offset);
  }
  return true;
}

void Climber::MoveTo(int32_t item, int64_t offset) {
  moves_.push_back({item, items_[item].offset});
  items_[item].offset = offset;
  if (offset == kOut) {
    out_.push({items_[item].weight, item});
  } else {
    highest_.push({items_[item].end(), item});
  }
}

void Climber::TakeBack() {
  for (; !moves_.empty(); moves_.pop_back()) {
    const auto [item, offset] = moves_.back();
    items_[item].offset = offset;
    if (offset != kOut) highest_.push({items_[item].end(), item});
  }
}

// Pushes out which neighbors are in the way, and tells how many.
size_t Climber::PushOut(int64_t begin, int64_t end) {
  size_t count = 0;
  for (const int32_t i : neighbors_) {
    Item& item = items_[i];
    if (item.offset == kOut || item.offset >= end || item.end() <= begin) {
      continue;
    }
    item.penalty = std::min(item.penalty + 1, kMostPenalty);
    MoveTo(i, kOut);
    ++count;
  }
  return count;
}

// The lowest gap; if there is none, where it costs least to make one.
std::optional<int64_t> Climber::FindPlace(int32_t item, int64_t limit) {
  const Item& wanted = items_[item];
  LookAtNeighbors(wanted.slots);
  SortEdges(begins_, limit);
  if (const auto gap = FindGap(wanted, limit)) return gap;
  ends_ = begins_;
  for (Edge& edge : ends_) edge.at = items_[edge.item].end();
  SortEdges(ends_, limit);
  Place best;
  const auto above = [&](size_t k) {
    return k == 0 ? 0 : AlignUp(ends_[k - 1].at, wanted.alignment);
  };
  const auto below = [&](size_t k) {
    const int64_t offset = begins_[k].at - wanted.size;
    return offset < 0 ? offset
                      : offset - AboveMultiple(offset, wanted.alignment);
  };
  TryOffsets(ends_.size() + 1, above, wanted.size, limit, best);
  TryOffsets(begins_.size(), below, wanted.size, limit, best);
  if (best.offset < 0) return std::nullopt;
  return best.offset;
}

// Notes who is live during the slots and placed.
void Climber::LookAtNeighbors(SlotRange slots) {
  neighbors_.clear();
  index_.Find(slots, neighbors_);
  work_ += static_cast<int64_t>(neighbors_.size()) * kWorkPerNeighbor;
  begins_.clear();
  for (const int32_t i : neighbors_) {
    const Item& item = items_[i];
    if (item.offset == kOut) continue;
    begins_.push_back(
        {item.offset, item.weight * item.penalty, i, item.is_fixed});
  }
}

// Ascending. Edges are spread over all bytes below the limit as a rule, so that
// in one pass each comes close to its place.
void Climber::SortEdges(std::vector<Edge>& edges, int64_t limit) {
  work_ += static_cast<int64_t>(edges.size()) * kWorkPerEdge;
  const size_t most_buckets = 2 * edges.size() + 2;
  int shift = 0;
  while (static_cast<size_t>(limit >> shift) >= most_buckets) ++shift;
  const auto bucket_of = [&](const Edge& edge) {
    return static_cast<size_t>(std::min(edge.at, limit) >> shift);
  };
  bucket_ends_.assign(static_cast<size_t>(limit >> shift) + 1, 0);
  for (const Edge& edge : edges) ++bucket_ends_[bucket_of(edge)];
  std::partial_sum(bucket_ends_.begin(), bucket_ends_.end(),
                   bucket_ends_.begin());
  sorted_.resize(edges.size());
  for (size_t k = edges.size(); k-- > 0;) {
    sorted_[--bucket_ends_[bucket_of(edges[k])]] = edges[k];
  }
  edges.swap(sorted_);
  // What was an end of a bucket is its begin now.
  bucket_ends_.push_back(static_cast<int32_t>(edges.size()));
  for (size_t i = 0; i + 1 < bucket_ends_.size(); ++i) {
    const int32_t begin = bucket_ends_[i];
    const int32_t end = bucket_ends_[i + 1];
    if (end - begin < 2) continue;
    std::sort(edges.begin() + begin, edges.begin() + end,
              [](const Edge& a, const Edge& b) { return a.at < b.at; });
  }
}

std::optional<int64_t> Climber::FindGap(const Item& item, int64_t limit) const {
  int64_t offset = 0;  // all below is taken, as far as has been looked at
  for (const Edge& edge : begins_) {
    if (edge.at - offset >= item.size) break;
    offset = std::max(offset, AlignUp(items_[edge.item].end(), item.alignment));
  }
  if (offset > limit - item.size) return std::nullopt;
  return offset;
}

// Improves on the best place by one of the ascending offsets; those below 0 are
// none. A place costs what all that is in its way costs.
template <typename F>
void Climber::TryOffsets(size_t count, F offset_at, int64_t size, int64_t limit,
                         Place& best) const {
  size_t begun = 0;
  size_t ended = 0;
  int64_t cost = 0;
  int num_fixed = 0;
  for (size_t k = 0; k < count; ++k) {
    const int64_t offset = offset_at(k);
    if (offset > limit - size) return;
    if (offset < 0) continue;
    for (; begun < begins_.size() && begins_[begun].at < offset + size;
         ++begun) {
      cost += begins_[begun].cost;
      num_fixed += begins_[begun].is_fixed ? 1 : 0;
    }
    for (; ended < ends_.size() && ends_[ended].at <= offset; ++ended) {
      cost -= ends_[ended].cost;
      num_fixed -= ends_[ended].is_fixed ? 1 : 0;
    }
    if (num_fixed == 0 && cost < best.cost) best = {cost, offset};
  }
}

}  // namespace

ClimbResult ClimbDown(const Problem& problem, Solution start,
                      const ClimbOptions& options) {
  Climber climber(problem, start, options);
  climber.Run();
  for (const Item& item : climber.items()) {
    start.offsets[item.buffer] = item.offset;
  }
  start.arena_size = ArenaSize(problem, start.offsets);
  return {std::move(start), climber.work()};
}

}  // namespace memplan
