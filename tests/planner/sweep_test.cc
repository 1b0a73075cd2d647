#include "planner/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SweepTest, EndsComeBeforeBeginsOfTheSameStepThenTheLowerIndex) {
  const Problem problem = {{{8, {1, 3}}, {8, {3, 4}}, {8, {1, 3}}}};
  EXPECT_THAT(Sweep(problem),
              ElementsAre(SweepEvent{1, 0, true}, SweepEvent{1, 2, true},
                          SweepEvent{3, 0, false}, SweepEvent{3, 2, false},
                          SweepEvent{3, 1, true}, SweepEvent{4, 1, false}));
}

TEST(SweepTest, LeavesOutWhatCannotConflictAndWhatIsNotKept) {
  const Problem problem = {{{0, {0, 9}}, {8, {2, 2}}, {8, {0, 1}, 1, 16}}};
  EXPECT_THAT(Sweep(problem, [](const Buffer& b) { return !b.fixed_offset; }),
              IsEmpty());
}

TEST(SweepTest, ManyEventsAreOrderedAsFewWhateverStepsTheySpan) {
  std::mt19937_64 random(7);
  constexpr int64_t kFurthest = int64_t{1} << 61;
  for (const int64_t reach : {int64_t{0}, int64_t{50}, int64_t{100'000},
                              int64_t{1} << 40, kFurthest}) {
    std::uniform_int_distribution<int64_t> step(-reach, reach);
    Problem problem;
    std::vector<SweepEvent> expected;
    for (int32_t i = 0; i < 5000; ++i) {
      const auto [begin, end] = std::minmax({step(random), step(random)});
      problem.buffers.push_back({1, {begin, end}});
      if (begin == end) continue;
      expected.push_back({begin, i, true});
      expected.push_back({end, i, false});
    }
    std::sort(expected.begin(), expected.end(),
              [](const SweepEvent& a, const SweepEvent& b) {
                return std::tie(a.step, a.is_begin, a.index) <
                       std::tie(b.step, b.is_begin, b.index);
              });
    EXPECT_EQ(Sweep(problem), expected) << "reach " << reach;
  }
}

}  // namespace
}  // namespace memplan
