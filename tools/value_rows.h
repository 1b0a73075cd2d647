#ifndef MEMPLAN_TOOLS_VALUE_ROWS_H_
#define MEMPLAN_TOOLS_VALUE_ROWS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx_frontend/plan_model.h"
#include "planner/graph.h"
#include "planner/memory_pattern.h"
#include "planner/problem.h"

namespace memplan {

// What reports say of one value.
struct ValueRow {
  const Value* value = nullptr;
  std::optional<int64_t> offset;  // bytes; where it has a place in the arena
  Lifespan lifespan;
  SharingKind sharing = SharingKind::kNone;
  // Whose storage it uses; empty for kNone.
  std::string shares_with;
  std::string shares_with_scope;
  std::string why_not;  // where a user would expect it to share
};

// One row for each value of the plan's graph, in its order.
std::vector<ValueRow> RowsOf(const Plan& plan);

// The same, with the places, lifespans and sharing of another pattern for this
// graph (one that the model carries); what that does not place has no place.
// `plan` must outlive the rows.
std::vector<ValueRow> RowsOf(const Plan& plan, const MemoryPattern& pattern);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_VALUE_ROWS_H_
