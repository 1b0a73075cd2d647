#include "planner/solvers/components.h"

#include <algorithm>
#include <tuple>

#include "planner/bounds.h"

namespace memplan {

std::vector<std::vector<int32_t>> SplitInTime(const Problem& problem) {
  const std::vector<Buffer>& buffers = problem.buffers;
  std::vector<int32_t> order;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (!CannotConflict(buffers[i])) order.push_back(static_cast<int32_t>(i));
  }
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return std::tie(buffers[a].lifespan.begin, a) <
           std::tie(buffers[b].lifespan.begin, b);
  });
  std::vector<std::vector<int32_t>> parts;
  int64_t end = 0;
  for (const int32_t i : order) {
    const Lifespan& lifespan = buffers[i].lifespan;
    if (parts.empty() || lifespan.begin >= end) {
      parts.emplace_back();
      end = lifespan.end;
    }
    parts.back().push_back(i);
    end = std::max(end, lifespan.end);
  }
  for (std::vector<int32_t>& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

Problem SubProblem(const Problem& problem, const std::vector<int32_t>& part) {
  Problem result;
  result.buffers.reserve(part.size());
  for (const int32_t i : part) result.buffers.push_back(problem.buffers[i]);
  return result;
}

}  // namespace memplan
