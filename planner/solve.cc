#include "planner/solve.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "planner/bounds.h"
#include "planner/solvers/greedy.h"
#include "planner/solvers/none.h"
#include "planner/solvers/replay.h"
#include "planner/strings.h"

namespace memplan {
namespace {

constexpr Solver kSolvers[] = {
    {"none", "no reuse: every buffer above the one before", SolveNone},
    {"replay", "ONNX Runtime's online best fit", SolveReplay},
    {"greedy", "best and first fit over several orders, the lowest kept",
     SolveGreedy},
};

const Solver* FindSolver(std::string_view name) {
  for (const Solver& solver : kSolvers) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

}  // namespace

absl::Span<const Solver> Solvers() { return kSolvers; }

std::vector<std::string> SolverNames() {
  std::vector<std::string> names = {"auto"};
  for (const Solver& solver : kSolvers) names.emplace_back(solver.name);
  return names;
}

absl::StatusOr<SolveResult> Solve(const Problem& problem,
                                  const SolveOptions& options) {
  const Solver* solver =
      FindSolver(options.solver == "auto" ? "greedy" : options.solver);
  if (solver == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no solver '", options.solver,
                     "'; known: ", absl::StrJoin(SolverNames(), ", ")));
  }
  if (absl::Status s = CheckProblem(problem); !s.ok()) return s;
  SolveResult result;
  result.solution = solver->solve(problem);
  result.solver = solver->name;
  result.lower_bound = LowerBound(problem);
  result.optimal = result.solution.arena_size == result.lower_bound;
  if (!options.capacity || result.solution.arena_size <= *options.capacity) {
    result.feasible = true;
  } else if (result.lower_bound > *options.capacity) {
    result.feasible = false;
  }
  return result;
}

}  // namespace memplan
