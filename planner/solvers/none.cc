// No reuse: a stack of all buffers, in the order of the problem, as if all were
// live at once.
//
//    bytes
//      ^            +-----------+
//      |            |     2     |
//      |      +-----+--+--------+
//      |      |   1    |
//    +-+------+---+----+
//    |      0     |
//    +------------+------------------> steps
//
// Fixed buffers keep their place; the stack begins above the highest of them.
#include "planner/solvers/none.h"

#include <algorithm>

#include "planner/bounds.h"

namespace memplan {

Solution SolveNone(const Problem& problem) {
  int64_t top = 0;
  for (const Buffer& buffer : problem.buffers) {
    if (buffer.fixed_offset) {
      top = std::max(top, *buffer.fixed_offset + buffer.size);
    }
  }
  Solution solution;
  for (const Buffer& buffer : problem.buffers) {
    if (buffer.fixed_offset) {
      solution.offsets.push_back(*buffer.fixed_offset);
      continue;
    }
    if (CannotConflict(buffer)) {
      solution.offsets.push_back(0);
      continue;
    }
    const int64_t rest = top % buffer.alignment;
    const int64_t offset = rest == 0 ? top : top + buffer.alignment - rest;
    solution.offsets.push_back(offset);
    top = offset + buffer.size;
  }
  solution.arena_size = ArenaSize(problem, solution.offsets);
  return solution;
}

}  // namespace memplan
