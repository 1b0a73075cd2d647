#include "runtime/memory_pattern.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planner/crc32.h"
#include "planner/pattern_layout.h"
#include "planner/pattern_record.h"

namespace memplan {
namespace {

MemoryPattern Small(int64_t batch) {
  MemoryPattern pattern;
  pattern.arena_size = 512 * batch;
  pattern.alignment = 64;
  pattern.max_live_bytes = 506;
  pattern.lower_bound = 506;
  pattern.solver = "greedy";
  pattern.num_steps = 5;
  pattern.inputs = {{"in", {batch, 3}}, {"scalar", {}}};
  pattern.dims = {{"batch", batch}};
  pattern.tensors = {
      {"x", "", 250, 0, {0, 3}, SharingKind::kNone, {}, false},
      {"y", "", 256, 256, {2, 4}, SharingKind::kNone, {}, true},
      {"x", "1.then_branch", 250, 0, {2, 3}, SharingKind::kView, 0, false},
      {"", "", 0, 0, {4, 5}, SharingKind::kNone, {}, false},
  };
  return pattern;
}

PatternRecord Two() {
  PatternRecord record;
  record.fingerprint = {7, 8};
  record.patterns = {Small(1), Small(2)};
  return record;
}

// In a block of its own, so that sanitizers see the first byte behind it.
struct Copy {
  explicit Copy(std::string_view text)
      : bytes(new uint8_t[text.size()]), size(text.size()) {
    std::memcpy(bytes.get(), text.data(), size);
  }
  std::unique_ptr<uint8_t[]> bytes;
  size_t size;
};

// Everything that a device could ask.
void ReadAll(const MemplanRecord& record) {
  MemplanPattern pattern;
  MemplanTensor tensor;
  const int64_t dims[] = {1, 3};
  const MemplanShape shapes[] = {{"in", dims, 2}, {"scalar", dims, 0}};
  memplan_find_pattern(&record, shapes, 2, &pattern);
  for (uint32_t p = 0; p < record.pattern_count && p < 100; ++p) {
    if (memplan_pattern(&record, p, &pattern) != MEMPLAN_OK) continue;
    memplan_find_tensor(&pattern, "1.then_branch", "x", &tensor);
    memplan_find_tensor(&pattern, "", "nobody", &tensor);
    for (uint32_t t = 0; t < pattern.tensor_count && t < 1000; ++t) {
      if (memplan_tensor(&pattern, t, &tensor) != MEMPLAN_OK) continue;
      EXPECT_LE(tensor.offset + tensor.size, pattern.arena_size);
      (void)std::strlen(tensor.scope);
      (void)std::strlen(tensor.name);
    }
  }
}

std::string Sealed(std::string bytes) {
  for (size_t i = 0; i < 4; ++i) bytes[layout::kCrc + i] = '\0';
  uint32_t crc = Crc32(bytes);
  for (size_t i = 0; i < 4; ++i, crc >>= 8) {
    bytes[layout::kCrc + i] = static_cast<char>(crc & 0xff);
  }
  return bytes;
}

TEST(RuntimeTest, ReadsWhatThePlannerWrote) {
  const std::string bytes = *EncodeRecord(Two());
  MemplanRecord record;
  ASSERT_EQ(memplan_open(bytes.data(), bytes.size(), &record), MEMPLAN_OK);
  EXPECT_EQ(record.fingerprint_high, 7u);
  EXPECT_EQ(record.fingerprint_low, 8u);
  ASSERT_EQ(record.pattern_count, 2u);
  for (uint32_t p = 0; p < 2; ++p) {
    const MemoryPattern expected = Small(p + 1);
    MemplanPattern pattern;
    ASSERT_EQ(memplan_pattern(&record, p, &pattern), MEMPLAN_OK);
    EXPECT_EQ(pattern.arena_size, static_cast<uint64_t>(expected.arena_size));
    EXPECT_EQ(pattern.alignment, 64u);
    EXPECT_EQ(pattern.max_live_bytes, 506u);
    EXPECT_EQ(pattern.num_steps, 5u);
    EXPECT_EQ(pattern.is_optimal, 0);
    EXPECT_STREQ(pattern.solver, "greedy");
    ASSERT_EQ(pattern.tensor_count, expected.tensors.size());
    for (uint32_t t = 0; t < pattern.tensor_count; ++t) {
      const PatternTensor& e = expected.tensors[t];
      MemplanTensor by_number, by_name;
      ASSERT_EQ(memplan_tensor(&pattern, t, &by_number), MEMPLAN_OK);
      ASSERT_EQ(memplan_find_tensor(&pattern, e.scope.c_str(), e.name.c_str(),
                                    &by_name),
                MEMPLAN_OK);
      for (const MemplanTensor& tensor : {by_number, by_name}) {
        EXPECT_EQ(tensor.name, e.name);
        EXPECT_EQ(tensor.scope, e.scope);
        EXPECT_EQ(tensor.offset, static_cast<uint64_t>(e.offset));
        EXPECT_EQ(tensor.size, static_cast<uint64_t>(e.size));
        EXPECT_EQ(tensor.begin, e.lifespan.begin);
        EXPECT_EQ(tensor.end, e.lifespan.end);
        EXPECT_EQ(static_cast<int>(tensor.sharing),
                  static_cast<int>(e.sharing));
        EXPECT_EQ(tensor.size_is_bound, e.size_is_bound);
        if (e.shares_with.has_value()) {
          EXPECT_EQ(tensor.shares_with, static_cast<uint32_t>(*e.shares_with));
        }
      }
    }
    MemplanTensor none;
    EXPECT_EQ(memplan_tensor(&pattern, 4, &none), MEMPLAN_NOT_FOUND);
    EXPECT_EQ(memplan_find_tensor(&pattern, "", "z", &none), MEMPLAN_NOT_FOUND);
    EXPECT_EQ(memplan_find_tensor(&pattern, "2", "x", &none),
              MEMPLAN_NOT_FOUND);
  }
}

TEST(RuntimeTest, PicksThePatternForTheShapes) {
  const std::string bytes = *EncodeRecord(Two());
  MemplanRecord record;
  ASSERT_EQ(memplan_open(bytes.data(), bytes.size(), &record), MEMPLAN_OK);
  MemplanPattern pattern;
  int64_t dims[] = {2, 3};
  const MemplanShape shapes[] = {
      {"other", dims, 1}, {"scalar", nullptr, 0}, {"in", dims, 2}};
  ASSERT_EQ(memplan_find_pattern(&record, shapes, 3, &pattern), MEMPLAN_OK);
  EXPECT_EQ(pattern.arena_size, 1024u);
  dims[0] = 3;
  EXPECT_EQ(memplan_find_pattern(&record, shapes, 3, &pattern),
            MEMPLAN_NOT_FOUND);
  dims[0] = -2;
  EXPECT_EQ(memplan_find_pattern(&record, shapes, 3, &pattern),
            MEMPLAN_NOT_FOUND);
  EXPECT_EQ(memplan_find_pattern(&record, shapes, 2, &pattern),
            MEMPLAN_NOT_FOUND);
}

TEST(RuntimeTest, TakesRangesOfShapesFromANewerWriter) {
  PatternRecord one;
  one.patterns = {Small(1)};
  std::string bytes = *EncodeRecord(one);
  const size_t row = layout::kHeaderBytes;
  uint64_t inputs, range;
  std::memcpy(&inputs, bytes.data() + row + layout::kInputsOffset, 8);
  std::memcpy(&range, bytes.data() + inputs + layout::kInputShape, 8);
  bytes[range + 8] = 16;  // "in" from 1 to 16
  bytes = Sealed(bytes);
  MemplanRecord record;
  ASSERT_EQ(memplan_open(bytes.data(), bytes.size(), &record), MEMPLAN_OK);
  for (const int64_t batch : {0, 1, 9, 16, 17}) {
    const int64_t dims[] = {batch, 3};
    const MemplanShape shapes[] = {{"in", dims, 2}, {"scalar", nullptr, 0}};
    MemplanPattern pattern;
    EXPECT_EQ(memplan_find_pattern(&record, shapes, 2, &pattern),
              batch >= 1 && batch <= 16 ? MEMPLAN_OK : MEMPLAN_NOT_FOUND);
  }
}

TEST(RuntimeTest, WideRowsHoldArenasPastFourGigabytes) {
  PatternRecord wide;
  wide.patterns = {Small(1)};
  wide.patterns[0].arena_size = int64_t{1} << 40;
  wide.patterns[0].tensors[1].offset = int64_t{1} << 39;
  const std::string bytes = *EncodeRecord(wide);
  MemplanRecord record;
  MemplanPattern pattern;
  MemplanTensor tensor;
  ASSERT_EQ(memplan_open(bytes.data(), bytes.size(), &record), MEMPLAN_OK);
  ASSERT_EQ(memplan_pattern(&record, 0, &pattern), MEMPLAN_OK);
  ASSERT_EQ(memplan_find_tensor(&pattern, "", "y", &tensor), MEMPLAN_OK);
  EXPECT_EQ(tensor.offset, uint64_t{1} << 39);
}

TEST(RuntimeTest, ARecordCutAtAnyByteIsAnError) {
  const std::string bytes = *EncodeRecord(Two());
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    Copy copy(std::string_view(bytes).substr(0, cut));
    MemplanRecord record;
    EXPECT_NE(memplan_open(copy.bytes.get(), cut, &record), MEMPLAN_OK) << cut;
  }
}

TEST(RuntimeTest, AnyFlippedBitIsAnErrorAndHarmlessWhereSealedAgain) {
  const std::string bytes = *EncodeRecord(Two());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    MemplanRecord record;
    Copy copy(flipped);
    EXPECT_NE(memplan_open(copy.bytes.get(), copy.size, &record), MEMPLAN_OK);
    Copy sealed(Sealed(flipped));
    if (memplan_open(sealed.bytes.get(), sealed.size, &record) == MEMPLAN_OK) {
      ReadAll(record);
    } else {
      EXPECT_FALSE(DecodeRecord(Sealed(flipped)).ok())
          << "the host takes what the device refuses: bit " << bit;
    }
  }
}

