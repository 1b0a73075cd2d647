#ifndef MEMPLAN_PLANNER_MEMORY_PATTERN_H_
#define MEMPLAN_PLANNER_MEMORY_PATTERN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/graph.h"
#include "planner/problem.h"

namespace memplan {

// A value that has a place in the arena.
struct PatternTensor {
  std::string name;
  std::string scope;
  int64_t size = 0;    // bytes, exact; offset + size may be below the next
                       // multiple of the alignment
  int64_t offset = 0;  // bytes from the arena's start, a multiple of the
                       // alignment (but for kPart)
  Lifespan lifespan;   // steps during which this value needs its bytes
  SharingKind sharing = SharingKind::kNone;
  std::optional<int32_t>
      shares_with;  // index into `tensors`; unset: it has its own bytes
  bool size_is_bound = false;  // a runtime may find a smaller tensor

  friend bool operator==(const PatternTensor&, const PatternTensor&) = default;
};

struct PatternInput {
  std::string name;
  std::vector<int64_t> shape;

  friend bool operator==(const PatternInput&, const PatternInput&) = default;
};

// For one set of input shapes: where each value lives. The counterpart of ONNX
// Runtime's MemoryPattern, with what a reader needs to trust it.
struct MemoryPattern {
  int64_t arena_size = 0;  // bytes
  int64_t alignment =
      1;  // bytes: of every offset, and needed of the arena's own address
  int64_t max_live_bytes = 0;  // the lower bound from liveness
  int64_t lower_bound = 0;     // the best that was proved, >= max_live_bytes
  bool optimal = false;        // arena_size == lower_bound, proved
  std::string solver;
  int64_t num_steps = 0;
  std::vector<PatternInput>
      inputs;  // in the graph's order: the shapes that it holds for
  std::map<std::string, int64_t>
      dims;  // the symbolic dimensions that were bound
  // What else was said of the model, and no shape shows: the contents of small
  // inputs, element by element as they were written, and bounds of shapes.
  // Nothing with zero elements.
  std::map<std::string, std::vector<std::string>> input_values;
  std::map<std::string, std::vector<int64_t>> bounds;
  std::vector<PatternTensor>
      tensors;  // by first step, then by the order of the graph's values

  // The offset for a value of exactly this size; unset where there is none, and
  // the caller must allocate it elsewhere, as ONNX Runtime does. O(n).
  std::optional<int64_t> Find(std::string_view scope, std::string_view name,
                              int64_t size) const;

  friend bool operator==(const MemoryPattern&, const MemoryPattern&) = default;
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_MEMORY_PATTERN_H_
