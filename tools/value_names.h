#ifndef MEMPLAN_TOOLS_VALUE_NAMES_H_
#define MEMPLAN_TOOLS_VALUE_NAMES_H_

#include "planner/graph.h"

namespace memplan {

// The words that reports use: "intermediate", "in_place".
const char* KindName(ValueKind kind);
const char* SharingName(SharingKind sharing);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_VALUE_NAMES_H_
