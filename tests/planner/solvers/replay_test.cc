#include "planner/solvers/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "tests/planner/plan_checks.h"
#include "tests/planner/shared_cases.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;

TraceOp A(int64_t id, int64_t size) {
  return {TraceOp::Kind::kAllocate, id, size};
}
TraceOp F(int64_t id) { return {TraceOp::Kind::kFree, id, 0}; }

// The policy as ONNX Runtime has it: a list of live blocks, walked for each
// call. The oracle of this file.
TraceResult ReplayWithList(const std::vector<TraceOp>& ops) {
  struct Block {
    int64_t id, offset, end;
  };
  std::vector<Block> live;  // by offset
  TraceResult result;
  for (const TraceOp& op : ops) {
    result.offsets.push_back(0);
    if (op.kind == TraceOp::Kind::kFree) {
      const auto block = std::find_if(live.begin(), live.end(),
                                      [&](auto& b) { return b.id == op.id; });
      if (block != live.end()) live.erase(block);
      continue;
    }
    if (op.size == 0) continue;
    int64_t cursor = 0;
    int64_t best = -1;
    int64_t best_waste = std::numeric_limits<int64_t>::max();
    const auto consider = [&](int64_t begin, int64_t end) {
      if (end - begin < op.size || end - begin - op.size >= best_waste) return;
      best = begin;
      best_waste = end - begin - op.size;
    };
    for (const Block& block : live) {
      consider(cursor, block.offset);
      cursor = std::max(cursor, block.end);
    }
    consider(cursor, result.arena_size);
    if (best < 0) best = cursor;
    result.arena_size = std::max(result.arena_size, best + op.size);
    result.offsets.back() = best;
    const auto above = std::find_if(live.begin(), live.end(),
                                    [&](auto& b) { return b.offset >= best; });
    live.insert(above, {op.id, best, best + op.size});
  }
  return result;
}

struct PolicyCase {
  std::string name;
  std::vector<TraceOp> ops;
  int64_t arena_size;
  std::map<int64_t, int64_t> offsets;  // the last one of each id
};

std::map<int64_t, int64_t> LastOffsets(const std::vector<TraceOp>& ops,
                                       const TraceResult& result) {
  std::map<int64_t, int64_t> offsets;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].kind == TraceOp::Kind::kAllocate) {
      offsets[ops[i].id] = result.offsets[i];
    }
  }
  return offsets;
}

