#ifndef MEMPLAN_PLANNER_MEMORY_MAP_H_
#define MEMPLAN_PLANNER_MEMORY_MAP_H_

#include <string>

#include "planner/memory_pattern.h"

namespace memplan {

struct MemoryMapOptions {
  int width = 80;        // characters, with the scale at the left
  int height = 20;       // rows at most
  int legend_rows = 10;  // buffers that are named below, the largest first
};

// The arena over time in characters: steps go right, bytes go up. Each buffer
// has a letter; a cell shows who takes most of it:
//
//        192 B |bbbb....
//        128 B |bbbbcccc
//         64 B |aaaa::::      ':' less than half in use, '.' free
//              +--------
//               0      7  step
//               ^         where most bytes are live
//
// "" where nothing has a place.
std::string MemoryMap(const MemoryPattern& pattern,
                      const MemoryMapOptions& options = {});

// The same as a page of HTML that stands by itself: each buffer a rectangle,
// with its tensors, bytes and steps where the mouse is on it.
std::string MemoryMapHtml(const MemoryPattern& pattern,
                          const std::string& title);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_MEMORY_MAP_H_
