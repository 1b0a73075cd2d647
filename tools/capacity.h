#ifndef MEMPLAN_TOOLS_CAPACITY_H_
#define MEMPLAN_TOOLS_CAPACITY_H_

#include <cstdint>

#include "planner/solve.h"
#include "tools/exit_code.h"

namespace memplan {

// For a plan that exceeds the capacity: says on stderr whether that is proved
// or only not found, with the bound, the best arena and the excess.
ExitCode FailForCapacity(int64_t capacity, const SolveResult& solved);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_CAPACITY_H_
