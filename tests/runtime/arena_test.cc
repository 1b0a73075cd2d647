#include "runtime/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "planner/pattern_record.h"

namespace memplan {
namespace {

class ArenaTest : public testing::Test {
 protected:
  ArenaTest() {
    MemoryPattern pattern;
    pattern.arena_size = 512;
    pattern.alignment = 64;
    pattern.num_steps = 3;
    pattern.tensors = {
        {"a", "", 100, 0, {0, 1}, SharingKind::kNone, {}, false},
        {"b", "", 256, 128, {0, 2}, SharingKind::kNone, {}, true},
        {"z", "", 0, 512, {0, 2}, SharingKind::kNone, {}, false},
    };
    PatternRecord record;
    record.patterns = {pattern};
    bytes_ = *EncodeRecord(record);
    memplan_open(bytes_.data(), bytes_.size(), &record_);
    memplan_pattern(&record_, 0, &pattern_);
  }

  std::string bytes_;
  MemplanRecord record_;
  MemplanPattern pattern_;
  alignas(64) uint8_t block_[512];
};

TEST_F(ArenaTest, GivesTheAddressForANameAndExactlyItsSize) {
  MemplanArena arena;
  ASSERT_EQ(memplan_arena_init(&arena, block_, sizeof block_, &pattern_),
            MEMPLAN_OK);
  EXPECT_EQ(memplan_arena_get(&arena, "", "a", 100), block_);
  EXPECT_EQ(memplan_arena_get(&arena, "", "b", 256), block_ + 128);
  EXPECT_EQ(memplan_arena_get(&arena, "", "z", 0), block_ + 512);
  EXPECT_EQ(arena.hits, 3u);
  EXPECT_EQ(arena.misses, 0u);
}

TEST_F(ArenaTest, CountsWhatTheCallerMustAllocate) {
  MemplanArena arena;
  ASSERT_EQ(memplan_arena_init(&arena, block_, sizeof block_, &pattern_),
            MEMPLAN_OK);
  EXPECT_EQ(memplan_arena_get(&arena, "", "a", 101), nullptr);
  EXPECT_EQ(memplan_arena_get(&arena, "", "a", 99), nullptr);
  EXPECT_EQ(memplan_arena_get(&arena, "", "nobody", 100), nullptr);
  EXPECT_EQ(memplan_arena_get(&arena, "0.body", "a", 100), nullptr);
  EXPECT_EQ(arena.hits, 0u);
  EXPECT_EQ(arena.misses, 4u);
  EXPECT_EQ(arena.missed_bytes, 400u);
}

TEST_F(ArenaTest, WhereThePlanHasABoundSmallerTensorsFit) {
  MemplanArena arena;
  ASSERT_EQ(memplan_arena_init(&arena, block_, sizeof block_, &pattern_),
            MEMPLAN_OK);
  EXPECT_EQ(memplan_arena_get(&arena, "", "b", 10), block_ + 128);
  EXPECT_EQ(memplan_arena_get(&arena, "", "b", 257), nullptr);
}

TEST_F(ArenaTest, RefusesABlockThatIsTooSmallOrNotAligned) {
  MemplanArena arena;
  EXPECT_EQ(memplan_arena_init(&arena, block_, 511, &pattern_),
            MEMPLAN_BAD_BLOCK);
  EXPECT_EQ(memplan_arena_init(&arena, block_ + 8, 512, &pattern_),
            MEMPLAN_BAD_BLOCK);
  EXPECT_EQ(memplan_arena_init(&arena, nullptr, 512, &pattern_),
            MEMPLAN_BAD_BLOCK);
}

}  // namespace
}  // namespace memplan
