#include "planner/solve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "planner/bounds.h"
#include "tests/planner/plan_checks.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// Small problems with all that a solver must bear: zero sizes, empty
// lifespans, mixed alignments, fixed offsets (those that CheckProblem takes),
// sizes up to 2^50.
Problem RandomProblem(std::mt19937_64& random) {
  const auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  const int64_t huge = below(4) == 0 ? int64_t{1} << 46 : 1;
  const int64_t alignments[] = {1, 1, 4, 6, 64};
  const bool mixed = below(2) == 0;
  Problem problem;
  const int64_t n = below(24);
  for (int64_t i = 0; i < n; ++i) {
    Buffer buffer;
    buffer.size = below(17) * huge;
    buffer.lifespan.begin = below(12) - 3;
    buffer.lifespan.end = buffer.lifespan.begin + below(7);
    if (mixed) buffer.alignment = alignments[below(5)];
    problem.buffers.push_back(buffer);
    if (below(8) != 0) continue;
    problem.buffers.back().fixed_offset = buffer.alignment * below(20);
    if (!CheckProblem(problem).ok()) {
      problem.buffers.back().fixed_offset = std::nullopt;
    }
  }
  return problem;
}

TEST(Solve, EverySolverKeepsTheContract) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 600; ++round) {
    const Problem problem = RandomProblem(random);
    ASSERT_TRUE(CheckProblem(problem).ok());
    for (const std::string& name : SolverNames()) {
      SolveOptions options;
      options.solver = name;
      options.effort = 2000;
      const auto result = Solve(problem, options);
      ASSERT_TRUE(result.ok()) << name << ": " << result.status();
      ASSERT_EQ(WhatIsWrong(problem, result->solution), "") << name;
      ASSERT_GE(result->lower_bound, LowerBound(problem)) << name;
      ASSERT_GE(result->solution.arena_size, result->lower_bound) << name;
      ASSERT_EQ(result->optimal,
                result->solution.arena_size == result->lower_bound);
      ASSERT_EQ(result->feasible, true);
      ASSERT_FALSE(result->stopped_by_time);
      const auto again = Solve(problem, options);
      ASSERT_EQ(again->solution, result->solution) << name;
    }
    for (const Solver& solver : Solvers()) {
      ASSERT_EQ(WhatIsWrong(problem, solver.solve(problem, nullptr)), "")
          << solver.name;
    }
  }
}

TEST(Solve, NamesTheSolversWhenAskedForAnUnknownOne) {
  SolveOptions options;
  options.solver = "gredy";
  EXPECT_THAT(
      std::string(Solve({}, options).status().message()),
      HasSubstr("there is no solver 'gredy'; known: auto, none, replay"));
  EXPECT_THAT(SolverNames(),
              IsSupersetOf({"auto", "none", "replay", "greedy"}));
}

TEST(Solve, RefusesABadProblem) {
  EXPECT_THAT(std::string(Solve({{Buffer{-1, {0, 1}}}}, {}).status().message()),
              HasSubstr("buffer 0"));
}

TEST(Solve, KnowsTheEmptyProblem) {
  const auto result = Solve({}, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->solution, Solution{});
  EXPECT_TRUE(result->optimal);
  EXPECT_EQ(result->feasible, true);
}

TEST(Solve, SaysThatACapacityBelowTheBoundIsImpossible) {
  SolveOptions options;
  options.capacity = 7;
  const auto result = Solve({{Buffer{4, {0, 2}}, Buffer{4, {1, 3}}}}, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->feasible, false);
  EXPECT_EQ(result->solution.arena_size, 8);
}

}  // namespace
}  // namespace memplan
