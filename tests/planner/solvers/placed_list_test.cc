#include "planner/solvers/placed_list.h"

#include <gtest/gtest.h>

#include <random>

#include "planner/solvers/occupancy.h"

namespace memplan {
namespace {

TEST(PlacedList, FindsTheSameLowestGapAsTheTree) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<SlotRange> ranges;
    for (int i = 0; i < 40; ++i) {
      const int32_t begin = static_cast<int32_t>(random() % 30);
      ranges.push_back({begin, begin + 1 + static_cast<int32_t>(random() % 6)});
    }
    Occupancy tree(36, ranges);
    PlacedList list;
    for (const SlotRange& range : ranges) {
      const int64_t size = 1 + static_cast<int64_t>(random() % 9);
      const int64_t alignment = int64_t{1} << (random() % 3);
      const int64_t offset =
          tree.Find(range.begin, range.end, size, alignment, Fit::kLowest);
      ASSERT_EQ(list.FindLowest(range, size, alignment), offset) << round;
      tree.Add(range.begin, range.end, offset, offset + size);
      list.Add(range, offset, offset + size);
    }
    EXPECT_EQ(list.size(), ranges.size());
  }
}

}  // namespace
}  // namespace memplan
