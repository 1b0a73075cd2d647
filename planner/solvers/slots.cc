#include "planner/solvers/slots.h"

#include "planner/sweep.h"

namespace memplan {
Slots MakeSlots(const Problem& problem) {
  Slots slots;
  slots.ranges.resize(problem.buffers.size());
  bool is_open = false;  // the last slot: nothing has ended in it yet
  for (const SweepEvent& event : Sweep(problem)) {
    if (!event.is_begin) {
      is_open = false;
      slots.ranges[event.index].end = slots.count;
      continue;
    }
    if (!is_open) ++slots.count;
    is_open = true;
    slots.ranges[event.index].begin = slots.count - 1;
  }
  return slots;
}

}  // namespace memplan
