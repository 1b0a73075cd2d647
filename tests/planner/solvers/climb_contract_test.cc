// What holds for each way of climbing down.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "planner/bounds.h"
#include "planner/solvers/hill_climb.h"
#include "planner/solvers/replay.h"
#include "planner/solvers/window_climb.h"
#include "planner/verify.h"

namespace memplan {
namespace {

constexpr int64_t kMuchWork = 1'000'000'000;

struct Way {
  const char* name;
  ClimbResult (*climb)(const Problem&, Solution, const ClimbOptions&);
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

class ClimbTest : public ::testing::TestWithParam<Way> {};

// Sizes from 1 to 30, lifespans of up to a tenth of the time; one in eight is
// where replay puts it, for good.
Problem RandomProblem(int count, uint64_t seed, bool with_fixed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  Problem problem;
  for (int i = 0; i < count; ++i) {
    const int64_t begin = below(count);
    const int64_t end = begin + 1 + below(count / 10 + 1);
    problem.buffers.push_back(
        {1 + below(30), {begin, end}, int64_t{1} << below(3)});
  }
  if (!with_fixed) return problem;
  const Solution replayed = SolveReplay(problem);
  for (int i = 0; i < count; i += 8) {
    problem.buffers[i].fixed_offset = replayed.offsets[i];
  }
  return problem;
}

TEST_P(ClimbTest, IsValidNoHigherThanItsStartAndLowersMostOfReplaysPlans) {
  int lowered = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Problem problem = RandomProblem(60, seed, seed % 2 == 0);
    const Solution start = SolveReplay(problem);
    const Solution end =
        GetParam()
            .climb(problem, start,
                   {LowerBound(problem), kMuchWork, 1, nullptr, nullptr})
            .solution;
    ASSERT_TRUE(VerifySolution(problem, end).ok()) << seed;
    ASSERT_LE(end.arena_size, start.arena_size) << seed;
    if (end.arena_size < start.arena_size) ++lowered;
  }
  EXPECT_GT(lowered, 150);
}

TEST_P(ClimbTest, TellsHowLowTheArenaIsBeforeEachStep) {
  const Problem problem = RandomProblem(60, 1, /*with_fixed=*/false);
  const Solution start = SolveReplay(problem);
  std::vector<int64_t> told;
  const Solution end =
      GetParam()
          .climb(problem, start,
                 {LowerBound(problem), kMuchWork, 1, nullptr,
                  [&](int64_t arena_size) { told.push_back(arena_size); }})
          .solution;
  ASSERT_LT(end.arena_size, start.arena_size);
  EXPECT_EQ(told.front(), start.arena_size);
  EXPECT_TRUE(std::is_sorted(told.rbegin(), told.rend()));
  EXPECT_GE(told.back(), end.arena_size);
}

TEST_P(ClimbTest, LeavesThePlanWhereTheGoalIsReachedOrThereIsNoWorkToDo) {
  const Problem problem = RandomProblem(60, 1, /*with_fixed=*/false);
  const Solution start = SolveReplay(problem);
  ASSERT_GT(start.arena_size, LowerBound(problem));
  const Solution at_goal =
      GetParam()
          .climb(problem, start,
                 {start.arena_size, kMuchWork, 1, nullptr, nullptr})
          .solution;
  EXPECT_EQ(at_goal.offsets, start.offsets);
  const Solution no_work =
      GetParam()
          .climb(problem, start, {LowerBound(problem), 0, 1, nullptr, nullptr})
          .solution;
  EXPECT_EQ(no_work.offsets, start.offsets);
  const Solution stopped = GetParam()
                               .climb(problem, start,
                                      {LowerBound(problem), kMuchWork, 1,
                                       [] { return true; }, nullptr})
                               .solution;
  EXPECT_EQ(stopped.offsets, start.offsets);
}

TEST_P(ClimbTest, ComesWithinThreePercentOfTheBoundOfManyBuffers) {
  const Problem problem = RandomProblem(50, 3, /*with_fixed=*/false);
  // The same 50 buffers a thousand times, one time after another.
  Problem repeated;
  for (int64_t i = 0; i < 1000; ++i) {
    for (Buffer buffer : problem.buffers) {
      buffer.lifespan.begin += i * 60;
      buffer.lifespan.end += i * 60;
      repeated.buffers.push_back(buffer);
    }
  }
  const int64_t bound = LowerBound(repeated);
  const Solution start = SolveReplay(repeated);
  ASSERT_GT(start.arena_size * 100, bound * 110);
  const Solution end =
      GetParam()
          .climb(repeated, start, {bound, kMuchWork, 24, nullptr, nullptr})
          .solution;
  EXPECT_TRUE(VerifySolution(repeated, end).ok());
  EXPECT_LE(end.arena_size * 100, bound * 103);
}

INSTANTIATE_TEST_SUITE_P(Ways, ClimbTest,
                         ::testing::Values(Way{"PushingOut", ClimbDown},
                                           Way{"ByWindows", ClimbByWindows}),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace memplan
