#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/verify.h"

namespace memplan {
namespace {

std::string Describe(const Problem& problem, const Solution& solution,
                     size_t b) {
  const Buffer& buffer = problem.buffers[b];
  const int64_t offset = solution.offsets[b];
  return absl::StrCat("buffer ", b, " (steps [", buffer.lifespan.begin, ", ",
                      buffer.lifespan.end, "), bytes [", offset, ", ",
                      offset + buffer.size, "))");
}

absl::Status CheckPlaces(const Problem& problem, const Solution& solution) {
  if (solution.offsets.size() != problem.buffers.size()) {
    return absl::FailedPreconditionError(
        absl::StrCat(solution.offsets.size(), " offsets for ",
                     problem.buffers.size(), " buffers"));
  }
  int64_t highest = 0;
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer& buffer = problem.buffers[b];
    const int64_t offset = solution.offsets[b];
    const auto end = CheckedAdd(offset, buffer.size);
    if (offset < 0 || buffer.size < 0 || !end) {
      return absl::FailedPreconditionError(
          absl::StrCat("buffer ", b, ": offset ", offset, " is out of bounds"));
    }
    if (buffer.alignment < 1 || offset % buffer.alignment != 0) {
      return absl::FailedPreconditionError(
          absl::StrCat("buffer ", b, ": offset ", offset, " is no multiple of ",
                       buffer.alignment));
    }
    if (buffer.fixed_offset && *buffer.fixed_offset != offset) {
      return absl::FailedPreconditionError(
          absl::StrCat("buffer ", b, ": offset ", offset,
                       ", but it is fixed at ", *buffer.fixed_offset));
    }
    highest = std::max(highest, *end);
  }
  if (highest != solution.arena_size) {
    return absl::FailedPreconditionError(
        absl::StrCat("the arena is given as ", solution.arena_size,
                     " bytes, but its buffers need ", highest));
  }
  return absl::OkStatus();
}

}  // namespace

// Sweeps over the steps with the live buffers in a map by offset. So long as
// the live ones are disjoint, a new one can only clash with its neighbours.
absl::Status VerifySolution(const Problem& problem, const Solution& solution) {
  if (absl::Status s = CheckPlaces(problem, solution); !s.ok()) return s;

  std::vector<size_t> by_begin;
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer& buffer = problem.buffers[b];
    if (buffer.size > 0 && buffer.lifespan.begin < buffer.lifespan.end) {
      by_begin.push_back(b);
    }
  }
  std::vector<size_t> by_end = by_begin;
  const auto lifespan = [&](size_t b) { return problem.buffers[b].lifespan; };
  std::stable_sort(by_begin.begin(), by_begin.end(), [&](size_t a, size_t b) {
    return lifespan(a).begin < lifespan(b).begin;
  });
  std::stable_sort(by_end.begin(), by_end.end(), [&](size_t a, size_t b) {
    return lifespan(a).end < lifespan(b).end;
  });

  std::map<int64_t, size_t> live;  // offset -> buffer
  size_t ended = 0;
  const auto clash = [&](size_t a, size_t b) {
    return absl::FailedPreconditionError(
        absl::StrCat(Describe(problem, solution, a), " and ",
                     Describe(problem, solution, b), " overlap"));
  };
  for (size_t b : by_begin) {
    while (lifespan(by_end[ended]).end <= lifespan(b).begin) {
      live.erase(solution.offsets[by_end[ended++]]);
    }
    const int64_t offset = solution.offsets[b];
    const auto above = live.lower_bound(offset);
    if (above != live.end() &&
        above->first < offset + problem.buffers[b].size) {
      return clash(above->second, b);
    }
    if (above != live.begin()) {
      const auto below = std::prev(above);
      if (below->first + problem.buffers[below->second].size > offset) {
        return clash(below->second, b);
      }
    }
    live.emplace(offset, b);
  }
  return absl::OkStatus();
}

}  // namespace memplan
