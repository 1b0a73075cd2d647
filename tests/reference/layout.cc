#include "tests/reference/layout.h"

namespace memplan::reference {

Layout LayoutOf(const Plan& plan) {
  Layout layout;
  layout.schedule = plan.schedule;
  layout.timeline = plan.timeline;
  layout.arena_size = plan.solved.solution.arena_size;
  layout.offset_of_root.resize(plan.graph.values.size());
  for (const ValueStorage& storage : plan.storage) {
    layout.places.push_back({storage.root, storage.offset_in_root});
  }
  for (size_t b = 0; b < plan.placement.buffer_roots.size(); ++b) {
    const ValueIndex root = plan.placement.buffer_roots[b];
    const Buffer& buffer = plan.placement.problem.buffers[b];
    const int64_t offset = plan.solved.solution.offsets[b];
    layout.offset_of_root[static_cast<size_t>(root)] = offset;
    layout.blocks.push_back({offset, buffer.size, buffer.lifespan, root});
  }
  return layout;
}

Layout NoReuse(const Graph& graph, const Schedule& schedule,
               const Timeline& timeline) {
  Layout layout;
  layout.schedule = schedule;
  layout.timeline = timeline;
  layout.offset_of_root.resize(graph.values.size());
  for (size_t v = 0; v < graph.values.size(); ++v) {
    layout.places.push_back({static_cast<ValueIndex>(v), 0});
  }
  return layout;
}

}  // namespace memplan::reference
