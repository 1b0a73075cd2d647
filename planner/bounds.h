#ifndef MEMPLAN_PLANNER_BOUNDS_H_
#define MEMPLAN_PLANNER_BOUNDS_H_

#include <cstdint>

#include "planner/problem.h"

namespace memplan {

// A buffer without bytes or without steps conflicts with no other.
inline bool CannotConflict(const Buffer& buffer) {
  return buffer.size == 0 || buffer.lifespan.begin == buffer.lifespan.end;
}

// Bytes below which no plan can stay; the largest of
// - max live bytes;
// - for each alignment A that occurs: the same sum over the buffers alone whose
//   alignment is a multiple of A (a buffer that may only stand on multiples of
//   64 leaves what lies between to the others, but not to its own kind);
// - the largest single buffer, and the largest end of a fixed one.
// O(n log n) for each of at most 16 alignments, the most frequent ones.
int64_t LowerBound(const Problem& problem);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_BOUNDS_H_
