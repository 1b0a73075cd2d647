#include "planner/solvers/slots.h"

#include <algorithm>
#include <tuple>

#include "planner/bounds.h"

namespace memplan {
namespace {

struct Event {
  int64_t step;
  bool is_begin;  // at one step, ends come first
  int32_t index;

  friend bool operator<(const Event& a, const Event& b) {
    return std::tie(a.step, a.is_begin, a.index) <
           std::tie(b.step, b.is_begin, b.index);
  }
};

}  // namespace

Slots MakeSlots(const Problem& problem) {
  std::vector<Event> events;
  events.reserve(problem.buffers.size() * 2);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (CannotConflict(buffer)) continue;
    events.push_back({buffer.lifespan.begin, true, static_cast<int32_t>(i)});
    events.push_back({buffer.lifespan.end, false, static_cast<int32_t>(i)});
  }
  std::sort(events.begin(), events.end());
  Slots slots;
  slots.ranges.resize(problem.buffers.size());
  bool is_open = false;  // the last slot: nothing has ended in it yet
  for (const Event& event : events) {
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
