#include "planner/pattern_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "planner/crc32.h"
#include "planner/pattern_layout.h"
#include "planner/strings.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(AsStd(status.message()));
}

//   bytes 256 |      y y
//           0 | x x x . t      steps 0..4; z is a view of x
MemoryPattern Small() {
  MemoryPattern pattern;
  pattern.arena_size = 512;
  pattern.alignment = 64;
  pattern.max_live_bytes = 512;
  pattern.lower_bound = 512;
  pattern.optimal = true;
  pattern.solver = "greedy";
  pattern.num_steps = 5;
  pattern.inputs = {{"in", {1, 3, 8, 8}}, {"scalar", {}}};
  pattern.dims = {{"batch", 1}, {"height", 8}};
  pattern.input_values = {{"scales", {"1", "0.5"}}, {"target", {"-1", "8"}}};
  pattern.bounds = {{"found", {2, 64}}};
  pattern.tensors = {
      {"x", "", 250, 0, {0, 3}, SharingKind::kNone, {}, false},
      {"y", "", 256, 256, {2, 4}, SharingKind::kNone, {}, true},
      {"x", "1.then_branch", 250, 0, {2, 3}, SharingKind::kView, 0, false},
      {"t", "", 0, 0, {4, 5}, SharingKind::kNone, {}, false},
  };
  return pattern;
}

std::string Encode(const PatternRecord& record) {
  auto bytes = EncodeRecord(record);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return *bytes;
}

// Makes the checksum right again after a change.
std::string Sealed(std::string bytes) {
  for (size_t i = 0; i < 4; ++i) bytes[layout::kCrc + i] = '\0';
  uint32_t crc = Crc32(bytes);
  for (size_t i = 0; i < 4; ++i, crc >>= 8) {
    bytes[layout::kCrc + i] = static_cast<char>(crc & 0xff);
  }
  return bytes;
}

TEST(Crc32Test, HasTheStandardCheckValue) {
  EXPECT_EQ(Crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(Crc32("6789", Crc32("12345")), 0xCBF43926u);
  EXPECT_EQ(Crc32(""), 0u);
}

TEST(PatternRecordTest, ComesBackAsItWas) {
  PatternRecord record;
  record.fingerprint = {0x0123456789abcdef, 0xfedcba9876543210};
  record.patterns.push_back(Small());
  MemoryPattern other = Small();
  other.inputs[0].shape[0] = 2;
  other.arena_size = 1 << 20;
  other.optimal = false;
  record.patterns.push_back(other);
  auto decoded = DecodeRecord(Encode(record));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(*decoded, record);
  EXPECT_EQ(ToString(decoded->fingerprint), "0123456789abcdeffedcba9876543210");
  std::string base64;
  absl::Base64Escape(Encode(record), &base64);
  EXPECT_EQ(*DecodeBase64Record(base64), record);
}

TEST(PatternRecordTest, ArenasPastFourGigabytesTakeWideRows) {
  PatternRecord record;
  record.patterns.push_back(Small());
  record.patterns[0].arena_size = int64_t{1} << 40;
  record.patterns[0].tensors[1].offset = (int64_t{1} << 40) - 256;
  auto decoded = DecodeRecord(Encode(record));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(*decoded, record);
}

TEST(PatternRecordTest, NoPatternAndNoTensorAreRecordsToo) {
  EXPECT_EQ(*DecodeRecord(Encode({})), PatternRecord());
  PatternRecord record;
  record.patterns.emplace_back();
  EXPECT_EQ(*DecodeRecord(Encode(record)), record);
}

TEST(PatternRecordTest, TakesUnderFortyBytesATensorBesidesItsName) {
  PatternRecord record;
  record.patterns.push_back(Small());
  MemoryPattern& pattern = record.patterns[0];
  pattern.tensors.clear();
  size_t names = 0;
  for (int i = 0; i < 100; ++i) {
    PatternTensor tensor;
    tensor.name = "tensor_" + std::to_string(i);
    names += tensor.name.size();
    pattern.tensors.push_back(tensor);
  }
  EXPECT_LT(Encode(record).size(), 40 * 100 + names);
}

// Each element repeats the name of its input.
TEST(PatternRecordTest, HoldsLongContentsOfInputsWithLongNames) {
  PatternRecord record;
  record.patterns.push_back(Small());
  record.patterns[0].input_values[std::string(1000, 'n')] =
      std::vector<std::string>(5000, "12");
  EXPECT_EQ(*DecodeRecord(Encode(record)), record);
}

TEST(PatternRecordTest, APatternForTheSameShapesTakesTheOldOnesPlace) {
  PatternRecord record;
  AddPattern(Small(), record);
  MemoryPattern two = Small();
  two.inputs[0].shape[0] = 2;
  AddPattern(two, record);
  MemoryPattern one = Small();
  one.solver = "exact";
  AddPattern(one, record);
  EXPECT_THAT(record.patterns, ElementsAre(one, two));
}

TEST(PatternRecordTest, ARecordCutAtAnyByteIsAnError) {
  PatternRecord record;
  record.patterns.push_back(Small());
  const std::string bytes = Encode(record);
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(DecodeRecord(bytes.substr(0, cut)).ok()) << cut;
    // The size put right and the checksum, too: the tables run out of bounds.
    if (cut < layout::kHeaderBytes) continue;
    std::string sealed = bytes.substr(0, cut);
    for (size_t i = 0; i < 8; ++i) {
      sealed[layout::kTotalSize + i] =
          static_cast<char>((uint64_t{cut} >> (8 * i)) & 0xff);
    }
    EXPECT_FALSE(DecodeRecord(Sealed(sealed)).ok() && cut + 7 < bytes.size())
        << cut;
  }
}

