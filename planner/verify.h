#ifndef MEMPLAN_PLANNER_VERIFY_H_
#define MEMPLAN_PLANNER_VERIFY_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "planner/graph.h"
#include "planner/memory_pattern.h"
#include "planner/problem.h"
#include "planner/storage.h"
#include "planner/timeline.h"

namespace memplan {

// Checks a solution against its problem: one offset for each buffer, in bounds,
// aligned, fixed offsets kept, no two buffers that live at once overlap,
// arena_size right. Shares no code with the solvers. The error
// (FailedPrecondition) names the two buffers, their steps and their bytes. O(n
// log n).
absl::Status VerifySolution(const Problem& problem, const Solution& solution);

// The second check, which knows nothing of lifespans: runs the schedule on an
// imaginary arena, writes each value's own mark at its bytes, and checks the
// mark at each read. A body of a Loop or Scan runs twice, so that what is
// carried is read again; If runs both branches, one after the other. Values by
// `storage`; offsets by root value (unset: not in the arena). The error
// (FailedPrecondition) names the node, the value that it reads, and who
// overwrote it. O(n log n) in the graph's size, times two for each level of
// nesting in loops.
absl::Status ReplayPlan(
    const Graph& graph, const Schedule& schedule,
    const std::vector<ValueStorage>& storage,
    const std::vector<std::optional<int64_t>>& root_offsets);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_VERIFY_H_
