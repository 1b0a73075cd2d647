#ifndef MEMPLAN_PLANNER_EXPORT_C_HEADER_H_
#define MEMPLAN_PLANNER_EXPORT_C_HEADER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "planner/memory_pattern.h"

namespace memplan {

// The pattern as a C99 header for firmware that has no use for a record:
//
//   #define MODEL_ARENA_SIZE 4816896
//   #define MODEL_CONV1_OFFSET 0
//   #define MODEL_CONV1_SIZE 3211264
//   static const struct { ... } model_tensors[] = { {"", "conv1", 0, ...}, ...
//
// `prefix` begins each name, in capitals where C wants them. Tensors' names
// become identifiers: what C does not allow becomes '_', and a name that is
// taken already gets a number, by the order of the tensors. The array holds the
// names as they are. The same pattern always gives the same text. Error
// (InvalidArgument): a prefix that is no C identifier.
absl::StatusOr<std::string> ExportCHeader(const MemoryPattern& pattern,
                                          std::string_view prefix = "model");

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_EXPORT_C_HEADER_H_
