// Takes out the buffer that ends highest and all that lives with it at the
// moment when it is tightest, and puts them back in another order; the buffers
// around keep their places. If that does not help, with more of time around it.
//
//   bytes   +-top-+                        the moment, then a window around it
//           +--+--+---+     taken out:           :        that grows
//     +-----+--+ +----+     all that          ---:---
//     +--------+ +------    lives there      ----:----  ->  |<----:---->|
//   --------------------- time
//
// The orders begin with those that do well as a rule. What then ends above the
// goal goes in earlier the next time, until it finds room: it learns who is
// difficult here. (The idea is known from scheduling; TVM and Vela climb in
// this way over the whole problem.)
#include "planner/solvers/window_climb.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "planner/bounds.h"
#include "planner/solvers/live_index.h"
#include "planner/solvers/noise.h"
#include "planner/solvers/placed_list.h"
#include "planner/solvers/slots.h"

namespace memplan {
namespace {

constexpr int kTriesPerWindow = 48;
constexpr int kTriesPerSeed = 16;  // that learn from one another
constexpr double kGrowth = 1.5;    // of the key of who found no room
constexpr int kWindows = 7;        // of growing width, around one buffer
// A window with more buffers than this would take too long.
constexpr size_t kMostInWindow = 30'000;
// Exponents of the duration in the first keys: size, and size x duration to...
constexpr double kDurationPowers[] = {0.5, 0.0, 1.0, 0.25};
constexpr int kFirstTries = std::size(kDurationPowers);

// The buffers of a window, and those that live with them, which stay (by
// offset).
struct Window {
  std::vector<int32_t> free;
  std::vector<int32_t> kept;
};

class WindowClimber {
 public:
  WindowClimber(const Problem& problem, Solution start,
                const ClimbOptions& options)
      : problem_(problem),
        options_(options),
        solution_(std::move(start)),
        slots_(MakeSlots(problem)),
        index_(slots_.ranges),
        live_(slots_.count + 1, 0),
        is_free_(problem.buffers.size(), 0) {
    for (size_t i = 0; i < problem.buffers.size(); ++i) {
      const auto [begin, end] = slots_.ranges[i];
      if (begin == end) continue;
      live_[begin] += problem.buffers[i].size;
      live_[end] -= problem.buffers[i].size;
      highest_.push({End(static_cast<int32_t>(i)), static_cast<int32_t>(i)});
    }
    std::partial_sum(live_.begin(), live_.end(), live_.begin());
  }

  // A fixed buffer never ends above the goal, so what ends highest can move.
  Solution Run() {
    while (const std::optional<int32_t> top = Highest()) {
      if (End(*top) <= options_.goal || MustStop()) break;
      if (options_.progress) options_.progress(End(*top));
      failures_ = Lower(*top) ? 0 : failures_ + 1;
      if (failures_ == options_.max_failures) break;
    }
    solution_.arena_size = ArenaSize(problem_, solution_.offsets);
    return std::move(solution_);
  }
  int64_t work() const { return work_; }

 private:
  int64_t End(int32_t i) const {
    return solution_.offsets[i] + problem_.buffers[i].size;
  }
  bool MustStop() const {
    return work_ >= options_.max_work ||
           (options_.should_stop && options_.should_stop());
  }

  std::optional<int32_t> Highest();
  bool Lower(int32_t top);
  Window MakeWindow(SlotRange slots);
  bool Replace(const Window& window, int64_t limit);
  void MakeKeys(const Window& window, int tried,
                std::vector<double>& keys) const;
  bool PlaceAll(const Window& window, const std::vector<int32_t>& order,
                int64_t limit, PlacedList placed, std::vector<int64_t>& offsets,
                std::vector<double>& keys);

