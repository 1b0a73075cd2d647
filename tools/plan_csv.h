#ifndef MEMPLAN_TOOLS_PLAN_CSV_H_
#define MEMPLAN_TOOLS_PLAN_CSV_H_

#include <string>
#include <string_view>
#include <vector>

#include "tools/value_rows.h"

namespace memplan {

// One line for each value of known shape, with a header; fields that do not
// apply are empty. RFC 4180 quoting.
std::string ValuesCsv(const std::vector<ValueRow>& rows);

// The text as one CSV field: quoted where it has to be.
std::string CsvField(std::string_view text);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_PLAN_CSV_H_
