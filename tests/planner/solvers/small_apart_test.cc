#include "planner/solvers/small_apart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "planner/solve.h"
#include "planner/solvers/components.h"
#include "planner/solvers/replay.h"
#include "tests/planner/plan_checks.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// All live at once, seven sizes from 1 to 8^6, one as frequent as another.
Problem Crowd(int64_t num_buffers) {
  Problem problem;
  int64_t size = 1;
  for (int64_t i = 0; i < num_buffers; ++i) {
    problem.buffers.push_back({size, {0, 10}});
    size = size == 262'144 ? 1 : size * 8;
  }
  return problem;
}

TEST(SplitBySize, PartsNothingOffWhereFewLiveAtOnce) {
  const SizeSplit split = SplitBySize(Crowd(4), 6);  // pairs: 3 + 2 + 1
  EXPECT_THAT(split.small, IsEmpty());
  EXPECT_THAT(split.large, ElementsAre(0, 1, 2, 3));
}

TEST(SplitBySize, KeepsAboutAsManyPairsAsAreAllowed) {
  const SizeSplit split = SplitBySize(Crowd(700), 700 * 699 / 8);
  EXPECT_NEAR(static_cast<double>(split.large.size()), 350, 1);
  for (const int32_t i : split.small) EXPECT_LE(i % 7, 3);
}

TEST(SplitBySize, PartsOffNoMoreThanAHundredthOfTheArea) {
  // 299,593 of them; the four smallest sizes have 58,500, and each buffer of
  // the next one has 4,096.
  const SizeSplit split = SplitBySize(Crowd(700), 1);
  EXPECT_THAT(split.small, SizeIs(400 + 58));
  for (const int32_t i : split.small) EXPECT_LE(i % 7, 4);
}

TEST(SplitBySize, LeavesFixedAndOddlyAlignedBuffersWithTheLargeOnes) {
  Problem problem = Crowd(7);
  problem.buffers[0].fixed_offset = 64;
  problem.buffers[1].alignment = 3;
  problem.buffers[2].alignment = 4;
  EXPECT_THAT(SplitBySize(problem, 1).small, ElementsAre(2, 3));
}

TEST(StackSmall, PutsTheSmallOnesAboveAllOthersAsTheyAreAligned) {
  Problem problem = Crowd(7);
  problem.buffers[1].alignment = 64;
  problem.buffers[3].alignment = 16;
  const SizeSplit split = SplitBySize(problem, 1);
  ASSERT_THAT(split.small, ElementsAre(0, 1, 2, 3));
  const Solution both =
      StackSmall(problem, split, SolveReplay(SubProblem(problem, split.large)),
                 SolveReplay(SubProblem(problem, split.small)));
  EXPECT_EQ(WhatIsWrong(problem, both), "");
  for (const int32_t i : split.small)
    EXPECT_GE(both.offsets[i], 4'096 + 32'768 + 262'144);
}

TEST(Solve, GivesAValidPlanWhereThousandsLiveAtOnce) {
  std::mt19937_64 random(3);
  Problem problem = Crowd(25'000);
  for (Buffer& buffer : problem.buffers) {
    const auto begin = static_cast<int64_t>(random() % 20'000);
    buffer.lifespan = {begin,
                       begin + 1 + static_cast<int64_t>(random() % 10'000)};
    buffer.alignment = int64_t{1} << (random() % 4);
  }
  SolveOptions options;
  options.effort = 20'000;
  const auto result = Solve(problem, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(WhatIsWrong(problem, result->solution), "");
}

}  // namespace
}  // namespace memplan