TEST(ReplayTrace, KeepsOnnxRuntimesHabits) {
  const std::vector<PolicyCase> cases = {
      {"P1: one above the other",
       {A(0, 1024), A(1, 256), A(2, 512), A(3, 1024)},
       2816,
       {{0, 0}, {1, 1024}, {2, 1280}, {3, 1792}}},
      {"P2: freed bytes are used again",
       {A(0, 1024), A(1, 256), A(2, 512), A(3, 1024), F(1), A(4, 512), F(3),
        A(5, 600), A(6, 200)},
       3328,
       {{0, 0},
        {1, 1024},
        {2, 1280},
        {3, 1792},
        {4, 2816},
        {5, 1792},
        {6, 1024}}},
      {"P3: size 0 is never live",
       {A(0, 256), A(1, 0), A(2, 256), F(1)},
       512,
       {{0, 0}, {1, 0}, {2, 256}}},
      {"P4: the lowest of equal gaps",
       {A(0, 256), A(1, 256), A(2, 256), A(3, 256), A(4, 256), F(1), F(3),
        A(5, 256)},
       1280,
       {{0, 0}, {1, 256}, {2, 512}, {3, 768}, {4, 1024}, {5, 256}}},
      {"P5: best fit, not first fit",
       {A(0, 1024), A(1, 256), A(2, 512), A(3, 256), F(0), F(2), A(4, 512),
        A(5, 1024)},
       2048,
       {{0, 0}, {1, 1024}, {2, 1280}, {3, 1792}, {4, 1280}, {5, 0}}},
      {"P6: the tail where it is strictly tighter",
       {A(0, 1024), A(1, 256), A(2, 512), F(0), F(2), A(3, 512)},
       1792,
       {{0, 0}, {1, 1024}, {2, 1280}, {3, 1280}}},
      {"P7: a gap before an equal tail",
       {A(0, 512), A(1, 256), A(2, 512), F(0), F(2), A(3, 512)},
       1280,
       {{0, 0}, {1, 512}, {2, 768}, {3, 0}}},
      {"P8: a tail that is too small is extended",
       {A(0, 256), A(1, 512), F(1), A(2, 1024)},
       1280,
       {{0, 0}, {1, 256}, {2, 256}}},
      {"P9: the high-water mark stays",
       {A(0, 1024), F(0), A(1, 256), A(2, 256)},
       1024,
       {{0, 0}, {1, 0}, {2, 256}}},
      {"P10: unknown and double frees do nothing",
       {A(0, 256), F(7), F(0), F(0), A(1, 512)},
       512,
       {{0, 0}, {1, 0}}},
      {"P11: an id twice: a free drops the lower block",
       {A(0, 256), A(1, 256), A(0, 512), F(0), A(2, 256), A(3, 512)},
       1536,
       {{0, 512}, {1, 256}, {2, 0}, {3, 1024}}},
      {"P12: an id again after its free",
       {A(0, 256), A(1, 256), F(0), A(0, 512)},
       1024,
       {{0, 512}, {1, 256}}},
      {"P13: no minimum remainder",
       {A(0, 1024), A(1, 256), F(0), A(2, 256), A(3, 256), A(4, 512)},
       1280,
       {{0, 0}, {1, 1024}, {2, 0}, {3, 256}, {4, 512}}},
      {"P14: any gap before growing",
       {A(0, 1048576), A(1, 256), F(0), A(2, 256), A(3, 1048576)},
       2097408,
       {{0, 0}, {1, 1048576}, {2, 0}, {3, 1048832}}},
      {"P15: no rounding",
       {A(0, 100), A(1, 60), F(0), A(2, 99), A(3, 1)},
       160,
       {{0, 0}, {1, 100}, {2, 0}, {3, 99}}},
      {"P16: two buffers for a chain",
       {A(1, 4096), A(2, 4096), F(1), A(3, 4096), F(2), A(4, 4096), F(3)},
       8192,
       {{1, 0}, {2, 4096}, {3, 0}, {4, 4096}}},
      {"P17: a growing chain",
       {A(1, 256), A(2, 512), F(1), A(3, 1024), F(2), A(4, 2048), F(3),
        A(5, 4096), F(4)},
       7936,
       {{1, 0}, {2, 256}, {3, 768}, {4, 1792}, {5, 3840}}},
      {"P18: residual",
       {A(0, 1024), A(1, 4096), A(2, 4096), F(1), A(3, 1024), F(2), F(0),
        A(4, 1024), F(3)},
       9216,
       {{0, 0}, {1, 1024}, {2, 5120}, {3, 1024}, {4, 0}}},
      {"P19: not optimal (max live bytes 1280)",
       {A(0, 512), A(1, 256), F(0), A(2, 256), A(3, 768)},
       1536,
       {{0, 0}, {1, 512}, {2, 0}, {3, 768}}},
      {"P20: empty", {}, 0, {}},
      {"P20: all zero", {A(0, 0), A(1, 0)}, 0, {{0, 0}, {1, 0}}},
  };
  for (const PolicyCase& c : cases) {
    const auto result = ReplayTrace(c.ops);
    ASSERT_TRUE(result.ok()) << c.name << ": " << result.status();
    EXPECT_EQ(result->arena_size, c.arena_size) << c.name;
    EXPECT_EQ(LastOffsets(c.ops, *result), c.offsets) << c.name;
    EXPECT_EQ(ReplayWithList(c.ops), *result) << c.name;
  }
}

TEST(ReplayTrace, RefusesWhatDoesNotFit) {
  constexpr int64_t kHalf = int64_t{1} << 62;
  EXPECT_THAT(ReplayTrace({A(0, 1), A(1, -1)}).status().message(),
              HasSubstr("trace op 1: size -1 is negative"));
  EXPECT_THAT(ReplayTrace({A(0, kHalf), A(1, kHalf)}).status().message(),
              HasSubstr("trace op 1: the arena would not fit 64 bits"));
  EXPECT_TRUE(ReplayTrace({A(0, kHalf), F(0), A(1, kHalf)}).ok());
}

