#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "planner/order_window.h"

// The order with the least peak, exactly. What is live after a set of steps
// depends on the set alone, so orders are paths from the empty set to the full
// one, and the peak of an order is the highest point of its path:
//
//      {}  --a-->  {a}  --b-->  {a,b}  --c-->  {a,b,c}
//        \--b-->  {b}  --a--/
//
// Dijkstra's algorithm with "highest so far" in place of "length so far" visits
// the sets by ascending height; the first time it takes the full set, its path
// is a best one. (The dynamic programming of Ahn et al., "Ordering Chaos",
// MLSys 2020, goes over the same sets level by level under a guessed bound.)
//
// One pruning rule: a step that is ready, that does not go above the height
// reached, and that leaves no more live than before, comes next without
// alternatives. Moving such a step forward in any order keeps each set that
// follows at or below what it was: who is freed later is freed at the latest
// then, and more inputs can only have become dead in between.

namespace memplan {
namespace {

struct Set {
  int64_t height = 0;  // the most live bytes on the way here
  int64_t live = 0;
  int32_t trail = -1;  // the last link of the way here
  int32_t count = 0;   // of steps in it
};

// A way as a list that grows at its end and shares its beginning.
struct Link {
  int32_t parent;
  int32_t step;
};

// The sets found so far, each once, with their bits side by side in one pool.
class SetTable {
 public:
  explicit SetTable(size_t words) : words_(words), slots_(1024, kEmpty) {}

  const uint64_t* bits(size_t set) const { return &pool_[set * words_]; }
  size_t size() const { return sets_.size(); }
  Set& operator[](size_t set) { return sets_[set]; }

  // The index of the set with these bits; a new one, of height -1, if there is
  // none.
  size_t FindOrAdd(const std::vector<uint64_t>& bits) {
    if (sets_.size() * 2 > slots_.size()) Grow();
    size_t slot = Hash(bits.data()) & (slots_.size() - 1);
    while (slots_[slot] != kEmpty) {
      const size_t set = static_cast<size_t>(slots_[slot]);
      if (std::equal(bits.begin(), bits.end(), this->bits(set))) return set;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<int32_t>(sets_.size());
    pool_.insert(pool_.end(), bits.begin(), bits.end());
    sets_.push_back({.height = -1});
    return sets_.size() - 1;
  }

 private:
  static constexpr int32_t kEmpty = -1;

  size_t Hash(const uint64_t* bits) const {
    uint64_t hash = 0x9E3779B97F4A7C15;
    for (size_t w = 0; w < words_; ++w) {
      hash = (hash ^ bits[w]) * 0xBF58476D1CE4E5B9;
      hash ^= hash >> 29;
    }
    return static_cast<size_t>(hash);
  }

  void Grow() {
    slots_.assign(slots_.size() * 4, kEmpty);
    for (size_t set = 0; set < sets_.size(); ++set) {
      size_t slot = Hash(bits(set)) & (slots_.size() - 1);
      while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<int32_t>(set);
    }
  }

  size_t words_;
  std::vector<Set> sets_;
  std::vector<uint64_t> pool_;
  std::vector<int32_t> slots_;
};

// Lowest first; of equal ones the fullest, which is nearest to the end; then by
// index, so that all runs agree.
struct Waiting {
  int64_t height;
  int32_t count;
  int32_t set;
  bool operator<(const Waiting& other) const {
    if (height != other.height) return height > other.height;
    if (count != other.count) return count < other.count;
    return set > other.set;
  }
};

class ExactSearch {
 public:
  ExactSearch(const OrderWindow& window, int64_t bound)
      : window_(window), bound_(bound), sets_(window.words()) {}

