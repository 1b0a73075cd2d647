#include "planner/sharing_roots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace memplan {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

MemoryPattern Linked(const std::vector<std::optional<int32_t>>& links) {
  MemoryPattern pattern;
  for (const std::optional<int32_t>& link : links) {
    pattern.tensors.emplace_back().shares_with = link;
  }
  return pattern;
}

// 0 <- 1 <- 3, and 2 <- 4.
TEST(SharingRootsTest, FollowsEachChainToItsEnd) {
  EXPECT_THAT(SharingRoots(Linked({{}, 0, {}, 1, 2})),
              ElementsAre(0, 0, 2, 0, 2));
}

TEST(SharingRootsTest, ChainsAsLongAsTheModelAreWalkedOnce) {
  constexpr int32_t kCount = 1'000'000;
  std::vector<std::optional<int32_t>> links(kCount);
  for (int32_t i = 1; i < kCount; ++i) links[static_cast<size_t>(i)] = i - 1;
  EXPECT_THAT(SharingRoots(Linked(links)), Each(0));
  links[0] = kCount - 1;  // a circle of all
  EXPECT_THAT(SharingRoots(Linked(links)), Each(0));
}

TEST(SharingRootsTest, ALinkOutOfBoundsIsNone) {
  EXPECT_THAT(SharingRoots(Linked({5, -3, 1})), ElementsAre(0, 1, 1));
}

}  // namespace
}  // namespace memplan
