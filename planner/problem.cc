#include "planner/problem.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/strings.h"
#include "planner/sweep.h"

namespace memplan {
namespace {

// Steps are kept so far from the ends of int64_t that lengths and midpoints
// cannot overflow.
constexpr int64_t kLargestStep = int64_t{1} << 61;

// What is wrong with one buffer by itself; empty: nothing.
std::string WhatIsWrongWith(const Buffer& buffer) {
  const auto& [begin, end] = buffer.lifespan;
  if (buffer.size < 0)
    return absl::StrCat("size ", buffer.size, " is negative");
  if (buffer.alignment < 1) {
    return absl::StrCat("alignment ", buffer.alignment, " is below 1");
  }
  if (begin > end) {
    return absl::StrCat("lifespan begins at ", begin, " but ends at ", end);
  }
  if (begin < -kLargestStep || end > kLargestStep) {
    return "lifespan is out of range";
  }
  if (!buffer.fixed_offset) return "";
  if (*buffer.fixed_offset < 0) {
    return absl::StrCat("fixed offset ", *buffer.fixed_offset, " is negative");
  }
  if (*buffer.fixed_offset % buffer.alignment != 0) {
    return absl::StrCat("fixed offset ", *buffer.fixed_offset,
                        " is no multiple of the alignment ", buffer.alignment);
  }
  return "";
}

absl::Status BufferError(const std::string& name, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", AsAbsl(what)));
}

// Stacking every buffer above all others, each with its alignment lost as
// padding, must not overflow: then no solver can.
absl::Status CheckTotal(const Problem& problem, const BufferName& name) {
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
      return BufferError(name(i),
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
absl::Status CheckFixedOffsets(const Problem& problem, const BufferName& name) {
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
      return absl::InvalidArgumentError(absl::StrCat(
          name(std::min(other, event.index)), " and ",
          name(std::max(other, event.index)), " are both live at step ",
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

absl::Status CheckProblem(const Problem& problem, const BufferName& name) {
  if (!name) {
    return CheckProblem(
        problem, [](size_t index) { return absl::StrCat("buffer ", index); });
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const std::string wrong = WhatIsWrongWith(problem.buffers[i]);
    if (!wrong.empty()) return BufferError(name(i), wrong);
  }
  if (absl::Status s = CheckTotal(problem, name); !s.ok()) return s;
  return CheckFixedOffsets(problem, name);
}

int64_t ArenaSize(const Problem& problem, const std::vector<int64_t>& offsets) {
  int64_t arena_size = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    arena_size = std::max(arena_size, offsets[i] + problem.buffers[i].size);
  }
  return arena_size;
}

}  // namespace memplan
