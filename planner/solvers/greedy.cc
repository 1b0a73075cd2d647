// Greedy: take the buffers in some order, and put each into a gap that is left
// for its whole lifespan. Which order is best depends on the problem, so
// several are tried:
//
//   size      the largest first: what is hard to place is placed while there is
//             room. The habit of TFLite, XNNPACK, OpenVINO...
//   area      size x duration
//   duration  the longest first: long ones make a smooth floor
//   breadth   those that live while most bytes do (Pisarchyk & Lee 2020), the
//             largest first among them
//   time      by begin: what an allocator online would do; and by end,
//             backwards
//
//      size first             time first
//      +----+----+            +----+
//      | 1  | 3  |            | 1  +---------+      the same four buffers
//      +----+----+--+         +----+    3    |
//      |  0      |  |         |  0 |         |
//
// The lowest gap is found sooner, and as a rule the better choice for many
// buffers; the tightest for few. Both are tried.
#include "planner/solvers/greedy.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/bounds.h"
#include "planner/solvers/occupancy.h"
#include "planner/solvers/replay.h"
#include "planner/solvers/slots.h"

namespace memplan {
namespace {

enum class Order { kSize, kArea, kBreadth, kDuration, kBegin, kEnd, kIndex };

constexpr Order kOrders[] = {Order::kBreadth,  Order::kSize,  Order::kArea,
                             Order::kDuration, Order::kBegin, Order::kEnd,
                             Order::kIndex};

// What the orders together may cost with each fit (see Occupancy::work). Where
// there are many buffers, or many live at once, not all orders are tried.
constexpr int64_t kWorkPerFit = 250'000'000;
constexpr size_t kPlacedBetweenStops = 64;

// The most bytes that are live at once during each buffer's lifespan.
std::vector<int64_t> BreadthOf(const Problem& problem, const Slots& slots) {
  std::vector<int64_t> live(slots.count + 1, 0);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const SlotRange& range = slots.ranges[i];
    if (range.begin == range.end) continue;
    live[range.begin] += problem.buffers[i].size;
    live[range.end] -= problem.buffers[i].size;
  }
  std::partial_sum(live.begin(), live.end(), live.begin());
  // maxima[k][t]: the most during the 2^k slots from t.
  std::vector<std::vector<int64_t>> maxima = {std::move(live)};
  for (int32_t width = 1; 2 * width <= slots.count; width *= 2) {
    const std::vector<int64_t>& narrow = maxima.back();
    std::vector<int64_t> wide(narrow.size() - width);
    for (size_t t = 0; t < wide.size(); ++t) {
      wide[t] = std::max(narrow[t], narrow[t + width]);
    }
    maxima.push_back(std::move(wide));
  }
  std::vector<int64_t> breadth(problem.buffers.size(), 0);
  for (size_t i = 0; i < breadth.size(); ++i) {
    const auto [begin, end] = slots.ranges[i];
    if (begin == end) continue;
    const int k = 31 - __builtin_clz(static_cast<uint32_t>(end - begin));
    breadth[i] = std::max(maxima[k][begin], maxima[k][end - (1 << k)]);
  }
  return breadth;
}

// Larger keys first; ties by index.
struct Key {
  double first;
  double second;
};

Key KeyOf(const Buffer& buffer, int64_t breadth, Order order) {
  const double size = static_cast<double>(buffer.size);
  const double begin = static_cast<double>(buffer.lifespan.begin);
  const double end = static_cast<double>(buffer.lifespan.end);
  switch (order) {
    case Order::kSize:
      return {size, end - begin};
    case Order::kArea:
      return {size * (end - begin), size};
    case Order::kBreadth:
      return {static_cast<double>(breadth), size};
    case Order::kDuration:
      return {end - begin, size};
    case Order::kBegin:
      return {-begin, size};
    case Order::kEnd:
      return {end, size};
    case Order::kIndex:
      break;
  }
  return {0, 0};
}

std::vector<int32_t> SortBy(const Problem& problem,
                            const std::vector<int64_t>& breadth, Order order) {
  struct Item {
    Key key;
    int32_t index;
  };
  std::vector<Item> items;
  items.reserve(problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (CannotConflict(problem.buffers[i])) continue;
    items.push_back({KeyOf(problem.buffers[i], breadth[i], order),
                     static_cast<int32_t>(i)});
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tie(b.key.first, b.key.second, a.index) <
           std::tie(a.key.first, a.key.second, b.index);
  });
  std::vector<int32_t> result;
  result.reserve(items.size());
  for (const Item& item : items) result.push_back(item.index);
  return result;
}

