// Solve runs the stages in order, until one can prove that no plan is lower:
//
//    check -> order -> bound -> greedy (or replay, for very many buffers) ->
//    climbing down (of crowds, the large buffers first): by pushing out, then
//    by windows -> split in time ->
//    for each part that is above the bound: exact search by many strategies
//
// Nearly every model ends at greedy, within microseconds.
#include "planner/solve.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "planner/bounds.h"
#include "planner/checked_math.h"
#include "planner/solvers/components.h"
#include "planner/solvers/greedy.h"
#include "planner/solvers/hill_climb.h"
#include "planner/solvers/none.h"
#include "planner/solvers/portfolio.h"
#include "planner/solvers/replay.h"
#include "planner/solvers/slots.h"
#include "planner/solvers/small_apart.h"
#include "planner/solvers/window_climb.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// These two are done before anybody could want to stop them.
Solution SolveByNone(const Problem& problem, const StopCondition&) {
  return SolveNone(problem);
}
Solution SolveByReplay(const Problem& problem, const StopCondition&) {
  return SolveReplay(problem);
}

constexpr Solver kSolvers[] = {
    {"none", "no reuse: every buffer above the one before", SolveByNone},
    {"replay", "ONNX Runtime's online best fit", SolveByReplay},
    {"greedy", "best and first fit over several orders, the lowest kept",
     SolveGreedy},
};

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kClimb = "hill-climb";
constexpr std::string_view kExact = "exact";

// A search node looks at pairs of a buffer and a slot that it lives in, and so
// counts for one node for each so many.
constexpr int64_t kPairsPerNode = 1024;
// Where there are more buffers, climbing from what replay gives is as good as
// greedy, and faster.
constexpr size_t kMaxGreedyBuffers = 300'000;
// Comparisons of the hill climber that take as long as a node.
constexpr int64_t kComparisonsPerNode = 600;
// Where the search can follow, the climber has one in so many of the effort.
constexpr int64_t kClimbShare = 16;
// How often in a row the climber may find no way down.
constexpr int kClimbFailures = 24;
constexpr int kClimbFailuresBeforeSearch = 1;
// More pairs of buffers that live at once are too many to look at each often.
constexpr int64_t kMaxClimbedPairs = 100'000'000;
// A part with more buffers is left to the other stages.
constexpr size_t kMaxSearchBuffers = 5000;
// The search adds a few numbers up without a check.
constexpr int64_t kMaxSearchBytes = int64_t{1} << 60;

using Clock = std::chrono::steady_clock;

const Solver* FindSolver(std::string_view name) {
  for (const Solver& solver : kSolvers) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

StopCondition StopConditionOf(const SolveOptions& options) {
  const std::atomic<bool>* const cancel = options.cancel;
  if (!options.time_limit_seconds) {
    if (cancel == nullptr) return nullptr;
    return [cancel] { return cancel->load(); };
  }
  const double seconds = std::clamp(*options.time_limit_seconds, 0.0, 1e9);
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(seconds));
  return [cancel, deadline] {
    return (cancel != nullptr && cancel->load()) || Clock::now() >= deadline;
  };
}

bool SumsAreSmall(const Problem& problem) {
  int64_t sum = 0;
  for (const Buffer& buffer : problem.buffers) {
    for (const int64_t n :
         {buffer.size, buffer.alignment, buffer.fixed_offset.value_or(0)}) {
      if (n > kMaxSearchBytes - sum) return false;
      sum += n;
    }
  }
  return true;
}

// One part of a problem that the search may improve.
struct Part {
  std::vector<int32_t> indices;  // of buffers, in the whole problem
  Problem problem;
  Solution solution;
  int64_t lower_bound = 0;
};

std::vector<Part> MakeParts(const Problem& problem, const Solution& solution,
                            int64_t goal) {
  std::vector<Part> parts;
  for (std::vector<int32_t>& indices : SplitInTime(problem)) {
    Part part;
    for (const int32_t i : indices) {
      part.solution.offsets.push_back(solution.offsets[i]);
      part.solution.arena_size =
          std::max(part.solution.arena_size,
                   solution.offsets[i] + problem.buffers[i].size);
    }
    if (part.solution.arena_size <= goal) continue;
    part.problem = SubProblem(problem, indices);
    part.indices = std::move(indices);
    part.lower_bound = LowerBound(part.problem);
    parts.push_back(std::move(part));
  }
  // The part that needs most comes first: what it cannot do without, the
  // others may have, too.
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) {
                     return a.lower_bound > b.lower_bound;
                   });
  return parts;
}

