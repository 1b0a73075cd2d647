// Replay: what ONNX Runtime would do. It plans online, from the trace of one
// run: each tensor takes the tightest gap among those that live at that moment,
// whatever comes later.
//
//     bytes
//      4 |        +---------------+
//        |        |   3 (size 2)  |    0 is freed at step 2, but 2 has taken
//      2 |     +--+-------+-------+    one of its bytes: 3 must go on top,
//        |     | 1        |            where a planner that looks ahead would
//        +--+--+--+-------+            have put 2 elsewhere.
//        |  0  |  2  |
//      0 +-----+-----+-----------> steps
#include "planner/solvers/replay.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "planner/bounds.h"
#include "planner/checked_math.h"
#include "planner/solvers/best_fit_arena.h"
#include "planner/solvers/none.h"
#include "planner/sweep.h"

namespace memplan {
namespace {

// Which blocks are live under an id. One, but for odd traces: then all of them
// stand in `several`, by offset.
class LiveBlocks {
 public:
  void Add(int64_t id, int64_t offset, BestFitArena::Block block) {
    const auto [single, is_new] = single_.try_emplace(id, block);
    if (!is_new) several_[id].insert({offset, block});
  }

  // Takes out the block with the lowest offset.
  std::optional<BestFitArena::Block> TakeLowest(int64_t id,
                                                const BestFitArena& arena) {
    const auto single = single_.find(id);
    if (single == single_.end()) return std::nullopt;
    const auto several = several_.find(id);
    if (several == several_.end()) {
      const BestFitArena::Block block = single->second;
      single_.erase(single);
      return block;
    }
    several->second.insert({arena.offset(single->second), single->second});
    const BestFitArena::Block lowest = several->second.begin()->second;
    several->second.erase(several->second.begin());
    single->second = several->second.begin()->second;
    several->second.erase(several->second.begin());
    if (several->second.empty()) several_.erase(several);
    return lowest;
  }

 private:
  absl::flat_hash_map<int64_t, BestFitArena::Block> single_;
  absl::flat_hash_map<int64_t, std::set<std::pair<int64_t, int32_t>>> several_;
};

absl::Status OpError(size_t index, const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat("trace op ", index, ": ", what));
}

// The unit that every offset may be a multiple of, so that the arena need not
// know about alignment; unset where it, or a size rounded up to it, is absurd.
std::optional<int64_t> CommonAlignment(const Problem& problem) {
  constexpr int64_t kLargest = int64_t{1} << 40;
  int64_t unit = 1;
  for (const Buffer& buffer : problem.buffers) {
    if (buffer.alignment > kLargest) return std::nullopt;
    if (unit % buffer.alignment == 0) continue;
    const std::optional<int64_t> lcm =
        CheckedMul(unit / std::gcd(unit, buffer.alignment), buffer.alignment);
    if (!lcm || *lcm > kLargest) return std::nullopt;
    unit = *lcm;
  }
  for (const Buffer& buffer : problem.buffers) {
    if (!CheckedAlignUp(buffer.size + buffer.fixed_offset.value_or(0), unit)) {
      return std::nullopt;
    }
  }
  return unit;
}

// Holds the bytes of fixed buffers, rounded outwards to `unit`.
void ReserveFixed(const Problem& problem, int64_t unit, BestFitArena& arena) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const Buffer& buffer : problem.buffers) {
    if (!buffer.fixed_offset || CannotConflict(buffer)) continue;
    ranges.push_back(
        {*buffer.fixed_offset / unit * unit,
         *CheckedAlignUp(*buffer.fixed_offset + buffer.size, unit)});
  }
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 0; i < ranges.size();) {
    auto [begin, end] = ranges[i];
    for (++i; i < ranges.size() && ranges[i].first <= end; ++i) {
      end = std::max(end, ranges[i].second);
    }
    arena.Reserve(begin, end - begin);
  }
}

}  // namespace

absl::StatusOr<TraceResult> ReplayTrace(absl::Span<const TraceOp> ops) {
  TraceResult result;
  result.offsets.assign(ops.size(), 0);
  BestFitArena arena;
  LiveBlocks live;
  for (size_t i = 0; i < ops.size(); ++i) {
    const TraceOp& op = ops[i];
    if (op.kind == TraceOp::Kind::kFree) {
      if (const auto block = live.TakeLowest(op.id, arena)) arena.Free(*block);
      continue;
    }
    if (op.size < 0) {
      return OpError(i, absl::StrCat("size ", op.size, " is negative"));
    }
    if (op.size == 0) continue;
    const std::optional<BestFitArena::Block> block = arena.Allocate(op.size);
    if (!block) return OpError(i, "the arena would not fit 64 bits");
    result.offsets[i] = arena.offset(*block);
    live.Add(op.id, result.offsets[i], *block);
  }
  result.arena_size = arena.high_water_mark();
  return result;
}

Solution SolveReplay(const Problem& problem) {
  const std::optional<int64_t> unit = CommonAlignment(problem);
  if (!unit) return SolveNone(problem);
  Solution solution;
  solution.offsets.reserve(problem.buffers.size());
  for (const Buffer& buffer : problem.buffers) {
    solution.offsets.push_back(buffer.fixed_offset.value_or(0));
  }
  BestFitArena arena;
  ReserveFixed(problem, *unit, arena);
  // The sizes alone stay in the cache where whole buffers would not.
  std::vector<int64_t> sizes;
  sizes.reserve(problem.buffers.size());
  for (const Buffer& buffer : problem.buffers) {
    sizes.push_back(*CheckedAlignUp(buffer.size, *unit));
  }
  std::vector<BestFitArena::Block> blocks(problem.buffers.size());
  const auto moves = [](const Buffer& buffer) { return !buffer.fixed_offset; };
  for (const SweepEvent& event : Sweep(problem, moves)) {
    if (!event.is_begin) {
      arena.Free(blocks[event.index]);
      continue;
    }
    const std::optional<BestFitArena::Block> block =
        arena.Allocate(sizes[event.index]);
    if (!block) return SolveNone(problem);
    blocks[event.index] = *block;
    solution.offsets[event.index] = arena.offset(*block);
  }
  solution.arena_size = ArenaSize(problem, solution.offsets);
  return solution;
}

}  // namespace memplan