  const Problem& problem_;
  const ClimbOptions& options_;
  Solution solution_;
  const Slots slots_;
  const LiveIndex index_;
  std::vector<int64_t> live_;  // bytes, by slot
  std::vector<char> is_free_;  // by buffer, within MakeWindow
  // Ends of buffers; those that have moved since are out of date.
  std::priority_queue<std::pair<int64_t, int32_t>> highest_;
  int64_t work_ = 0;
  int failures_ = 0;  // since something was lowered
};

std::optional<int32_t> WindowClimber::Highest() {
  while (!highest_.empty()) {
    const auto [end, buffer] = highest_.top();
    if (End(buffer) == end) return buffer;
    highest_.pop();
  }
  return std::nullopt;
}

// Lowers the buffer that ends highest. False: found no way to.
bool WindowClimber::Lower(int32_t top) {
  const auto [begin, end] = slots_.ranges[top];
  work_ += end - begin;
  const auto tightest =
      std::max_element(live_.begin() + begin, live_.begin() + end);
  const int32_t moment = static_cast<int32_t>(tightest - live_.begin());
  for (int i = 0; i < kWindows && !MustStop(); ++i) {
    // Nothing, then an eighth, a quarter... of the duration on each side.
    const int32_t margin = i == 0 ? 0 : ((end - begin - 1) / 16 + 1) << i;
    const SlotRange slots = {
        std::max(moment - margin, 0),
        std::min(moment + 1, slots_.count - margin) + margin};
    const Window window = MakeWindow(slots);
    if (window.free.size() + window.kept.size() > kMostInWindow) return false;
    if (Replace(window, End(top))) return true;
  }
  return false;
}

Window WindowClimber::MakeWindow(SlotRange slots) {
  Window window;
  std::vector<int32_t> found;
  index_.Find(slots, found);
  SlotRange all = slots;
  for (const int32_t i : found) {
    if (problem_.buffers[i].fixed_offset) continue;
    is_free_[i] = 1;
    window.free.push_back(i);
    all.begin = std::min(all.begin, slots_.ranges[i].begin);
    all.end = std::max(all.end, slots_.ranges[i].end);
  }
  found.clear();
  index_.Find(all, found);
  for (const int32_t i : found) {
    if (!is_free_[i]) window.kept.push_back(i);
    is_free_[i] = 0;
  }
  std::sort(window.kept.begin(), window.kept.end(), [&](int32_t a, int32_t b) {
    return std::pair(solution_.offsets[a], a) <
           std::pair(solution_.offsets[b], b);
  });
  work_ += static_cast<int64_t>(found.size()) * 8;
  return window;
}

// Puts the free buffers of the window back, all below `limit`, in the first
// order that does. False: none did.
bool WindowClimber::Replace(const Window& window, int64_t limit) {
  PlacedList kept;
  for (const int32_t i : window.kept) {
    kept.Add(slots_.ranges[i], solution_.offsets[i], End(i));
  }
  const size_t count = window.free.size();
  std::vector<double> keys(count);
  std::vector<int32_t> order(count);  // places in window.free
  std::vector<int64_t> offsets(count);
  for (int tried = 0; tried < kTriesPerWindow && !MustStop(); ++tried) {
    if (tried < kFirstTries || tried % kTriesPerSeed == 0) {
      MakeKeys(window, tried, keys);
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return keys[a] > keys[b]; });
    if (!PlaceAll(window, order, limit, kept, offsets, keys)) continue;
    for (size_t k = 0; k < count; ++k) {
      const int32_t i = window.free[k];
      solution_.offsets[i] = offsets[k];
      highest_.push({End(i), i});
    }
    return true;
  }
  return false;
}

// Buffers with larger keys go in first.
void WindowClimber::MakeKeys(const Window& window, int tried,
                             std::vector<double>& keys) const {
  const bool is_first = failures_ == 0 && tried < kFirstTries;
  const double power =
      kDurationPowers[is_first ? tried : failures_ % kFirstTries];
  for (size_t k = 0; k < keys.size(); ++k) {
    const int32_t i = window.free[k];
    const double duration = slots_.ranges[i].end - slots_.ranges[i].begin;
    keys[k] = static_cast<double>(problem_.buffers[i].size) *
              std::pow(duration, power);
    if (is_first) continue;
    const uint64_t seed = failures_ * kTriesPerWindow + tried;
    keys[k] *= 0.6 + 0.8 * Noise((k << 20) + seed);
  }
}

// Places the free buffers in order. False: one does not end below `limit`. Keys
// of buffers above the goal grow.
bool WindowClimber::PlaceAll(const Window& window,
                             const std::vector<int32_t>& order, int64_t limit,
                             PlacedList placed, std::vector<int64_t>& offsets,
                             std::vector<double>& keys) {
  for (const int32_t k : order) {
    const int32_t i = window.free[k];
    const Buffer& buffer = problem_.buffers[i];
    const SlotRange& slots = slots_.ranges[i];
    offsets[k] = placed.FindLowest(slots, buffer.size, buffer.alignment);
    const int64_t end = offsets[k] + buffer.size;
    placed.Add(slots, offsets[k], end);
    work_ += static_cast<int64_t>(placed.size());
    if (end > options_.goal) keys[k] *= kGrowth;
    if (end >= limit) return false;
  }
  return true;
}

}  // namespace

ClimbResult ClimbByWindows(const Problem& problem, Solution start,
                           const ClimbOptions& options) {
  WindowClimber climber(problem, std::move(start), options);
  Solution solution = climber.Run();
  return {std::move(solution), climber.work()};
}

}  // namespace memplan
