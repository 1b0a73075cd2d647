#include "planner/solvers/hill_climb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "planner/bounds.h"
#include "planner/solvers/replay.h"
#include "planner/verify.h"

namespace memplan {
namespace {

constexpr int64_t kMuchWork = 1'000'000'000;

TEST(HillClimb, ComesWithinTwoPercentWhereSizesAreFromBytesToMegabytes) {
  std::mt19937_64 random(1);
  Problem problem;
  for (int i = 0; i < 10'000; ++i) {
    const int64_t begin = static_cast<int64_t>(random() % 10'000);
    const int64_t duration = 1 + static_cast<int64_t>(random() % 200);
    const double decades = static_cast<double>(random() % 6000) / 1000;
    problem.buffers.push_back({static_cast<int64_t>(std::pow(10.0, decades)),
                               {begin, begin + duration}});
  }
  const int64_t bound = LowerBound(problem);
  const Solution start = SolveReplay(problem);
  ASSERT_GT(start.arena_size * 100, bound * 110);
  const Solution end =
      ClimbDown(problem, start, {bound, kMuchWork / 2, 24, nullptr, nullptr})
          .solution;
  EXPECT_TRUE(VerifySolution(problem, end).ok());
  EXPECT_LE(end.arena_size * 100, bound * 102);
}

TEST(HillClimb, PushesOutWhoeverIsInTheWayOfTheHighest) {
  //   8 |   +---+
  //     |   | 2 |      2 is 4 bytes high and cannot go lower as long as 0 lies
  //   4 +---+---+      in the middle.
  //     |   0   |
  //   2 +---+---+
  //     | 1 |
  //   0 +---+----
  Problem problem;
  problem.buffers = {{2, {0, 2}}, {2, {0, 1}}, {4, {1, 2}}};
  const Solution start = {{2, 0, 4}, 8};
  ASSERT_TRUE(VerifySolution(problem, start).ok());
  const ClimbResult result =
      ClimbDown(problem, start, {6, kMuchWork, 24, nullptr, nullptr});
  EXPECT_TRUE(VerifySolution(problem, result.solution).ok());
  EXPECT_EQ(result.solution.arena_size, 6);
  EXPECT_GT(result.work, 0);
}

}  // namespace
}  // namespace memplan
