#ifndef MEMPLAN_PLANNER_MAKE_PATTERN_H_
#define MEMPLAN_PLANNER_MAKE_PATTERN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/graph.h"
#include "planner/memory_pattern.h"
#include "planner/problem.h"
#include "planner/solve.h"
#include "planner/storage.h"
#include "planner/timeline.h"

namespace memplan {

// Where each root lies in the arena, by value: set for the roots of
// `placement`, for what ReplayPlan asks.
std::vector<std::optional<int64_t>> RootOffsets(
    const Graph& graph, const PlacementProblem& placement,
    const Solution& solution);

// Where a value lies in the arena; unset where it is not placed.
std::optional<int64_t> OffsetOf(
    const std::vector<ValueStorage>& storage,
    const std::vector<std::optional<int64_t>>& root_offsets, ValueIndex value);

// Writes a solved plan down value by value. `inputs` are those of the main
// graph whose shape is known; `dims` is left to the caller, who knows the
// symbols. `shares_with` names a value that is placed itself.
MemoryPattern MakeMemoryPattern(const Graph& graph, const Timeline& timeline,
                                const std::vector<Lifespan>& lifespans,
                                const std::vector<ValueStorage>& storage,
                                const PlacementProblem& placement,
                                const SolveResult& solved, int64_t alignment);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_MAKE_PATTERN_H_
