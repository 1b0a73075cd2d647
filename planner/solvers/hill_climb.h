#ifndef MEMPLAN_PLANNER_SOLVERS_HILL_CLIMB_H_
#define MEMPLAN_PLANNER_SOLVERS_HILL_CLIMB_H_

#include <cstdint>
#include <functional>

#include "planner/problem.h"
#include "planner/solvers/stop_condition.h"

namespace memplan {

struct ClimbOptions {
  // Bytes; an arena of this size is low enough. At least where the highest
  // fixed buffer ends.
  int64_t goal = 0;
  // About how many comparisons of two buffers it may make; 100 million take
  // less than a second.
  int64_t max_work = 0;
  // How many times in a row it may find no way down; each time it has learned
  // who is difficult, and asks for less.
  int max_failures = 1;
  StopCondition should_stop;
  // Called before each step with the arena's size; may be empty.
  std::function<void(int64_t arena_size)> progress;
};

struct ClimbResult {
  Solution solution;
  int64_t work = 0;  // comparisons
};

// Lowers the arena of a valid plan step by step, where it is highest: gives a
// valid plan that is no worse. For problems of any size, as a step looks only
// at the buffers that are live with those that it moves. The sums of sizes,
// offsets and alignments must fit int64_t.
ClimbResult ClimbDown(const Problem& problem, Solution start,
                      const ClimbOptions& options);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVERS_HILL_CLIMB_H_
