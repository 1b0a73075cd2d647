#ifndef MEMPLAN_PLANNER_ORDER_MEMORY_H_
#define MEMPLAN_PLANNER_ORDER_MEMORY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "planner/graph.h"
#include "planner/storage.h"
#include "planner/timeline.h"

namespace memplan {

struct OrderOptions {
  StorageOptions storage;
  int64_t alignment = 64;    // bytes
  int64_t effort = 200'000;  // search nodes
};

struct OrderResult {
  Schedule schedule;
  int64_t max_live_bytes = 0;       // of the schedule
  int64_t file_max_live_bytes = 0;  // of the file's order
  bool proved_minimal = false;      // no order of the nodes has fewer
  int64_t search_nodes = 0;
};

// An order that needs fewer live bytes. Never more than the file's order, which
// is kept where nothing is gained, nor than the one that ONNX Runtime follows.
// Data, captures and the order of nodes with side effects are respected. The
// same effort gives the same order on any machine. With
// InPlaceMode::kAggressive the search leaves parts aside, so nothing is proved.
// Errors: InvalidArgument where sizes do not fit int64_t. `graph` must have
// passed CheckGraph.
absl::StatusOr<OrderResult> OrderForMemory(const Graph& graph,
                                           const OrderOptions& options);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_ORDER_MEMORY_H_
