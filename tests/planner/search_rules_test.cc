// What may not change the answer: pruning rules, strategies, threads, the order
// of the buffers.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>

#include "planner/bounds.h"
#include "planner/solve.h"
#include "planner/solvers/exact_search.h"
#include "planner/solvers/portfolio.h"
#include "tests/planner/brute_force.h"
#include "tests/planner/plan_checks.h"

namespace memplan {
namespace {

using Kind = SearchOutcome::Kind;

constexpr int64_t kNoLimit = 1'000'000'000;

// Few buffers that compete for few bytes, so that the bound is often missed.
Problem TightProblem(std::mt19937_64& random, int64_t num_buffers,
                     bool with_extras) {
  const auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  Problem problem;
  for (int64_t i = 0; i < num_buffers; ++i) {
    Buffer buffer;
    buffer.size = 1 + below(6);
    buffer.lifespan.begin = below(8);
    buffer.lifespan.end = buffer.lifespan.begin + 1 + below(5);
    if (with_extras && below(3) == 0) buffer.alignment = 1 + below(4);
    problem.buffers.push_back(buffer);
    if (!with_extras || below(6) != 0) continue;
    problem.buffers.back().fixed_offset = buffer.alignment * below(6);
    if (!CheckProblem(problem).ok()) {
      problem.buffers.back().fixed_offset = std::nullopt;
    }
  }
  return problem;
}

// The optimum by search alone: from the lower bound up, proof by proof.
int64_t OptimumBySearch(const Problem& problem, const Strategy& strategy,
                        const PruningRules& rules, int64_t& nodes) {
  const SearchProblem search_problem = MakeSearchProblem(problem);
  int64_t height = LowerBound(problem);
  while (true) {
    const SearchOutcome outcome =
        SearchAt(search_problem, height, strategy, rules, kNoLimit, nullptr);
    nodes += outcome.nodes;
    if (outcome.kind == Kind::kFound) return height;
    EXPECT_EQ(outcome.kind, Kind::kImpossible);
    EXPECT_GT(outcome.next_height, height);
    if (outcome.next_height == kNever) return -1;
    height = outcome.next_height;
  }
}

TEST(SearchAt, EqualsBruteForceWithEachStrategy) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    const Problem problem = TightProblem(random, 6, round % 2 == 0);
    const int64_t optimum = OptimumByBruteForce(problem);
    for (int preference = 0; preference < 4; ++preference) {
      for (int choice = 0; choice < 3; ++choice) {
        const Strategy strategy = {static_cast<Preference>(preference),
                                   static_cast<SlotChoice>(choice),
                                   random() % 3};
        int64_t nodes = 0;
        ASSERT_EQ(OptimumBySearch(problem, strategy, {}, nodes), optimum);
      }
    }
  }
}

struct RuleCase {
  const char* name;
  PruningRules rules;
};

TEST(SearchAt, FindsTheSameOptimumWithoutEachRule) {
  const RuleCase cases[] = {
      {"all rules", {}},
      {"no lift_floors", {.lift_floors = false}},
      {"no remember_failures", {.remember_failures = false}},
      {"no skip_twins", {.skip_twins = false}},
      {"no split", {.split = false}},
      {"no fewest_options", {.fewest_options = false}},
      {"no rules", {false, false, false, false, false}},
  };
  std::mt19937_64 random(5);
  std::vector<Problem> problems;
  for (int i = 0; i < 40; ++i) {
    problems.push_back(TightProblem(random, 9, i % 2 == 0));
    // Twins are rare by chance.
    Buffer twin = problems.back().buffers[0];
    twin.fixed_offset = std::nullopt;
    problems.back().buffers.push_back(twin);
    problems.back().buffers.push_back(twin);
  }
  std::vector<int64_t> optima;
  int64_t nodes_with_all = 0;
  for (const RuleCase& c : cases) {
    int64_t nodes = 0;
    for (size_t i = 0; i < problems.size(); ++i) {
      const int64_t optimum = OptimumBySearch(problems[i], {}, c.rules, nodes);
      if (optima.size() == i) optima.push_back(optimum);
      ASSERT_EQ(optimum, optima[i]) << c.name << ", problem " << i;
    }
    if (nodes_with_all == 0) nodes_with_all = nodes;
    std::cout << c.name << ": " << nodes << " nodes\n";
    // Where to branch is no rule that prunes: it pays on hard problems only.
    if (c.rules.fewest_options) {
      EXPECT_GE(nodes, nodes_with_all) << c.name;
    }
  }
}

TEST(SearchAt, GivesUpWhenTheNodesAreUsedUpOrItIsTold) {
  std::mt19937_64 random(9);
  const SearchProblem problem =
      MakeSearchProblem(TightProblem(random, 200, false));
  const int64_t height = int64_t{1} << 20;
  EXPECT_EQ(SearchAt(problem, height, {}, {}, 10, nullptr).kind,
            Kind::kGivenUp);
  EXPECT_EQ(SearchAt(problem, height, {}, {}, 10, nullptr).nodes, 10);
  EXPECT_EQ(SearchAt(problem, height, {}, {}, 1000, nullptr).kind,
            Kind::kFound);
}