// How many nodes a node of the part counts for.
int64_t NodeCost(const Problem& part) {
  int64_t pairs = 0;
  for (const SlotRange& range : MakeSlots(part).ranges) {
    pairs += range.end - range.begin;
  }
  return 1 + pairs / kPairsPerNode;
}

// What is small enough: no better is possible, or none is asked for.
int64_t GoalOf(const SolveOptions& options, const SolveResult& result) {
  return std::max(result.lower_bound, options.capacity.value_or(0));
}

// Climbs down; tells what is left of the effort.
int64_t Climb(const Problem& problem, const SolveOptions& options,
              const StopCondition& should_stop, SolveResult& result) {
  // Where the search can follow, it is the better way to go on soon.
  const bool can_search = problem.buffers.size() <= kMaxSearchBuffers;
  const int64_t effort =
      can_search ? options.effort / kClimbShare : options.effort;
  ClimbOptions climb;
  climb.goal = GoalOf(options, result);
  climb.max_work =
      CheckedMul(effort, kComparisonsPerNode).value_or(kMaxSearchBytes);
  climb.max_failures = can_search ? kClimbFailuresBeforeSearch : kClimbFailures;
  climb.should_stop = should_stop;
  climb.progress = [&](int64_t arena_size) {
    if (options.progress) options.progress({arena_size, result.lower_bound, 0});
  };
  const auto step = [&](const auto& climb_down) {
    ClimbResult climbed = climb_down(problem, result.solution, climb);
    climb.max_work = std::max<int64_t>(climb.max_work - climbed.work, 0);
    if (climbed.solution.arena_size >= result.solution.arena_size) return;
    result.solution = std::move(climbed.solution);
    result.solver = kClimb;
  };
  const int64_t most_work = climb.max_work;
  step(ClimbDown);
  if (result.solution.arena_size > climb.goal) step(ClimbByWindows);
  result.stopped_by_time |=
      result.solution.arena_size > climb.goal && should_stop && should_stop();
  const int64_t done = (most_work - climb.max_work) / kComparisonsPerNode;
  return std::max<int64_t>(options.effort - done, 0);
}

// Where too many buffers live at once to climb with all of them: climbs with
// the large ones alone. Tells what is left of the effort.
int64_t ClimbWithSmallApart(const Problem& problem, const SolveOptions& options,
                            const StopCondition& should_stop,
                            SolveResult& result) {
  if (result.solution.arena_size <= GoalOf(options, result)) {
    return options.effort;
  }
  const SizeSplit split = SplitBySize(problem, kMaxClimbedPairs);
  if (split.small.empty()) return options.effort;
  const Solution small = SolveReplay(SubProblem(problem, split.small));
  const Problem large_problem = SubProblem(problem, split.large);
  SolveResult large;
  large.solution = SolveReplay(large_problem);
  large.lower_bound = result.lower_bound - small.arena_size;
  SolveOptions large_options = options;
  large_options.capacity.reset();
  large_options.progress = nullptr;
  const int64_t effort =
      Climb(large_problem, large_options, should_stop, large);
  result.stopped_by_time |= large.stopped_by_time;
  Solution both = StackSmall(problem, split, large.solution, small);
  if (both.arena_size < result.solution.arena_size) {
    result.solution = std::move(both);
    result.solver = kClimb;
  }
  return effort;
}

// Searches the parts one after the other; each has what effort is left.
void SearchParts(const Problem& problem, const SolveOptions& options,
                 const PruningRules& rules, int64_t effort,
                 const StopCondition& should_stop, SolveResult& result) {
  int64_t goal = GoalOf(options, result);
  for (Part& part : MakeParts(problem, result.solution, goal)) {
    if (part.problem.buffers.size() > kMaxSearchBuffers) continue;
    if (part.solution.arena_size <= goal) continue;
    const int64_t cost = NodeCost(part.problem);
    const int64_t before = result.search_nodes;
    PortfolioOptions portfolio;
    portfolio.max_nodes = effort / cost;
    portfolio.threads = std::clamp(options.threads, 1, 64);
    portfolio.rules = rules;
    portfolio.should_stop = should_stop;
    portfolio.progress = [&](int64_t arena_size, int64_t lower_bound,
                             int64_t nodes) {
      if (!options.progress) return;
      options.progress({std::max(arena_size, goal),
                        std::max(lower_bound, result.lower_bound),
                        before + nodes});
    };
    const PortfolioResult improved = SearchPortfolio(
        part.problem, part.solution, part.lower_bound, goal, portfolio);
    effort -= improved.nodes * cost;
    result.search_nodes += improved.nodes;
    result.lower_bound = std::max(result.lower_bound, improved.lower_bound);
    goal = std::max(goal, result.lower_bound);
    result.stopped_by_time |= improved.was_stopped;
    if (improved.solution.arena_size < part.solution.arena_size) {
      result.solver = kExact;
      for (size_t i = 0; i < part.indices.size(); ++i) {
        result.solution.offsets[part.indices[i]] = improved.solution.offsets[i];
      }
    }
  }
  result.solution.arena_size = ArenaSize(problem, result.solution.offsets);
}

