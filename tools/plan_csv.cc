#include "tools/plan_csv.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
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

std::string ValuesCsv(const std::vector<ValueRow>& rows) {
  std::string csv =
      "name,scope,kind,type,shape,size,offset,begin,end,sharing,shares_with\n";
  for (const ValueRow& row : rows) {
    const Value& value = *row.value;
    if (!value.shape.has_value()) continue;
    absl::StrAppend(&csv, CsvField(value.name), ",", CsvField(value.scope), ",",
                    KindName(value.kind), ",", CsvField(value.type), ",",
                    absl::StrJoin(*value.shape, "x"), ",");
    if (value.size.has_value()) absl::StrAppend(&csv, *value.size);
    csv += ",";
    if (row.offset.has_value()) absl::StrAppend(&csv, *row.offset);
    absl::StrAppend(&csv, ",", row.lifespan.begin, ",", row.lifespan.end, ",",
                    SharingName(row.sharing), ",", CsvField(row.shares_with),
                    "\n");
  }
  return csv;
}

}  // namespace memplan
