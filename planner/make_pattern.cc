#include "planner/make_pattern.h"

#include <algorithm>
#include <cstddef>

namespace memplan {
namespace {

// The placed values, as the pattern lists them.
std::vector<ValueIndex> PlacedByFirstStep(
    const std::vector<Lifespan>& lifespans,
    const std::vector<ValueStorage>& storage) {
  std::vector<ValueIndex> placed;
  for (size_t v = 0; v < storage.size(); ++v) {
    if (storage[v].placed) placed.push_back(static_cast<ValueIndex>(v));
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [&](ValueIndex a, ValueIndex b) {
                     return lifespans[static_cast<size_t>(a)].begin <
                            lifespans[static_cast<size_t>(b)].begin;
                   });
  return placed;
}

}  // namespace

std::vector<std::optional<int64_t>> RootOffsets(
    const Graph& graph, const PlacementProblem& placement,
    const Solution& solution) {
  std::vector<std::optional<int64_t>> offsets(graph.values.size());
  for (size_t b = 0; b < placement.buffer_roots.size(); ++b) {
    offsets[static_cast<size_t>(placement.buffer_roots[b])] =
        solution.offsets[b];
  }
  return offsets;
}

std::optional<int64_t> OffsetOf(
    const std::vector<ValueStorage>& storage,
    const std::vector<std::optional<int64_t>>& root_offsets, ValueIndex value) {
  const ValueStorage& own = storage[static_cast<size_t>(value)];
  if (!own.placed) return std::nullopt;
  return *root_offsets[static_cast<size_t>(own.root)] + own.offset_in_root;
}

MemoryPattern MakeMemoryPattern(const Graph& graph, const Timeline& timeline,
                                const std::vector<Lifespan>& lifespans,
                                const std::vector<ValueStorage>& storage,
                                const PlacementProblem& placement,
                                const SolveResult& solved, int64_t alignment) {
  MemoryPattern pattern;
  pattern.arena_size = solved.solution.arena_size;
  pattern.alignment = alignment;
  pattern.max_live_bytes = MaxLiveBytes(placement.problem);
  pattern.lower_bound = solved.lower_bound;
  pattern.optimal = solved.optimal;
  pattern.solver = solved.solver;
  pattern.num_steps = timeline.num_steps;
  for (ValueIndex v : graph.bodies[0].inputs) {
    const Value& value = graph.values[static_cast<size_t>(v)];
    // What has a default need not be fed, and a runtime may not know its shape.
    if (!value.shape || value.kind == ValueKind::kInitializer) continue;
    pattern.inputs.push_back({value.name, *value.shape});
  }

  const std::vector<std::optional<int64_t>> offsets =
      RootOffsets(graph, placement, solved.solution);
  const std::vector<ValueIndex> placed = PlacedByFirstStep(lifespans, storage);
  std::vector<int32_t> position(graph.values.size());
  for (size_t i = 0; i < placed.size(); ++i) {
    position[static_cast<size_t>(placed[i])] = static_cast<int32_t>(i);
  }
  for (ValueIndex v : placed) {
    const Value& value = graph.values[static_cast<size_t>(v)];
    const ValueStorage& own = storage[static_cast<size_t>(v)];
    PatternTensor tensor;
    tensor.name = value.name;
    tensor.scope = value.scope;
    tensor.size = *value.size;
    tensor.offset = *OffsetOf(storage, offsets, v);
    tensor.lifespan = lifespans[static_cast<size_t>(v)];
    tensor.sharing = own.sharing;
    tensor.size_is_bound = value.size_is_bound;
    if (own.sharing != SharingKind::kNone) {
      tensor.shares_with = position[static_cast<size_t>(own.shares_with)];
    }
    pattern.tensors.push_back(std::move(tensor));
  }
  return pattern;
}

}  // namespace memplan
