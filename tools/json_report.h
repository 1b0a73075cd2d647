#ifndef MEMPLAN_TOOLS_JSON_REPORT_H_
#define MEMPLAN_TOOLS_JSON_REPORT_H_

#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "onnx_frontend/plan_model.h"
#include "planner/memory_pattern.h"
#include "tools/value_rows.h"

namespace memplan {

// Keys in the order in which they were added: the same plan, the same bytes.
using Json = nlohmann::ordered_json;

inline constexpr int kJsonSchemaVersion = 1;

// The plan as docs/json.md describes it. Other programs rely on these names.
Json PlanToJson(const Plan& plan);

// The parts of it that a pattern and its rows give: for a plan that a model
// carries.
Json PatternToJson(const MemoryPattern& pattern,
                   const std::vector<ValueRow>& rows);

// The object as text: one line a key, one line an element of its lists, so that
// a diff of two plans can be read. Bytes that are no UTF-8 become U+FFFD.
std::string JsonText(const Json& object);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_JSON_REPORT_H_