TEST(PatternRecordTest, AnyFlippedBitIsAnError) {
  PatternRecord record;
  record.patterns.push_back(Small());
  const std::string bytes = Encode(record);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(DecodeRecord(flipped).ok()) << bit;
    // With the checksum put right, it may be another record, but must be read
    // without harm (sanitizers watch).
    auto decoded = DecodeRecord(Sealed(flipped));
    EXPECT_TRUE(!decoded.ok() || EncodeRecord(*decoded).ok()) << bit;
  }
}

TEST(PatternRecordTest, HugeCountsAreErrors) {
  PatternRecord record;
  record.patterns.push_back(Small());
  const std::string bytes = Encode(record);
  for (size_t at = layout::kPatternCount; at + 4 <= bytes.size(); at += 4) {
    std::string huge = bytes;
    for (size_t i = 0; i < 4; ++i) huge[at + i] = '\xff';
    (void)DecodeRecord(Sealed(huge));
    for (size_t i = 4; i < 8 && at + i < huge.size(); ++i)
      huge[at + i] = '\xff';
    (void)DecodeRecord(Sealed(huge));
  }
  std::string many = bytes;
  for (size_t i = 0; i < 4; ++i) many[layout::kPatternCount + i] = '\xff';
  EXPECT_TRUE(absl::IsDataLoss(DecodeRecord(Sealed(many)).status()));
}

TEST(PatternRecordTest, ReadsANewerMinorVersionWithLongerRows) {
  PatternRecord record;
  std::string bytes = Encode(record);
  bytes[layout::kVersion + 2] = 7;
  EXPECT_EQ(*DecodeRecord(Sealed(bytes)), record);
  bytes[layout::kVersion] = 2;
  auto newer = DecodeRecord(Sealed(bytes));
  EXPECT_TRUE(absl::IsUnimplemented(newer.status()));
  EXPECT_THAT(Message(newer.status()), HasSubstr("version 2.7"));
}

TEST(PatternRecordTest, RefusesToWriteWhatItCouldNotRead) {
  PatternRecord record;
  record.patterns.push_back(Small());
  record.patterns[0].tensors[1].name = std::string("a\0/", 3);
  EXPECT_THAT(Message(EncodeRecord(record).status()), HasSubstr("a\\x00/"));
  record.patterns[0] = Small();
  record.patterns[0].tensors[1].size = 1024;
  EXPECT_THAT(Message(EncodeRecord(record).status()),
              HasSubstr("outside the arena: 'y'"));
}

}  // namespace
}  // namespace memplan
