#include "planner/problem.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/sweep.h"

namespace memplan {
namespace {

// Steps are kept so far from the ends of int64_t that lengths and midpoints
// cannot overflow.
constexpr int64_t kLargestStep = int64_t{1} << 61;

absl::Status BufferError(size_t index, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat("buffer ", index, ": ", what));
}

absl::Status CheckBuffer(size_t index, const Buffer& buffer) {
  const auto& [begin, end] = buffer.lifespan;
  if (buffer.size < 0) {
    return BufferError(index,
                       absl::StrCat("size ", buffer.size, " is negative"));
  }
  if (buffer.alignment < 1) {
    return BufferError(
        index, absl::StrCat("alignment ", buffer.alignment, " is below 1"));
  }
  if (begin > end) {
    return BufferError(index, absl::StrCat("lifespan begins at ", begin,
                                           " but ends at ", end));
  }
  if (begin < -kLargestStep || end > kLargestStep) {
    return BufferError(index, "lifespan is out of range");
  }
  if (!buffer.fixed_offset) return absl::OkStatus();
  if (*buffer.fixed_offset < 0) {
    return BufferError(
        index,
        absl::StrCat("fixed offset ", *buffer.fixed_offset, " is negative"));
  }
  if (*buffer.fixed_offset % buffer.alignment != 0) {
    return BufferError(
        index,
        absl::StrCat("fixed offset ", *buffer.fixed_offset,
                     " is no multiple of the alignment ", buffer.alignment));
  }
  return absl::OkStatus();
}

// Stacking every buffer above all others, each with its alignment lost as
// padding, must not overflow: then no solver can.
absl::Status CheckTotal(const Problem& problem) {
  int64_t total = 0;
  int64_t fixed_end = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    const std::optional<int64_t> padded =
        CheckedAdd(buffer.size, buffer.alignment);
    const std::optional<int64_t> sum =
        padded ? CheckedAdd(total, *padded) : std::nullopt;
    const std::optional<int64_t> end =
        CheckedAdd(buffer.fixed_offset.value_or(0), buffer.size);
    if (!sum || !end) {
      return BufferError(i,
                         "the sum of sizes, alignments and fixed offsets "
                         "does not fit 64 bits");
    }
    total = *sum;
    if (buffer.fixed_offset) fixed_end = std::max(fixed_end, *end);
  }
  if (!CheckedAdd(total, fixed_end)) {
    return absl::InvalidArgumentError(
        "the sum of sizes, alignments and fixed offsets does not fit 64 bits");
  }
  return absl::OkStatus();
}

// Sweeps over time with the live fixed buffers in a set ordered by offset:
// a new one can only clash with its neighbours.
absl::Status CheckFixedOffsets(const Problem& problem) {
  std::set<std::pair<int64_t, int32_t>> live;
  const auto is_fixed = [](const Buffer& buffer) {
    return buffer.fixed_offset.has_value();
  };
  for (const SweepEvent& event : Sweep(problem, is_fixed)) {
    const Buffer& buffer = problem.buffers[event.index];
    const std::pair<int64_t, int32_t> key = {*buffer.fixed_offset, event.index};
    if (!event.is_begin) {
      live.erase(key);
      continue;
    }
    const auto next = live.insert(key).first;
    const auto clash = [&](int32_t other) {
      return absl::InvalidArgumentError(
          absl::StrCat("buffers ", std::min(other, event.index), " and ",
                       std::max(other, event.index), " are both live at step ",
                       event.step, " and their fixed offsets overlap"));
    };
    if (next != live.begin()) {
      const auto& [offset, other] = *std::prev(next);
      if (offset + problem.buffers[other].size > key.first) return clash(other);
    }
    if (const auto above = std::next(next); above != live.end()) {
      if (key.first + buffer.size > above->first) return clash(above->second);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckProblem(const Problem& problem) {
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (absl::Status s = CheckBuffer(i, problem.buffers[i]); !s.ok()) return s;
  }
  if (absl::Status s = CheckTotal(problem); !s.ok()) return s;
  return CheckFixedOffsets(problem);
}

int64_t ArenaSize(const Problem& problem, const std::vector<int64_t>& offsets) {
  int64_t arena_size = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    arena_size = std::max(arena_size, offsets[i] + problem.buffers[i].size);
  }
  return arena_size;
}

}  // namespace memplan
