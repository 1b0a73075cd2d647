#ifndef MEMPLAN_PLANNER_SHARING_ROOTS_H_
#define MEMPLAN_PLANNER_SHARING_ROOTS_H_

#include <cstdint>
#include <vector>

#include "planner/memory_pattern.h"

namespace memplan {

// By tensor, the one at the end of its chain of sharing: itself where it shares
// with none. A damaged pattern's circle ends somewhere on it; a link out of
// bounds is none. O(tensors), for chains may be as long as the model.
std::vector<int32_t> SharingRoots(const MemoryPattern& pattern);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SHARING_ROOTS_H_
