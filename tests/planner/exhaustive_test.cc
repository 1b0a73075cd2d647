// Every tiny problem, against brute force.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "planner/bounds.h"
#include "planner/solve.h"
#include "planner/solvers/slots.h"
#include "tests/planner/brute_force.h"
#include "tests/planner/plan_checks.h"

namespace memplan {
namespace {

constexpr int64_t kSteps = 5;
constexpr int64_t kSizes = 4;

std::string Show(const Problem& problem) {
  std::string text;
  for (const Buffer& b : problem.buffers) {
    absl::StrAppend(&text, "{", b.size, ", {", b.lifespan.begin, ", ",
                    b.lifespan.end, "}, ", b.alignment);
    if (b.fixed_offset) absl::StrAppend(&text, ", ", *b.fixed_offset);
    text += "} ";
  }
  return text;
}

// What a set of lifespans in kSteps steps comes down to: the slot ranges, in
// order. Two sets with the same ranges are the same problem.
using Shape = std::vector<std::pair<int32_t, int32_t>>;

void AddShapes(int num_buffers, Problem& problem, std::set<Shape>& shapes) {
  if (static_cast<int>(problem.buffers.size()) == num_buffers) {
    Shape shape;
    for (const SlotRange& range : MakeSlots(problem).ranges) {
      shape.push_back({range.begin, range.end});
    }
    std::sort(shape.begin(), shape.end());
    shapes.insert(shape);
    return;
  }
  for (int64_t begin = 0; begin < kSteps; ++begin) {
    for (int64_t end = begin + 1; end <= kSteps; ++end) {
      if (!problem.buffers.empty()) {
        const Lifespan& last = problem.buffers.back().lifespan;
        if (std::pair(begin, end) < std::pair(last.begin, last.end)) continue;
      }
      problem.buffers.push_back({1, {begin, end}});
      AddShapes(num_buffers, problem, shapes);
      problem.buffers.pop_back();
    }
  }
}

// Problems that differ by their sizes, alignments and which buffer is fixed, if
// any, are numbered.
int64_t NumVariants(int num_buffers) {
  int64_t variants = 1 + num_buffers * kSizes;  // none fixed, or i at 0 to 3
  for (int i = 0; i < num_buffers; ++i) variants *= 2 * kSizes;
  return variants;
}

Problem Variant(const Shape& shape, int64_t number) {
  const auto next = [&](int64_t choices) {
    const int64_t choice = number % choices;
    number /= choices;
    return choice;
  };
  Problem problem;
  for (const auto& [begin, end] : shape) {
    const int64_t size = 1 + next(kSizes);
    problem.buffers.push_back({size, {begin, end}, 1 + next(2)});
  }
  if (number > 0) {
    Buffer& fixed = problem.buffers[(number - 1) / kSizes];
    fixed.fixed_offset = (number - 1) % kSizes * fixed.alignment;
  }
  return problem;
}

// Buffers of one lifespan can be exchanged: of all the problems that such
// exchanges turn into each other, one is in order.
bool IsInOrder(const Problem& problem) {
  const auto key = [](const Buffer& b) {
    return std::tuple(b.lifespan.begin, b.lifespan.end, b.size, b.alignment,
                      b.fixed_offset);
  };
  return std::is_sorted(
      problem.buffers.begin(), problem.buffers.end(),
      [&](const Buffer& a, const Buffer& b) { return key(a) < key(b); });
}

void Check(const Problem& problem) {
  const int64_t optimum = OptimumByBruteForce(problem);
  ASSERT_LE(LowerBound(problem), optimum) << Show(problem);
  const auto best = Solve(problem, SolveOptions());
  ASSERT_TRUE(best.ok()) << best.status();
  ASSERT_EQ(WhatIsWrong(problem, best->solution), "") << Show(problem);
  ASSERT_EQ(best->solution.arena_size, optimum) << Show(problem);
  ASSERT_TRUE(best->optimal) << Show(problem);
  SolveOptions tight;
  tight.capacity = optimum;
  const auto fits = Solve(problem, tight);
  ASSERT_EQ(fits->feasible, true) << Show(problem);
  ASSERT_LE(fits->solution.arena_size, optimum) << Show(problem);
  tight.capacity = optimum - 1;
  const auto misses = Solve(problem, tight);
  ASSERT_EQ(misses->feasible, false) << Show(problem);
  ASSERT_EQ(WhatIsWrong(problem, misses->solution), "") << Show(problem);
}

// Looks at one in `stride` problems; MEMPLAN_EXHAUSTIVE=1 looks at all.
void CheckAll(int num_buffers, int64_t stride) {
  if (std::getenv("MEMPLAN_EXHAUSTIVE") != nullptr) stride = 1;
  std::set<Shape> shapes;
  Problem empty;
  AddShapes(num_buffers, empty, shapes);
  int64_t number = 0;
  int64_t checked = 0;
  for (const Shape& shape : shapes) {
    for (; number < NumVariants(num_buffers); number += stride) {
      const Problem problem = Variant(shape, number);
      if (!IsInOrder(problem)) continue;
      Check(problem);
      if (::testing::Test::HasFatalFailure()) return;
      ++checked;
    }
    number -= NumVariants(num_buffers);
  }
  ::testing::Test::RecordProperty("problems", std::to_string(checked));
  EXPECT_GT(checked, 0);
}

TEST(Exhaustive, OneBuffer) { CheckAll(1, 1); }
TEST(Exhaustive, TwoBuffers) { CheckAll(2, 1); }
TEST(Exhaustive, ThreeBuffers) { CheckAll(3, 1); }
TEST(Exhaustive, FourBuffers) { CheckAll(4, 97); }
TEST(Exhaustive, FiveBuffers) { CheckAll(5, 20011); }

}  // namespace
}  // namespace memplan
