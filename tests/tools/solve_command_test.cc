#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/tools/run_program.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

// Steps  0 1 2 3
//        a a . .     a: 4 bytes
//        . b b .     b: 4 bytes
//        . . c c     c: 4 bytes, may lie where a was
const char kStairs[] =
    "id,lower,upper,size\n"
    "a,0,2,4\n"
    "b,1,3,4\n"
    "c,2,4,4\n";

ProgramResult SolveText(const char* problem,
                        std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"solve", "-"});
  return RunMemplan(arguments, problem);
}

TEST(SolveCommand, WritesTheProblemWithOffsets) {
  const ProgramResult result = SolveText(kStairs, {});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("id,lower,upper,size,offset\na,0,2,4,"));
  EXPECT_THAT(result.err, HasSubstr("arena 8 bytes, proved optimal"));
  // What comes out goes in again.
  EXPECT_EQ(SolveText(result.out.c_str(), {}).out, result.out);
}

TEST(SolveCommand, JsonHasTheNamesThatOthersRelyOn) {
  const ProgramResult result = SolveText(kStairs, {"--json", "-"});
  ASSERT_EQ(result.exit_code, 0);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("schema_version"), 1);
  EXPECT_EQ(json.at("arena_size"), 8);
  EXPECT_EQ(json.at("lower_bound"), 8);
  EXPECT_EQ(json.at("optimal"), true);
  EXPECT_EQ(json.at("feasible"), true);
  EXPECT_TRUE(json.at("search_nodes").is_number());
  EXPECT_TRUE(json.at("seconds").is_number());
  EXPECT_TRUE(json.at("solver").is_string());
}

TEST(SolveCommand, TellsProofFromDefeat) {
  const ProgramResult proved =
      SolveText(kStairs, {"--capacity", "7", "--json", "-"});
  EXPECT_EQ(proved.exit_code, 5);
  EXPECT_EQ(Json::parse(proved.out).at("feasible"), false);
  const ProgramResult open = SolveText(
      kStairs, {"--capacity", "8", "--solver", "none", "--json", "-"});
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_EQ(Json::parse(open.out).at("feasible"), nullptr);
  EXPECT_EQ(SolveText(kStairs, {"--capacity", "8"}).exit_code, 0);
}

// Too many odd sizes to be proved within the effort, which is endless.
TEST(SolveCommand, CtrlCGivesTheBestPlanSoFar) {
  std::string problem = "id,lower,upper,size\n";
  for (int i = 0; i < 300; ++i) {
    const int begin = i * 7919 % 211;
    problem += absl::StrCat(i, ",", begin, ",", begin + 3 + i * 31 % 47, ",",
                            1000 + i * 104729 % 9973, "\n");
  }
  const ProgramResult result =
      InterruptMemplan({"solve", "-", "--effort", "1000000000000"}, problem);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("stopped early"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 301);
  EXPECT_THAT(result.out,
              StartsWith("id,lower,upper,size,offset\n0,0,3,1000,"));
}

TEST(SolveCommand, KeepsWhatIsFixed) {
  const ProgramResult result = SolveText(kStairs, {"--fix", "b=100"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("b,1,3,4,100\n"));
}

TEST(SolveCommand, RefusesNumbersThatAreNone) {
  for (const char* option : {"--effort=-1", "--time-limit=nan",
                             "--time-limit=-0.5", "--time-limit=inf"}) {
    const ProgramResult result = SolveText(kStairs, {option});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.err, HasSubstr("is no number of 0 or more"));
  }
}

TEST(SolveCommand, RefusesFixesThatCannotBe) {
  EXPECT_EQ(SolveText(kStairs, {"--fix", "b"}).exit_code, 2);
  const ProgramResult unknown = SolveText(kStairs, {"--fix", "d=0"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no buffer 'd'"));
  const ProgramResult conflict =
      SolveText(kStairs, {"--fix", "a=0", "--fix", "b=2"});
  EXPECT_EQ(conflict.exit_code, 3) << conflict.err;
  EXPECT_THAT(conflict.out, IsEmpty());
}

TEST(SolveCommand, ABadProblemIsCodeThree) {
  for (const char* problem :
       {"", "id,lower\n", "id,lower,upper,size\na,0,1\n",
        "id,lower,upper,size\na,0,1,-4\n", "id,lower,upper,size\na,2,1,4\n"}) {
    const ProgramResult result = SolveText(problem, {});
    EXPECT_EQ(result.exit_code, 3) << problem << result.err;
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_EQ(RunMemplan({"solve", "/no/such.csv"}).exit_code, 7);
}

}  // namespace
}  // namespace memplan
