#include "planner/solvers/live_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace memplan {
namespace {

TEST(LiveIndex, FindsWhoLivesDuringSlots) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<SlotRange> ranges;
    const int count = static_cast<int>(random() % 40);
    for (int i = 0; i < count; ++i) {
      const int32_t begin = static_cast<int32_t>(random() % 30);
      ranges.push_back({begin, begin + static_cast<int32_t>(random() % 6)});
    }
    const LiveIndex index(ranges);
    const int32_t begin = static_cast<int32_t>(random() % 30);
    const SlotRange slots = {begin,
                             begin + 1 + static_cast<int32_t>(random() % 5)};
    std::vector<int32_t> expected;
    for (int i = 0; i < count; ++i) {
      if (ranges[i].begin == ranges[i].end) continue;
      if (ranges[i].begin < slots.end && ranges[i].end > slots.begin) {
        expected.push_back(i);
      }
    }
    std::vector<int32_t> found;
    index.Find(slots, found);
    EXPECT_TRUE(
        std::is_sorted(found.begin(), found.end(), [&](int32_t a, int32_t b) {
          return ranges[a].begin < ranges[b].begin;
        }));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << round;
  }
}

}  // namespace
}  // namespace memplan
