#ifndef MEMPLAN_TESTS_REFERENCE_LAYOUT_H_
#define MEMPLAN_TESTS_REFERENCE_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "planner/graph.h"
#include "planner/problem.h"
#include "planner/timeline.h"

namespace memplan::reference {

// Where one value's bytes are: in those of `root`.
struct Place {
  ValueIndex root = 0;
  int64_t offset = 0;  // bytes into the root's
};

// A block of the arena, and when somebody needs it. At the other steps the
// executor fills it with poison.
struct Block {
  int64_t offset = 0;  // bytes into the arena
  int64_t size = 0;    // bytes
  Lifespan lifespan;
  ValueIndex root = 0;
};

// All that a runtime takes from a plan.
struct Layout {
  Schedule schedule;
  Timeline timeline;
  std::vector<Place> places;                           // by value
  std::vector<std::optional<int64_t>> offset_of_root;  // unset: on the heap
  std::vector<Block> blocks;
  int64_t arena_size = 0;
};

Layout LayoutOf(const Plan& plan);

// Each value in bytes of its own, for the whole run.
Layout NoReuse(const Graph& graph, const Schedule& schedule,
               const Timeline& timeline);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_LAYOUT_H_
