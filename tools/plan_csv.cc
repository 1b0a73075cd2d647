#include "tools/plan_csv.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "planner/make_pattern.h"
#include "planner/strings.h"
#include "tools/value_names.h"

namespace memplan {

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  return absl::StrCat("\"", absl::StrReplaceAll(AsAbsl(text), {{"\"", "\"\""}}),
                      "\"");
}

std::string PlanCsv(const Plan& plan) {
  std::string csv =
      "name,scope,kind,type,shape,size,offset,begin,end,sharing,shares_with\n";
  for (size_t i = 0; i < plan.graph.values.size(); ++i) {
    const Value& value = plan.graph.values[i];
    if (!value.shape.has_value()) continue;
    const ValueStorage& storage = plan.storage[i];
    const auto offset =
        OffsetOf(plan.storage, plan.root_offsets, static_cast<ValueIndex>(i));
    const bool shares = storage.sharing != SharingKind::kNone;
    const size_t root = static_cast<size_t>(storage.root);
    absl::StrAppend(&csv, CsvField(value.name), ",", CsvField(value.scope), ",",
                    KindName(value.kind), ",", value.type, ",");
    absl::StrAppend(&csv, absl::StrJoin(*value.shape, "x"), ",");
    if (value.size.has_value()) absl::StrAppend(&csv, *value.size);
    csv += ",";
    if (offset.has_value()) absl::StrAppend(&csv, *offset);
    absl::StrAppend(&csv, ",", plan.lifespans[i].begin, ",",
                    plan.lifespans[i].end, ",", SharingName(storage.sharing),
                    ",", shares ? CsvField(plan.graph.values[root].name) : "",
                    "\n");
  }
  return csv;
}

}  // namespace memplan
