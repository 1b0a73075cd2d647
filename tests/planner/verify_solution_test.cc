#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/verify.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;

Buffer Make(int64_t size, Lifespan lifespan, int64_t alignment = 1) {
  Buffer buffer;
  buffer.size = size;
  buffer.lifespan = lifespan;
  buffer.alignment = alignment;
  return buffer;
}

std::string ErrorOf(const Problem& problem, const Solution& solution) {
  const absl::Status status = VerifySolution(problem, solution);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  return std::string(status.message());
}

//  bytes
//   8 |.....bbb
//   4 |aaaa.....      b begins where a ends
//   0 |aaaabbbb
TEST(VerifySolutionTest, AcceptsTouchingInTimeAndInSpace) {
  const Problem problem = {{Make(8, {0, 4}), Make(8, {4, 8}), Make(4, {0, 8})}};
  EXPECT_TRUE(
      VerifySolution(problem, {.offsets = {0, 0, 8}, .arena_size = 12}).ok());
}

TEST(VerifySolutionTest, NamesBothBuffersThatOverlap) {
  const Problem problem = {{Make(8, {0, 5}), Make(8, {4, 8})}};
  EXPECT_EQ(ErrorOf(problem, {.offsets = {0, 7}, .arena_size = 15}),
            "buffer 0 (steps [0, 5), bytes [0, 8)) and buffer 1 (steps [4, 8), "
            "bytes [7, 15)) overlap");
}

TEST(VerifySolutionTest, FindsAnOverlapWithTheUpperNeighbourAndTheSameOffset) {
  const Problem problem = {{Make(8, {0, 5}), Make(8, {4, 8})}};
  EXPECT_THAT(ErrorOf(problem, {.offsets = {7, 0}, .arena_size = 15}),
              HasSubstr("overlap"));
  EXPECT_THAT(ErrorOf(problem, {.offsets = {0, 0}, .arena_size = 8}),
              HasSubstr("overlap"));
}

TEST(VerifySolutionTest, EmptyBuffersNeverClash) {
  const Problem problem = {{Make(8, {0, 5}), Make(0, {0, 5}), Make(8, {2, 2})}};
  EXPECT_TRUE(
      VerifySolution(problem, {.offsets = {0, 4, 0}, .arena_size = 8}).ok());
}

TEST(VerifySolutionTest, ChecksBoundsAlignmentFixedOffsetsAndTheArena) {
  Problem problem = {{Make(8, {0, 1}, 4)}};
  EXPECT_THAT(ErrorOf(problem, {}), HasSubstr("0 offsets for 1"));
  EXPECT_THAT(ErrorOf(problem, {.offsets = {-4}, .arena_size = 4}),
              HasSubstr("out of bounds"));
  EXPECT_THAT(
      ErrorOf(problem, {.offsets = {INT64_MAX - 3}, .arena_size = INT64_MAX}),
      HasSubstr("out of bounds"));
  EXPECT_THAT(ErrorOf(problem, {.offsets = {2}, .arena_size = 10}),
              HasSubstr("no multiple of 4"));
  EXPECT_THAT(ErrorOf(problem, {.offsets = {0}, .arena_size = 12}),
              HasSubstr("need 8"));
  problem.buffers[0].fixed_offset = 16;
  EXPECT_THAT(ErrorOf(problem, {.offsets = {0}, .arena_size = 8}),
              HasSubstr("fixed at 16"));
}

}  // namespace
}  // namespace memplan