// The buffers in an order that depends on nothing but what they are, so that
// the same problem has the same arena however it is written down.
std::vector<int32_t> CanonicalOrder(const Problem& problem) {
  std::vector<int32_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int32_t i) {
    const Buffer& b = problem.buffers[i];
    return std::tuple(b.lifespan.begin, -b.size, b.lifespan.end, b.alignment,
                      b.fixed_offset);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return key(a) < key(b); });
  return order;
}

SolveResult SolveBy(const Solver& solver, const Problem& problem,
                    const StopCondition& should_stop) {
  SolveResult result;
  const StopCondition noted = [&] {
    result.stopped_by_time |= should_stop && should_stop();
    return result.stopped_by_time;
  };
  result.solution = solver.solve(problem, noted);
  result.solver = solver.name;
  result.lower_bound = LowerBound(problem);
  return result;
}

SolveResult SolveInStages(const Problem& problem, const SolveOptions& options,
                          const PruningRules& rules) {
  const StopCondition should_stop = StopConditionOf(options);
  const bool is_small = problem.buffers.size() <= kMaxGreedyBuffers;
  const Solver* start = FindSolver(is_small ? "greedy" : "replay");
  SolveResult result = SolveBy(*start, problem, should_stop);
  const bool may_fit =
      !options.capacity || *options.capacity >= result.lower_bound;
  if (may_fit && SumsAreSmall(problem)) {
    SolveOptions rest = options;
    rest.effort = ClimbWithSmallApart(problem, rest, should_stop, result);
    rest.effort = Climb(problem, rest, should_stop, result);
    SearchParts(problem, options, rules, rest.effort, should_stop, result);
  }
  return result;
}

SolveResult SolveByAuto(const Problem& problem, const SolveOptions& options,
                        const PruningRules& rules) {
  const std::vector<int32_t> order = CanonicalOrder(problem);
  SolveResult result =
      SolveInStages(SubProblem(problem, order), options, rules);
  const std::vector<int64_t> offsets = std::move(result.solution.offsets);
  result.solution.offsets.resize(offsets.size());
  for (size_t i = 0; i < order.size(); ++i) {
    result.solution.offsets[order[i]] = offsets[i];
  }
  return result;
}

}  // namespace

absl::Span<const Solver> Solvers() { return kSolvers; }

std::vector<std::string> SolverNames() {
  std::vector<std::string> names = {std::string(kAuto)};
  for (const Solver& solver : kSolvers) names.emplace_back(solver.name);
  return names;
}

absl::StatusOr<SolveResult> Solve(const Problem& problem,
                                  const SolveOptions& options) {
  return Solve(problem, options, PruningRules());
}

absl::StatusOr<SolveResult> Solve(const Problem& problem,
                                  const SolveOptions& options,
                                  const PruningRules& rules) {
  const bool is_auto = options.solver == kAuto;
  const Solver* const solver = FindSolver(options.solver);
  if (!is_auto && solver == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no solver '", options.solver,
                     "'; known: ", absl::StrJoin(SolverNames(), ", ")));
  }
  if (absl::Status s = CheckProblem(problem); !s.ok()) return s;
  SolveResult result =
      is_auto ? SolveByAuto(problem, options, rules)
              : SolveBy(*solver, problem, StopConditionOf(options));
  result.optimal = result.solution.arena_size == result.lower_bound;
  if (!options.capacity || result.solution.arena_size <= *options.capacity) {
    result.feasible = true;
  } else if (result.lower_bound > *options.capacity) {
    result.feasible = false;
  }
  return result;
}

}  // namespace memplan
