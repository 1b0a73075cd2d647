#ifndef MEMPLAN_PLANNER_EXPORT_TFLM_H_
#define MEMPLAN_PLANNER_EXPORT_TFLM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "planner/graph.h"
#include "planner/memory_pattern.h"

namespace memplan {

// The record that TensorFlow Lite Micro reads from a model's metadata under the
// name "OfflineMemoryAllocation" (its docs/memory_management.md): little-endian
// int32 numbers: format version 1, subgraph 0, the count, then for each tensor
// of the subgraph its offset in the arena, or -1 where TFLM is to place it.
// `tensors` are the subgraph's names in its own order: a converter may keep
// ONNX's, in which case MainGraphNames fits. Error (InvalidArgument): an offset
// past int32.
absl::StatusOr<std::string> ExportTflm(const MemoryPattern& pattern,
                                       const std::vector<std::string>& tensors);

// The main graph's values by name, in the graph's order.
std::vector<std::string> MainGraphNames(const Graph& graph);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_EXPORT_TFLM_H_
