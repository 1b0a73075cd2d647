// Problems with known answers, where they stand beside the project:
// cases/dsa/expected.md says each one's bound and optimum, facts/planners.md
// how high other planners get.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "planner/problem_csv.h"
#include "planner/solve.h"
#include "planner/verify.h"
#include "tests/planner/shared_cases.h"

namespace memplan {
namespace {

// The cells of each row of Markdown tables in `text` that begins with a name
// such as "minimalloc/A".
std::vector<std::vector<std::string>> Rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::ConsumePrefix(&line, "| ")) continue;
    std::vector<std::string> cells = absl::StrSplit(line, " | ");
    if (cells[0].find('/') != std::string::npos) rows.push_back(cells);
  }
  return rows;
}

// By instance: the lowest arena / lower bound of the heuristics without search
// (columns ort to executorch), rounded to four digits.
std::map<std::string, double> BestSimpleRatios(const std::string& text) {
  constexpr size_t kFirst = 2;
  constexpr size_t kLast = 10;
  std::map<std::string, double> best;
  for (const std::vector<std::string>& cells : Rows(text)) {
    if (cells.size() <= kLast) continue;
    for (size_t i = kFirst; i <= kLast; ++i) {
      double ratio;
      if (!absl::SimpleAtod(cells[i], &ratio)) continue;
      const auto [it, is_new] = best.try_emplace(cells[0], ratio);
      if (!is_new) it->second = std::min(it->second, ratio);
    }
  }
  return best;
}

const Solver& SolverNamed(std::string_view name) {
  return *std::find_if(Solvers().begin(), Solvers().end(),
                       [&](const Solver& each) { return each.name == name; });
}

TEST(DsaCasesTest,
     BoundsAreTheKnownOnesAndGreedyIsNoHigherThanAnySimpleHeuristic) {
  MEMPLAN_SHARED_OR_SKIP(expected, "cases/dsa/expected.md");
  MEMPLAN_SHARED_OR_SKIP(facts, "facts/planners.md");
  const std::map<std::string, double> best = BestSimpleRatios(facts);
  int problems = 0;
  for (const std::vector<std::string>& cells : Rows(expected)) {
    const auto csv = ReadShared("cases/dsa/" + cells[0] + ".csv");
    if (!csv.has_value()) continue;
    SCOPED_TRACE(cells[0]);
    const auto parsed = ReadProblemCsv(*csv);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    const Problem& problem = parsed->problem;
    ++problems;
    EXPECT_EQ(std::to_string(problem.buffers.size()), cells[1]);
    const int64_t bound = MaxLiveBytes(problem);
    EXPECT_EQ(std::to_string(bound), cells[2]);
    const Solution greedy = SolverNamed("greedy").solve(problem, nullptr);
    EXPECT_TRUE(VerifySolution(problem, greedy).ok());
    const auto simple = best.find(cells[0]);
    if (simple == best.end()) continue;
    EXPECT_LE(
        static_cast<double>(greedy.arena_size) / static_cast<double>(bound),
        simple->second + 0.00005);
  }
  EXPECT_GE(problems, 50);
}

TEST(DsaCasesTest, KnownOptimaAreProved) {
  MEMPLAN_SHARED_OR_SKIP(expected, "cases/dsa/expected.md");
  constexpr size_t kMany =
      300;  // larger ones take seconds: memplan_bench has them
  for (const std::vector<std::string>& cells : Rows(expected)) {
    const auto csv = ReadShared("cases/dsa/" + cells[0] + ".csv");
    if (!csv.has_value() || cells[3] != "LB") continue;
    SCOPED_TRACE(cells[0]);
    const auto parsed = ReadProblemCsv(*csv);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    if (parsed->problem.buffers.size() > kMany) continue;
    const auto solved = Solve(parsed->problem, {});
    ASSERT_TRUE(solved.ok()) << solved.status();
    EXPECT_TRUE(solved->optimal);
    EXPECT_EQ(std::to_string(solved->solution.arena_size), cells[2]);
    EXPECT_TRUE(VerifySolution(parsed->problem, solved->solution).ok());
  }
}

}  // namespace
}  // namespace memplan
