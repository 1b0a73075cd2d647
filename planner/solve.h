#ifndef MEMPLAN_PLANNER_SOLVE_H_
#define MEMPLAN_PLANNER_SOLVE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "planner/problem.h"
#include "planner/solvers/search_state.h"
#include "planner/solvers/stop_condition.h"

namespace memplan {

// What the search knows while it runs; given to SolveOptions::progress.
struct SolveProgress {
  int64_t arena_size = 0;   // bytes, the best plan so far
  int64_t lower_bound = 0;  // bytes, proved so far
  int64_t search_nodes = 0;
};

struct SolveOptions {
  // A name of SolverNames(), or "auto": the stages in order, until the first
  // proof.
  std::string solver = "auto";
  // The arena may not be larger than this. Unset: find the lowest.
  std::optional<int64_t> capacity;
  // How many search nodes the exact search may visit; a node of a large part,
  // where n pairs of a buffer and a moment are to be looked at, counts for
  // 1 + n / 1024 of them. What the hill climber may do goes with it. Same
  // effort, same result, on any machine. 100,000 take up to half a second.
  int64_t effort = 2'000'000;
  // Stops the search after so many seconds. The result then depends on the
  // machine, and says so.
  std::optional<double> time_limit_seconds;
  int threads = 1;  // the result does not depend on it
  // Set from outside (Ctrl-C): the best plan so far is returned.
  const std::atomic<bool>* cancel = nullptr;
  // Called now and then from the calling thread.
  std::function<void(const SolveProgress&)> progress;
};

struct SolveResult {
  Solution solution;   // always a valid plan, the best that was found, also if
                       // over the capacity
  std::string solver;  // the stage that found it
  int64_t lower_bound = 0;  // bytes; no plan is lower
  bool optimal = false;     // proved: arena_size == lower_bound
  // With a capacity: true if the solution keeps it, false if proved that none
  // does, else unset. Without one: true.
  std::optional<bool> feasible;
  int64_t search_nodes = 0;
  bool stopped_by_time =
      false;  // time limit or cancel: another machine may get another plan
};

// Places the buffers. Errors: InvalidArgument for an unknown solver or a
// problem that CheckProblem refuses.
absl::StatusOr<SolveResult> Solve(const Problem& problem,
                                  const SolveOptions& options);

// The same, for tests, with some of the rules that prune the search off: the
// answer is the same, or rather would be with as much more effort as they save.
absl::StatusOr<SolveResult> Solve(const Problem& problem,
                                  const SolveOptions& options,
                                  const PruningRules& rules);

// One way to place buffers: takes a checked problem, returns a valid plan, the
// same for the same input; once it should stop, soon, and one that is valid all
// the same.
struct Solver {
  std::string_view name;
  std::string_view summary;  // one line for people
  Solution (*solve)(const Problem& problem, const StopCondition& should_stop);
};

// The solvers without search, by name: none, replay, greedy, ...
absl::Span<const Solver> Solvers();

// Every name that SolveOptions::solver takes, "auto" first.
std::vector<std::string> SolverNames();

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_SOLVE_H_