std::vector<TraceOp> OpsFromJson(const nlohmann::json& ops) {
  std::vector<TraceOp> result;
  for (const auto& op : ops) {
    result.push_back(op[0] == "a" ? A(op[1], op[2]) : F(op[1]));
  }
  return result;
}

std::vector<nlohmann::json> JsonLines(const std::string& text) {
  std::vector<nlohmann::json> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) result.push_back(nlohmann::json::parse(line));
  }
  return result;
}

TEST(ReplayTrace, EqualsOnnxRuntimeOnRandomTraces) {
  MEMPLAN_SHARED_OR_SKIP(text, "cases/ort/random.jsonl");
  int traces = 0;
  for (const nlohmann::json& trace : JsonLines(text)) {
    const std::vector<TraceOp> ops = OpsFromJson(trace["ops"]);
    const auto result = ReplayTrace(ops);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->arena_size, trace["peak"]) << trace["seed"];
    std::map<int64_t, int64_t> expected;
    for (const auto& [id, block] : trace["offsets"].items()) {
      expected[std::stoll(id)] = block[0];
    }
    EXPECT_EQ(LastOffsets(ops, *result), expected) << trace["seed"];
    ++traces;
  }
  EXPECT_EQ(traces, 300);
}

TEST(ReplayTrace, EqualsTheBlockOfEveryRealTrace) {
  MEMPLAN_SHARED_OR_SKIP(text, "cases/ort/model-traces.jsonl");
  int traces = 0;
  for (const nlohmann::json& trace : JsonLines(text)) {
    const auto result = ReplayTrace(OpsFromJson(trace["ops"]));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->arena_size, trace["upstream_planner_peak"])
        << trace["model"];
    ++traces;
  }
  EXPECT_EQ(traces, 28);
}

std::vector<TraceOp> RandomTrace(std::mt19937_64& random, int num_ops) {
  const auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  const int64_t unit = below(3) == 0 ? 1 : 256;
  const int64_t units = 1 + below(40);
  const int64_t ids = 1 + below(300);
  const int64_t frees = 30 + below(30);  // percent
  std::vector<TraceOp> ops;
  std::vector<int64_t> live;
  for (int i = 0; i < num_ops; ++i) {
    if (below(100) >= frees) {
      live.push_back(below(ids));
      ops.push_back(A(live.back(), unit * below(units)));
    } else if (live.empty() || below(50) == 0) {
      ops.push_back(F(below(ids)));  // may not be live
    } else {
      std::swap(live[below(static_cast<int64_t>(live.size()))], live.back());
      ops.push_back(F(live.back()));
      live.pop_back();
    }
  }
  return ops;
}

TEST(ReplayTrace, EqualsTheListOnManyRandomTraces) {
  std::mt19937_64 random(1);
  int64_t ops_in_all = 0;
  for (int length = 20; ops_in_all < 2'000'000;
       length = length < 2000 ? length * 2 : 20) {
    const std::vector<TraceOp> ops =
        RandomTrace(random, std::min(length, 2000));
    const auto result = ReplayTrace(ops);
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(*result, ReplayWithList(ops)) << "after " << ops_in_all << " ops";
    ops_in_all += static_cast<int64_t>(ops.size());
  }
}

TEST(SolveReplay, FreesBeforeItAllocatesAtAStep) {
  //   4 |     +-----+       buffer 1 begins when 0 ends: it may have its bytes
  //     +-----+  1  |
  //   0 |  0  |-----+
  const Problem problem = {{Buffer{4, {0, 2}}, Buffer{4, {2, 4}}}};
  EXPECT_EQ(SolveReplay(problem), (Solution{{0, 0}, 4}));
}

TEST(SolveReplay, RoundsToTheAlignmentAndGoesAroundFixedBuffers) {
  const Problem problem = {{Buffer{10, {0, 4}, 8}, Buffer{10, {0, 4}, 12},
                            Buffer{3, {2, 3}, 1, 25}}};
  const Solution solution = SolveReplay(problem);
  EXPECT_EQ(WhatIsWrong(problem, solution), "");
}

}  // namespace
}  // namespace memplan
