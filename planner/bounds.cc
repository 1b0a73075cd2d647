#include "planner/bounds.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "planner/sweep.h"

namespace memplan {
namespace {

constexpr size_t kMaxAlignments = 16;

int64_t RoundUp(int64_t size, int64_t unit) {
  return (size + unit - 1) / unit * unit;
}

// The largest sum of live sizes, each rounded up to `unit`, less the padding
// that the topmost buffer does not need: any of the live ones may be on top,
// so the largest padding is taken off. Of those buffers alone whose alignment
// is a multiple of `unit`, so that each offset is one, too.
//
//   unit 4    |xx..|xxxx|x...|xxx.|   sizes 2 4 1 3: 16 rounded, and at least
//                                     13 with the 1 on top
int64_t MaxLiveRounded(const Problem& problem, int64_t unit) {
  const auto is_aligned = [unit](const Buffer& buffer) {
    return buffer.alignment % unit == 0;
  };
  // The paddings of live buffers, largest first, with their ends; those past
  // their end are dropped when they reach the front.
  std::priority_queue<std::pair<int64_t, int64_t>> paddings;
  int64_t live = 0;
  int64_t best = 0;
  for (const SweepEvent& event : Sweep(problem, is_aligned)) {
    const Buffer& buffer = problem.buffers[event.index];
    const int64_t rounded = RoundUp(buffer.size, unit);
    if (!event.is_begin) {
      live -= rounded;
      continue;
    }
    live += rounded;
    if (rounded > buffer.size) {
      paddings.push({rounded - buffer.size, buffer.lifespan.end});
    }
    if (live <= best) continue;
    while (!paddings.empty() && paddings.top().second <= event.step) {
      paddings.pop();
    }
    best = std::max(best, live - (paddings.empty() ? 0 : paddings.top().first));
  }
  return best;
}

// What divides every offset: of the buffers that move, the alignment; of fixed
// ones, the offset itself may have more.
int64_t CommonUnit(const Problem& problem) {
  int64_t unit = 0;
  for (const Buffer& buffer : problem.buffers) {
    if (CannotConflict(buffer)) continue;
    unit = std::gcd(unit, buffer.alignment);
    if (unit == 1) break;
  }
  return std::max<int64_t>(unit, 1);
}

// The alignments that occur, above `unit`, the most frequent first.
std::vector<int64_t> FrequentAlignments(const Problem& problem, int64_t unit) {
  std::vector<int64_t> all;
  for (const Buffer& buffer : problem.buffers) {
    if (CannotConflict(buffer) || buffer.alignment <= unit) continue;
    all.push_back(buffer.alignment);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::pair<int64_t, int64_t>> counted;  // -count, alignment
  for (size_t i = 0; i < all.size();) {
    size_t j = i;
    while (j < all.size() && all[j] == all[i]) ++j;
    counted.push_back({-static_cast<int64_t>(j - i), all[i]});
    i = j;
  }
  std::sort(counted.begin(), counted.end());
  if (counted.size() > kMaxAlignments) counted.resize(kMaxAlignments);
  std::vector<int64_t> result;
  for (const auto& [count, alignment] : counted) result.push_back(alignment);
  return result;
}

}  // namespace

int64_t MaxLiveBytes(const Problem& problem) {
  return MaxLiveRounded(problem, CommonUnit(problem));
}

int64_t LowerBound(const Problem& problem) {
  const int64_t unit = CommonUnit(problem);
  int64_t bound = MaxLiveRounded(problem, unit);
  for (const Buffer& buffer : problem.buffers) {
    bound = std::max(bound, buffer.size + buffer.fixed_offset.value_or(0));
  }
  for (const int64_t alignment : FrequentAlignments(problem, unit)) {
    bound = std::max(bound, MaxLiveRounded(problem, alignment));
  }
  return bound;
}

}  // namespace memplan