  ExactResult Run(int64_t max_sets, int64_t& effort) {
    bits_.assign(window_.words(), 0);
    const size_t first = sets_.FindOrAdd(bits_);
    sets_[first].height = 0;
    sets_[first].live = window_.live_at_start();
    waiting_.push({0, 0, static_cast<int32_t>(first)});
    while (!waiting_.empty()) {
      const Waiting next = waiting_.top();
      waiting_.pop();
      const size_t set = static_cast<size_t>(next.set);
      if (next.height != sets_[set].height) continue;  // found lower since
      if (next.count == static_cast<int32_t>(window_.size())) {
        return {.better = PathTo(set), .complete = true};
      }
      if (effort <= 0 || static_cast<int64_t>(sets_.size()) > max_sets) {
        return {.better = std::nullopt, .complete = false};
      }
      --effort;
      Expand(set);
    }
    return {.better = std::nullopt, .complete = true};
  }

 private:
  void Expand(size_t set) {
    // Add may move the pool.
    bits_.assign(sets_.bits(set), sets_.bits(set) + window_.words());
    const Set from = sets_[set];
    moves_.clear();
    for (size_t s = 0; s < window_.size(); ++s) {
      if (OrderWindow::IsDone(bits_.data(), static_cast<int32_t>(s)) ||
          !window_.IsReady(s, bits_.data())) {
        continue;
      }
      const OrderWindow::Effect effect =
          window_.EffectOf(s, bits_.data(), from.live);
      if (effect.during >= bound_) continue;
      if (effect.during <= from.height && effect.after <= from.live) {
        moves_.assign(1, {s, effect});
        break;
      }
      moves_.push_back({s, effect});
    }
    for (const Move& move : moves_) Add(from, move);
  }

  struct Move {
    size_t step;
    OrderWindow::Effect effect;
  };

  // The set after the move, and after what then comes without alternatives of
  // the steps that waited for it: a chain of layers is one move.
  void Add(const Set& from, const Move& move) {
    next_bits_ = bits_;
    steps_.clear();
    Set to = from;
    for (std::optional<Move> next = move; next; next = NextOfChain(to)) {
      OrderWindow::SetDone(next_bits_.data(), next->step);
      steps_.push_back(static_cast<int32_t>(next->step));
      to.height = std::max(to.height, next->effect.during);
      to.live = next->effect.after;
      ++to.count;
    }
    const size_t set = sets_.FindOrAdd(next_bits_);
    if (sets_[set].height >= 0 && sets_[set].height <= to.height) return;
    for (const int32_t step : steps_) {
      links_.push_back({to.trail, step});
      to.trail = static_cast<int32_t>(links_.size()) - 1;
    }
    sets_[set] = to;
    waiting_.push({to.height, to.count, static_cast<int32_t>(set)});
  }

  std::optional<Move> NextOfChain(const Set& from) const {
    for (const int32_t s : window_.after(static_cast<size_t>(steps_.back()))) {
      const size_t step = static_cast<size_t>(s);
      if (!window_.IsReady(step, next_bits_.data())) continue;
      const OrderWindow::Effect effect =
          window_.EffectOf(step, next_bits_.data(), from.live);
      if (effect.during <= from.height && effect.after <= from.live) {
        return Move{step, effect};
      }
    }
    return std::nullopt;
  }

  WindowOrder PathTo(size_t set) {
    WindowOrder path = {.positions = {}, .peak = sets_[set].height};
    for (int32_t at = sets_[set].trail; at >= 0;
         at = links_[static_cast<size_t>(at)].parent) {
      path.positions.push_back(links_[static_cast<size_t>(at)].step);
    }
    std::reverse(path.positions.begin(), path.positions.end());
    return path;
  }

  const OrderWindow& window_;
  const int64_t bound_;
  SetTable sets_;
  std::priority_queue<Waiting> waiting_;
  std::vector<Link> links_;
  std::vector<uint64_t> bits_;       // of the set that is expanded
  std::vector<uint64_t> next_bits_;  // of the one that is made
  std::vector<int32_t> steps_;       // that lead from the one to the other
  std::vector<Move> moves_;
};

}  // namespace

ExactResult SearchExactly(const OrderWindow& window, int64_t bound,
                          int64_t max_sets, int64_t& effort) {
  return ExactSearch(window, bound).Run(max_sets, effort);
}

}  // namespace memplan
