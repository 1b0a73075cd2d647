#include "tools/peak.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"

namespace memplan {

Peak FindPeak(const Problem& problem) {
  std::map<int64_t, int64_t> changes;  // step -> bytes that come or go
  for (const Buffer& buffer : problem.buffers) {
    if (buffer.lifespan.begin >= buffer.lifespan.end) continue;
    changes[buffer.lifespan.begin] += buffer.size;
    changes[buffer.lifespan.end] -= buffer.size;
  }
  Peak peak;
  int64_t bytes = 0;
  for (const auto& [step, change] : changes) {
    bytes += change;
    if (bytes > peak.bytes) {
      peak.bytes = bytes;
      peak.step = step;
    }
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.size > 0 && buffer.lifespan.begin <= peak.step &&
        peak.step < buffer.lifespan.end) {
      peak.live.push_back(i);
    }
  }
  std::stable_sort(peak.live.begin(), peak.live.end(), [&](size_t a, size_t b) {
    return problem.buffers[a].size > problem.buffers[b].size;
  });
  return peak;
}

std::string NodeAt(const Plan& plan, int64_t step) {
  const Node* innermost = nullptr;
  int64_t shortest = 0;
  for (size_t i = 0; i < plan.graph.nodes.size(); ++i) {
    const Lifespan& steps = plan.timeline.node_steps[i];
    if (step < steps.begin || step >= steps.end) continue;
    if (innermost == nullptr || steps.end - steps.begin < shortest) {
      innermost = &plan.graph.nodes[i];
      shortest = steps.end - steps.begin;
    }
  }
  if (innermost == nullptr) return "";
  if (innermost->name.empty()) {
    return absl::StrCat(innermost->op_type, " node ", innermost->file_index);
  }
  return absl::StrCat("node '", innermost->name, "'");
}

}  // namespace memplan