TEST(RuntimeTest, HugeCountsAreErrors) {
  const std::string bytes = *EncodeRecord(Two());
  for (size_t at = layout::kFlags; at + 8 <= bytes.size(); at += 4) {
    for (const size_t width : {4u, 8u}) {
      std::string huge = bytes;
      std::memset(huge.data() + at, 0xff, width);
      Copy copy(Sealed(huge));
      MemplanRecord record;
      if (memplan_open(copy.bytes.get(), copy.size, &record) == MEMPLAN_OK) {
        ReadAll(record);
      }
    }
  }
}

TEST(RuntimeTest, ReadsARecordAtAnyAddress) {
  const std::string bytes = *EncodeRecord(Two());
  std::vector<uint8_t> block(bytes.size() + 8);
  for (size_t shift = 0; shift < 8; ++shift) {
    std::memcpy(block.data() + shift, bytes.data(), bytes.size());
    MemplanRecord record;
    ASSERT_EQ(memplan_open(block.data() + shift, bytes.size(), &record),
              MEMPLAN_OK);
    ReadAll(record);
  }
}

TEST(RuntimeTest, TellsANewerVersionFromDamage) {
  std::string bytes = *EncodeRecord(Two());
  MemplanRecord record;
  bytes[layout::kVersion + 2] = 9;
  bytes = Sealed(bytes);
  EXPECT_EQ(memplan_open(bytes.data(), bytes.size(), &record), MEMPLAN_OK);
  bytes[layout::kFlags] = 1;
  bytes = Sealed(bytes);
  EXPECT_EQ(memplan_open(bytes.data(), bytes.size(), &record),
            MEMPLAN_NEWER_VERSION);
  bytes[layout::kVersion] = 2;
  EXPECT_EQ(memplan_open(bytes.data(), bytes.size(), &record),
            MEMPLAN_NEWER_VERSION);
  EXPECT_EQ(memplan_open("hello, world", 12, &record), MEMPLAN_NOT_A_RECORD);
  EXPECT_EQ(memplan_open(nullptr, 0, &record), MEMPLAN_NOT_A_RECORD);
}

}  // namespace
}  // namespace memplan
