#include "planner/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/memory_map.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PatternTensor Tensor(std::string name, int64_t size, int64_t offset,
                     Lifespan lifespan) {
  PatternTensor tensor;
  tensor.name = std::move(name);
  tensor.size = size;
  tensor.offset = offset;
  tensor.lifespan = lifespan;
  return tensor;
}

//  bytes
//  192 |    cccc          a and its view live in one storage, steps 0 to 2;
//  128 |    cccc          c stands above, d comes after them
//   64 |aaaaaadd
//      +--------
//  step 0 1 2 3
MemoryPattern Small() {
  MemoryPattern pattern;
  pattern.arena_size = 192;
  pattern.alignment = 64;
  pattern.max_live_bytes = 192;
  pattern.lower_bound = 192;
  pattern.optimal = true;
  pattern.solver = "greedy";
  pattern.num_steps = 4;
  pattern.inputs = {{"x", {1, 3}}};
  pattern.tensors = {Tensor("a", 64, 0, {0, 2}), Tensor("view", 64, 0, {1, 3}),
                     Tensor("c", 128, 64, {2, 4}), Tensor("d", 60, 0, {3, 4})};
  pattern.tensors[1].sharing = SharingKind::kView;
  pattern.tensors[1].shares_with = 0;
  pattern.tensors[3].scope = "5.then_branch";
  return pattern;
}

TEST(ReportTest, TheTableHasALineForEachTensor) {
  EXPECT_EQ(TensorTable(Small(), {{"float32", "4x4", ""}}),
            "tensor            type     shape  size  offset  steps  shares\n"
            "a                 float32  4x4      64       0   0..1\n"
            "view                                64       0   1..2  view of a\n"
            "c                                  128      64   2..3\n"
            "5.then_branch: d                    60       0   3..3\n");
  EXPECT_THAT(TensorTable(Small(), {}), Not(HasSubstr("type")));
}

TEST(ReportTest, LongNamesKeepBothEndsAndCountCharacters) {
  MemoryPattern pattern = Small();
  pattern.tensors[0].name = "begin" + std::string(100, 'm') + "end";
  pattern.tensors[2].name = "\u00e9\u00e9";
  const std::string table = TensorTable(pattern, {});
  EXPECT_THAT(table, HasSubstr("beginmmmmmmmmmmmmmm..mmmmmmmmmmmmmmmmend "));
  EXPECT_THAT(table, HasSubstr("\u00e9\u00e9" + std::string(38, ' ')));
}

TEST(ReportTest, StoragesUniteTheLifespansOfWhatSharesThem) {
  const std::vector<PatternStorage> storages = StoragesOf(Small());
  ASSERT_EQ(storages.size(), 3u);
  EXPECT_EQ(storages[0].lifespan, (Lifespan{0, 3}));
  EXPECT_EQ(storages[0].num_tensors, 2);
}

TEST(ReportTest, CirclesOfSharingInADamagedFileEnd) {
  MemoryPattern pattern = Small();
  pattern.tensors[0].shares_with = 1;
  pattern.tensors[2].shares_with = 99;
  pattern.tensors[3].shares_with = -5;
  EXPECT_EQ(StoragesOf(pattern).size(), 3u);
}

TEST(ReportTest, TotalsAndWhoIsLiveAtThePeak) {
  const std::string totals = PatternTotals(Small());
  EXPECT_THAT(totals, HasSubstr("192 bytes   optimal: proved"));
  EXPECT_THAT(totals, HasSubstr("4 tensors in 3 buffers, 4 steps"));
  EXPECT_THAT(totals, HasSubstr("x[1,3]"));
  EXPECT_EQ(LiveAtPeak(Small()),
            "live at step 2, where most is (192 B):\n"
            "       128 B  c, steps 2 to 3\n"
            "        64 B  a, steps 0 to 2, with 1 other tensor\n");
  EXPECT_THAT(LiveAtPeak(Small(), 1), HasSubstr("64 B  in 1 more"));
  EXPECT_EQ(LiveAtPeak(MemoryPattern()), "");
}

TEST(MemoryMapTest, ShowsWhoHasWhichBytesWhen) {
  EXPECT_EQ(MemoryMap(Small(), {.width = 24}),
            "     192 B |......bbbbbb\n"
            "           |......bbbbbb\n"
            "           |aaaaaaaaaccc\n"
            "           +------------\n"
            "            0          3  step\n"
            "                  ^ most bytes live\n"
            "  b       128 B  c\n"
            "  a        64 B  a\n"
            "  c        60 B  d\n");
  EXPECT_EQ(MemoryMap(MemoryPattern()), "");
}

TEST(MemoryMapTest, ScalesLargePlansToItsWidth) {
  MemoryPattern pattern;
  pattern.arena_size = int64_t{1} << 40;
  pattern.num_steps = 100'000;
  for (int64_t i = 0; i < pattern.num_steps; ++i) {
    pattern.tensors.push_back(Tensor("t", pattern.arena_size / 2,
                                     i % 2 * (pattern.arena_size / 2),
                                     {i, i + 2}));
  }
  const std::string map = MemoryMap(pattern, {.width = 100, .height = 10});
  size_t begin = 0;
  for (size_t end = map.find('\n'); end != std::string::npos;
       begin = end + 1, end = map.find('\n', begin)) {
    EXPECT_LE(end - begin, 110u);
  }
  EXPECT_THAT(map, HasSubstr("and 99,990 smaller buffers"));
}

TEST(MemoryMapTest, TheHtmlPageEscapesNames) {
  MemoryPattern pattern = Small();
  pattern.tensors[0].name = "<script>&";
  const std::string page = MemoryMapHtml(pattern, "a<b");
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;&amp;"));
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, HasSubstr("<title>a&lt;b</title>"));
}

}  // namespace
}  // namespace memplan
