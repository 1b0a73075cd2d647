// Where thousands of buffers live at once, a climb is through with its effort
// before it has looked at each of them. But sizes differ: as a rule the smaller
// half of the buffers has a thousandth of the bytes. So they are kept out of
// the way, and the climb has a quarter of the pairs to look at:
//
//     arena
//       |  small ones, by online best fit   a thousandth; a tenth of it lost
//       +--------------------------------
//       |
//       |  large ones, climbed down
//       |
//       +-------------------------------- time
#include "planner/solvers/small_apart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/bounds.h"
#include "planner/checked_math.h"
#include "planner/sweep.h"

namespace memplan {
namespace {

constexpr double kLargestSmallShare = 0.01;

// How many pairs of buffers live at once.
double CountPairs(const Problem& problem) {
  double pairs = 0;
  int64_t live = 0;
  for (const SweepEvent& event : Sweep(problem)) {
    if (event.is_begin) pairs += static_cast<double>(live);
    live += event.is_begin ? 1 : -1;
  }
  return pairs;
}

double AreaOf(const Buffer& buffer) {
  return static_cast<double>(buffer.size) *
         static_cast<double>(buffer.lifespan.end - buffer.lifespan.begin);
}

// Those that may be parted off, the smallest first. Alignments are powers of
// two, so that a multiple of the largest suits all.
std::vector<int32_t> MovableBySize(const Problem& problem) {
  std::vector<int32_t> result;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (CannotConflict(buffer) || buffer.fixed_offset) continue;
    if ((buffer.alignment & (buffer.alignment - 1)) != 0) continue;
    result.push_back(static_cast<int32_t>(i));
  }
  std::stable_sort(result.begin(), result.end(), [&](int32_t a, int32_t b) {
    return problem.buffers[a].size < problem.buffers[b].size;
  });
  return result;
}

}  // namespace

SizeSplit SplitBySize(const Problem& problem, int64_t max_pairs) {
  const std::vector<Buffer>& buffers = problem.buffers;
  SizeSplit split;
  const double pairs = CountPairs(problem);
  if (pairs > static_cast<double>(max_pairs)) {
    split.small = MovableBySize(problem);
    // Size and lifespan have little to do with each other as a rule, so that
    // the pairs go with the square of the number.
    const double kept = std::sqrt(static_cast<double>(max_pairs) / pairs);
    const size_t wanted =
        split.small.size() -
        std::min(
            split.small.size(),
            static_cast<size_t>(kept * static_cast<double>(buffers.size())));
    double room = 0;
    for (const Buffer& buffer : buffers) room += AreaOf(buffer);
    room *= kLargestSmallShare;
    size_t count = 0;
    for (; count < wanted; ++count) {
      room -= AreaOf(buffers[split.small[count]]);
      if (room < 0) break;
    }
    split.small.resize(count);
    std::sort(split.small.begin(), split.small.end());
  }
  size_t next_small = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const bool is_small = next_small < split.small.size() &&
                          split.small[next_small] == static_cast<int32_t>(i);
    if (is_small) {
      ++next_small;
    } else {
      split.large.push_back(static_cast<int32_t>(i));
    }
  }
  return split;
}

Solution StackSmall(const Problem& problem, const SizeSplit& split,
                    const Solution& large, const Solution& small) {
  Solution both;
  both.offsets.resize(problem.buffers.size());
  for (size_t i = 0; i < split.large.size(); ++i) {
    both.offsets[split.large[i]] = large.offsets[i];
  }
  int64_t base = large.arena_size;
  for (const int32_t i : split.small) {
    base = AlignUp(base, problem.buffers[i].alignment);
  }
  for (size_t i = 0; i < split.small.size(); ++i) {
    both.offsets[split.small[i]] = base + small.offsets[i];
  }
  both.arena_size = ArenaSize(problem, both.offsets);
  return both;
}

}  // namespace memplan
