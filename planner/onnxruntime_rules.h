#ifndef MEMPLAN_PLANNER_ONNXRUNTIME_RULES_H_
#define MEMPLAN_PLANNER_ONNXRUNTIME_RULES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/graph.h"
#include "planner/problem.h"
#include "planner/storage.h"
#include "planner/timeline.h"

namespace memplan {

// ONNX Runtime rounds each size in its memory pattern up to this.
inline constexpr int64_t kOnnxRuntimeAlignment = 256;

// What the runtime knows of the model before any run, and what its kernels
// declare.
struct OnnxRuntimeFacts {
  struct Value {
    bool is_tensor = true;
    int element_bytes = 0;  // 0: strings and what has no width
    // The declared or inferred shape: "3" or a symbol's name, "" where a
    // dimension is not known; unset where not even the rank is.
    std::optional<std::vector<std::string>> dims;
  };
  std::vector<Value> values;  // by value
  // By node: kView where the kernel always aliases, kInPlace where it may
  // overwrite; in the order of registration.
  std::vector<std::vector<ShareRule>> rules;
};

// How ONNX Runtime (1.30, CPU, sequential) would allocate the main graph's
// values. Values of bodies have patterns of their own there, and no place here.
struct OnnxRuntimeAllocation {
  std::vector<ValueStorage> storage;  // by value
  // By value; for the root of a storage, from its allocation to its release.
  std::vector<Lifespan> lifespans;
  // By node: rules that were used and that the graph does not have yet, so that
  // ReplayPlan can follow.
  std::vector<std::vector<ShareRule>> used_rules;
};

// Follows the runtime's allocation planner: graph outputs stand alone; kernels
// alias or overwrite by use counts; a dead buffer is taken over by a value of
// the same shape, the most recently freed first; a release comes after the last
// consumer, and never where there is none. The block that the runtime allocates
// is then what the solver "replay" makes of the problem at
// kOnnxRuntimeAlignment, in the timeline of OnnxRuntimeOrder. O(n log n).
OnnxRuntimeAllocation AllocateAsOnnxRuntime(const Graph& graph,
                                            const Timeline& timeline,
                                            const OnnxRuntimeFacts& facts);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_ONNXRUNTIME_RULES_H_
