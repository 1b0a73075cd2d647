#include "planner/problem_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "planner/solve.h"
#include "planner/strings.h"
#include "tests/planner/shared_cases.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ErrorOf(std::string_view text) {
  const auto problem = ReadProblemCsv(text);
  return problem.ok() ? "" : std::string(problem.status().message());
}

TEST(ReadProblemCsv, ReadsMiniMallocsExample) {
  const auto problem = ReadProblemCsv(
      "id,lower,upper,size\n"
      "b1,0,3,4\n"
      "b2,3,9,4\n");
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_THAT(problem->ids, ElementsAre("b1", "b2"));
  EXPECT_THAT(problem->problem.buffers,
              ElementsAre(Buffer{4, {0, 3}}, Buffer{4, {3, 9}}));
  EXPECT_FALSE(problem->inclusive_end);
}

TEST(ReadProblemCsv, KnowsTheAliasesInAnyOrder) {
  const std::vector<Buffer> expected = {Buffer{8, {2, 5}, 4, 16}};
  for (const std::string_view header :
       {"size,offset,alignment,upper,lower,id",
        "size,offset,alignment,upper,start,buffer",
        "size,offset,alignment,upper,begin,buffer_id"}) {
    const auto problem =
        ReadProblemCsv(absl::StrCat(std::string(header), "\n8,16,4,5,2,a\n"));
    ASSERT_TRUE(problem.ok()) << problem.status();
    EXPECT_EQ(problem->problem.buffers, expected);
  }
}

TEST(ReadProblemCsv, TakesAnEndColumnAsTheLastStep) {
  const auto problem = ReadProblemCsv("buffer,start,end,size\na,2,4,8\n");
  ASSERT_TRUE(problem.ok());
  EXPECT_TRUE(problem->inclusive_end);
  EXPECT_EQ(problem->problem.buffers[0].lifespan, (Lifespan{2, 5}));
}

TEST(ReadProblemCsv, TakesQuotesBlanksMarksAndCarriageReturns) {
  const auto problem = ReadProblemCsv(
      "\xef\xbb\xbfid, lower ,upper,size,hint\r\n"
      "\r\n"
      "\"a, \"\"b\"\"\" , 0, 1 ,2,-1\r\n"
      "c,0,1,2,7");
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_THAT(problem->ids, ElementsAre("a, \"b\"", "c"));
}

TEST(ReadProblemCsv, LeavesAnEmptyOffsetFree) {
  const auto problem =
      ReadProblemCsv("id,lower,upper,size,offset\na,0,1,2,\nb,0,1,2,0\n");
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_EQ(problem->problem.buffers[0].fixed_offset, std::nullopt);
  EXPECT_EQ(problem->problem.buffers[1].fixed_offset, 0);
}

TEST(ReadProblemCsv, NamesTheLineOfWhatIsWrong) {
  const std::string header = "id,lower,upper,size\n";
  EXPECT_THAT(ErrorOf(""), HasSubstr("line 1: there is no header"));
  EXPECT_THAT(ErrorOf("id,lower,upper\n"), HasSubstr("no column 'size'"));
  EXPECT_THAT(ErrorOf("id,lower,upper,size,colour\n"),
              HasSubstr("line 1: unknown column 'colour'"));
  EXPECT_THAT(ErrorOf("id,lower,begin,upper,size\n"),
              HasSubstr("'begin' stands for one that is there"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,2\nb,0,1\n"),
              HasSubstr("line 3: has 3 fields, the header has 4"));
  EXPECT_THAT(ErrorOf(header + "\na,0,x1,2\n"),
              HasSubstr("line 3: upper 'x1' is not a whole number"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,2.5\n"), HasSubstr("size '2.5'"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,\n"), HasSubstr("size ''"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,9223372036854775808\n"),
              HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(ErrorOf("id,lower,end,size\na,0,9223372036854775807,1\n"),
              HasSubstr("line 2: the end does not fit"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,2\nb,0,1,2\na,1,2,2\n"),
              HasSubstr("line 4: id 'a' was used on line 2"));
  EXPECT_THAT(ErrorOf(header + "\"a,0,1,2\n"), HasSubstr("not closed"));
  EXPECT_THAT(ErrorOf(header + "\"a\"b,0,1,2\n"), HasSubstr("text follows"));
}

TEST(CheckCsvProblem, NamesBuffersByTheirIds) {
  const auto message = [](std::string_view rows) {
    const auto problem = ReadProblemCsv(
        absl::StrCat("id,lower,upper,size,alignment,offset\n", AsAbsl(rows)));
    return std::string(CheckCsvProblem(*problem).message());
  };
  EXPECT_EQ(message("a,0,5,10,4,3\n"),
            "buffer 'a': fixed offset 3 is no multiple of the alignment 4");
  EXPECT_EQ(message("a,0,5,10,1,0\nweights,2,6,10,1,5\n"),
            "buffer 'a' and buffer 'weights' are both live at step 2 and their "
            "fixed offsets overlap");
  EXPECT_EQ(message("a,0,5,10,1,0\nb,5,6,10,1,5\n"), "");
}

TEST(ReadProblemCsv, SurvivesEveryCutAndEveryChangedByte) {
  const std::string text =
      "id,lower,upper,size,alignment,offset\n\"a\"\"b\",0,3,4,4,8\nc,1,2,3,1,"
      "\n";
  for (size_t i = 0; i < text.size(); ++i) {
    (void)ReadProblemCsv(text.substr(0, i));
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[i] = static_cast<char>(byte);
      (void)ReadProblemCsv(changed);
    }
  }
}

TEST(WriteProblemCsv, IsReadBackEqual) {
  CsvProblem problem;
  problem.ids = {"plain", "with, comma", "with \"quotes\"", ""};
  problem.problem.buffers = {Buffer{4, {0, 2}}, Buffer{8, {1, 2}, 8, 16},
                             Buffer{0, {-5, 2}}, Buffer{3, {2, 2}}};
  const auto read = ReadProblemCsv(WriteProblemCsv(problem));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, problem);
}

TEST(WriteProblemCsv, WritesOffsetsOfASolution) {
  CsvProblem problem;
  problem.ids = {"a", "b"};
  problem.problem.buffers = {Buffer{4, {0, 2}}, Buffer{8, {1, 2}}};
  const Solution solution = {{8, 0}, 12};
  EXPECT_EQ(WriteProblemCsv(problem, &solution),
            "id,lower,upper,size,offset\na,0,2,4,8\nb,1,2,8,0\n");
}

TEST(ReadProblemCsv, ReadsTheLargestCase) {
  MEMPLAN_SHARED_OR_SKIP(text, "cases/dsa/idealloc-iopddl/Y_1.csv");
  const auto problem = ReadProblemCsv(text);
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_EQ(problem->ids.size(), 62185u);
  EXPECT_EQ(MaxLiveBytes(problem->problem), 497261190115);
}

}  // namespace
}  // namespace memplan