// Online, but of what begins at one step first what ends first: what stays is
// then not locked in between.
Solution ReplayByEnd(const Problem& problem) {
  std::vector<size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return problem.buffers[a].lifespan.end < problem.buffers[b].lifespan.end;
  });
  Problem sorted;
  sorted.buffers.reserve(order.size());
  for (const size_t i : order) sorted.buffers.push_back(problem.buffers[i]);
  const Solution replayed = SolveReplay(sorted);
  Solution solution = replayed;
  for (size_t i = 0; i < order.size(); ++i) {
    solution.offsets[order[i]] = replayed.offsets[i];
  }
  return solution;
}

// Places the buffers one after the other in the given order, each into a gap
// chosen by `fit`; fixed ones before all others. Takes off `work` what it cost
// (see Occupancy::work), and gives up where that would be more, or where it
// should stop.
std::optional<Solution> PlaceInOrder(const Problem& problem, const Slots& slots,
                                     const std::vector<int32_t>& order, Fit fit,
                                     const StopCondition& should_stop,
                                     int64_t& work) {
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), 0);
  Occupancy occupancy(slots.count, slots.ranges);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (!buffer.fixed_offset) continue;
    solution.offsets[i] = *buffer.fixed_offset;
    if (CannotConflict(buffer)) continue;
    occupancy.Add(slots.ranges[i].begin, slots.ranges[i].end,
                  *buffer.fixed_offset, *buffer.fixed_offset + buffer.size);
  }
  for (size_t k = 0; k < order.size(); ++k) {
    const int32_t i = order[k];
    const Buffer& buffer = problem.buffers[i];
    if (buffer.fixed_offset || CannotConflict(buffer)) continue;
    const bool looks_up = k % kPlacedBetweenStops == 0 && should_stop;
    if (occupancy.work() >= work || (looks_up && should_stop())) {
      return std::nullopt;
    }
    const auto [begin, end] = slots.ranges[i];
    const int64_t offset =
        occupancy.Find(begin, end, buffer.size, buffer.alignment, fit);
    occupancy.Add(begin, end, offset, offset + buffer.size);
    solution.offsets[i] = offset;
  }
  work -= occupancy.work();
  solution.arena_size = ArenaSize(problem, solution.offsets);
  return solution;
}

}  // namespace

Solution SolveGreedy(const Problem& problem, const StopCondition& should_stop) {
  const Slots slots = MakeSlots(problem);
  const std::vector<int64_t> breadth = BreadthOf(problem, slots);
  const int64_t lower_bound = LowerBound(problem);
  Solution best = SolveReplay(problem);
  if (best.arena_size > lower_bound) {
    Solution by_end = ReplayByEnd(problem);
    if (by_end.arena_size < best.arena_size) best = std::move(by_end);
  }
  for (const Fit fit : {Fit::kLowest, Fit::kTightest}) {
    int64_t work = kWorkPerFit;
    for (const Order order : kOrders) {
      if (best.arena_size == lower_bound) return best;
      std::optional<Solution> solution =
          PlaceInOrder(problem, slots, SortBy(problem, breadth, order), fit,
                       should_stop, work);
      if (!solution) break;  // the other orders would take as long
      if (solution->arena_size < best.arena_size) best = *std::move(solution);
    }
  }
  return best;
}

}  // namespace memplan