// A hard one: its bound can be had, but no simple order gets there.
Problem HardProblem(uint64_t seed) {
  std::mt19937_64 random(seed);
  Problem problem = TightProblem(random, 50, false);
  for (Buffer& buffer : problem.buffers) {
    buffer.size = 1 + static_cast<int64_t>(random() % 1000);
  }
  return problem;
}

Problem Shuffled(const Problem& problem, std::mt19937_64& random) {
  Problem result = problem;
  std::shuffle(result.buffers.begin(), result.buffers.end(), random);
  return result;
}

TEST(Solve, GivesTheSameBytesWithAnyNumberOfThreads) {
  int64_t nodes = 0;
  for (int round = 0; round < 10; ++round) {
    const Problem problem = HardProblem(100 + round);
    SolveOptions options;
    options.effort = 20'000;
    const auto one = Solve(problem, options);
    ASSERT_TRUE(one.ok());
    nodes += one->search_nodes;
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      const auto several = Solve(problem, options);
      ASSERT_EQ(several->solution, one->solution);
      ASSERT_EQ(several->search_nodes, one->search_nodes);
      ASSERT_EQ(several->lower_bound, one->lower_bound);
      ASSERT_EQ(several->solver, one->solver);
    }
  }
  EXPECT_GT(nodes, 0);
}

TEST(Solve, ReachesTheSameArenaWhateverTheOrderOfTheBuffers) {
  std::mt19937_64 random(17);
  int unproved = 0;
  for (uint64_t seed = 100; seed < 120; ++seed) {
    const Problem problem = HardProblem(seed);
    SolveOptions options;
    options.effort = seed % 2 == 0 ? 20'000 : 0;
    const auto first = Solve(problem, options);
    if (!first->optimal) ++unproved;
    for (int run = 0; run < 20; ++run) {
      options.threads = 1 + run % 2;
      const auto again = Solve(Shuffled(problem, random), options);
      EXPECT_EQ(again->solution.arena_size, first->solution.arena_size);
      EXPECT_EQ(again->lower_bound, first->lower_bound);
    }
  }
  EXPECT_GT(unproved, 0);
}

TEST(Solve, AnswersACapacityInThreeWays) {
  //   5 +-----+
  //     |  1  |        buffer 0 is fixed at 1: above it there is one byte too
  //   3 +-----+---+    few for a bound of 4, and below it, too
  //     |    0    |
  //   1 +---------+
  const Problem problem = {{Buffer{2, {0, 2}, 1, 1}, Buffer{2, {0, 1}}}};
  const int64_t bound = 4;
  const int64_t optimum = 5;
  SolveOptions options;
  options.capacity = optimum;
  EXPECT_EQ(Solve(problem, options)->feasible, true);
  options.capacity = optimum - 1;
  const auto impossible = Solve(problem, options);
  EXPECT_EQ(impossible->feasible, false);
  EXPECT_EQ(impossible->lower_bound, optimum);
  options.effort = 0;
  const auto exhausted = Solve(problem, options);
  EXPECT_EQ(exhausted->feasible, std::nullopt);
  EXPECT_EQ(exhausted->lower_bound, bound);
  EXPECT_EQ(WhatIsWrong(problem, exhausted->solution), "");
}

TEST(Solve, ReturnsTheBestPlanSoFarWhenCancelled) {
  const std::atomic<bool> cancel = true;
  SolveOptions options;
  options.cancel = &cancel;
  options.effort = kNoLimit;
  std::mt19937_64 random(23);
  const Problem problem = TightProblem(random, 400, false);
  const auto result = Solve(problem, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(WhatIsWrong(problem, result->solution), "");
  EXPECT_TRUE(result->optimal || result->stopped_by_time);
}

TEST(Solve, EverySolverStopsAtOnceWithAValidPlan) {
  std::mt19937_64 random(31);
  const Problem problem = TightProblem(random, 400, false);
  for (const Solver& solver : Solvers()) {
    int asked = 0;
    const Solution stopped = solver.solve(problem, [&] {
      ++asked;
      return true;
    });
    EXPECT_EQ(WhatIsWrong(problem, stopped), "") << solver.name;
    EXPECT_LE(asked, 2) << solver.name;  // once for each fit
  }
}

TEST(Solve, KeepsToTheTimeLimitAndReportsProgress) {
  std::mt19937_64 random(29);
  const Problem problem = TightProblem(random, 800, false);
  SolveOptions options;
  options.effort = kNoLimit;
  options.time_limit_seconds = 0.2;
  int64_t reports = 0;
  options.progress = [&](const SolveProgress& progress) {
    EXPECT_GE(progress.arena_size, progress.lower_bound);
    ++reports;
  };
  const auto result = Solve(problem, options);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->optimal || (result->stopped_by_time && reports > 0));
}

}  // namespace
}  // namespace memplan
