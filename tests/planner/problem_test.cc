#include "planner/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "planner/bounds.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

std::string ErrorOf(const Problem& problem) {
  return std::string(CheckProblem(problem).message());
}

TEST(CheckProblem, TakesEmptyLifespansAndZeroSizes) {
  EXPECT_TRUE(CheckProblem({}).ok());
  EXPECT_TRUE(CheckProblem({{{0, {3, 7}}, {5, {2, 2}}}}).ok());
}

TEST(CheckProblem, NamesTheBufferAndTheNumber) {
  EXPECT_THAT(ErrorOf({{{4, {0, 1}}, {-4, {0, 1}}}}),
              HasSubstr("buffer 1: size -4 is negative"));
  EXPECT_THAT(ErrorOf({{{4, {3, 1}}}}), HasSubstr("begins at 3 but ends at 1"));
  EXPECT_THAT(ErrorOf({{{4, {0, 1}, 0}}}), HasSubstr("alignment 0"));
  EXPECT_THAT(ErrorOf({{{4, {0, 1}, 8, -8}}}), HasSubstr("-8 is negative"));
  EXPECT_THAT(ErrorOf({{{4, {0, 1}, 8, 12}}}), HasSubstr("no multiple"));
  EXPECT_THAT(ErrorOf({{{4, {std::numeric_limits<int64_t>::min(), 1}}}}),
              HasSubstr("out of range"));
}

TEST(CheckProblem, RefusesSumsThatCouldOverflowASolver) {
  EXPECT_THAT(ErrorOf({{{kMax, {0, 1}}}}), HasSubstr("64 bits"));
  EXPECT_THAT(ErrorOf({{{kMax / 2, {0, 1}}, {kMax / 2 + 1, {4, 5}}}}),
              HasSubstr("64 bits"));
  EXPECT_THAT(ErrorOf({{{1, {0, 1}, kMax}}}), HasSubstr("64 bits"));
  EXPECT_THAT(ErrorOf({{{8, {0, 1}, 1, kMax - 4}}}), HasSubstr("64 bits"));
  EXPECT_TRUE(CheckProblem({{{int64_t{1} << 50, {0, 1}}}}).ok());
}

TEST(CheckProblem, FindsFixedBuffersThatOverlap) {
  EXPECT_THAT(
      ErrorOf({{{8, {0, 4}, 1, 0}, {8, {6, 9}, 1, 4}, {8, {3, 5}, 1, 7}}}),
      HasSubstr("buffer 0 and buffer 2 are both live at step 3"));
  // Side by side, and one after the other.
  EXPECT_TRUE(CheckProblem({{{8, {0, 4}, 1, 0}, {8, {3, 5}, 1, 8}}}).ok());
  EXPECT_TRUE(CheckProblem({{{8, {0, 4}, 1, 0}, {8, {4, 5}, 1, 4}}}).ok());
  // A buffer without bytes is in nobody's way.
  EXPECT_TRUE(CheckProblem({{{8, {0, 4}, 1, 0}, {0, {0, 4}, 1, 4}}}).ok());
}

TEST(MaxLiveBytes, CountsHalfOpenLifespans) {
  EXPECT_EQ(MaxLiveBytes({}), 0);
  EXPECT_EQ(MaxLiveBytes({{{4, {0, 2}}, {6, {2, 3}}}}), 6);
  EXPECT_EQ(MaxLiveBytes({{{4, {0, 3}}, {6, {2, 3}}}}), 10);
  EXPECT_EQ(MaxLiveBytes({{{4, {0, 3}}, {6, {2, 2}}}}), 4);
}

TEST(MaxLiveBytes, RoundsUpToAnAlignmentThatAllShare) {
  // At 0 and 64; the upper one needs no padding, and the larger padding is
  // saved by putting the 1 on top.
  EXPECT_EQ(MaxLiveBytes({{{60, {0, 2}, 64}, {1, {0, 2}, 64}}}), 65);
  EXPECT_EQ(MaxLiveBytes({{{64, {0, 2}, 64}, {128, {0, 2}, 64}}}), 192);
}

TEST(MaxLiveBytes, LooksPastARecordSumThatPaddingInflates) {
  // Rounded sums 192 and 128; the first is 130 in truth, the second 128.
  EXPECT_EQ(MaxLiveBytes({{{64, {0, 1}, 64},
                           {64, {0, 1}, 64},
                           {2, {0, 1}, 64},
                           {64, {1, 2}, 64},
                           {64, {1, 2}, 64}}}),
            130);
}

TEST(MaxLiveBytes, StaysBelowTheOptimumWithMixedAlignments) {
  // The 3 goes between: |1@0|3@1..4|1@64|.
  EXPECT_EQ(MaxLiveBytes({{{1, {0, 1}, 64}, {1, {0, 1}, 64}, {3, {0, 1}, 1}}}),
            5);
}

TEST(LowerBound, CountsTheCoarselyAlignedOnTheirOwn) {
  EXPECT_EQ(LowerBound({{{1, {0, 1}, 64}, {1, {0, 1}, 64}, {3, {0, 1}, 1}}}),
            65);
}

TEST(LowerBound, CountsFixedEndsAndBuffersOutsideTime) {
  EXPECT_EQ(LowerBound({{{4, {0, 1}}, {2, {5, 6}, 1, 10}}}), 12);
  EXPECT_EQ(LowerBound({{{4, {0, 1}}, {9, {5, 5}}}}), 9);
}

TEST(ArenaSize, IsTheHighestEnd) {
  EXPECT_EQ(ArenaSize({}, {}), 0);
  EXPECT_EQ(ArenaSize({{{4, {0, 1}}, {2, {5, 6}}}}, {3, 10}), 12);
}

}  // namespace
}  // namespace memplan
