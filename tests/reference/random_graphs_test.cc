// Models run inside the planned arena give, bit for bit, what they give with
// every value in bytes of its own.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/reference/compare.h"
#include "tests/reference/random_model.h"

namespace memplan::reference {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kGraphsPerShard = 125;
#else
constexpr uint64_t kGraphsPerShard = 1250;
#endif

// One graph of so many is planned by every solver in every order and with every
// way to share; the others by a solver for each order and way, in turn.
constexpr uint64_t kGraphsPerWhole = 40;

std::vector<PlanOptions> WaysToPlan(uint64_t seed) {
  const std::vector<std::string> solvers = SolverNames();
  const bool is_whole = seed % kGraphsPerWhole == 0;
  std::vector<PlanOptions> ways;
  size_t turn = seed;
  for (PlanOptions way : SharingModes()) {
    way.solve.effort = 2000;
    for (size_t i = 0; i < (is_whole ? solvers.size() : 1); ++i) {
      way.solve.solver = solvers[turn++ % solvers.size()];
      ways.push_back(way);
    }
  }
  return ways;
}

class RandomGraphsTest : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomGraphsTest, RunTheSameInTheArena) {
  const uint64_t first = GetParam() * kGraphsPerShard;
  uint64_t compared = 0;
  for (uint64_t seed = first; seed < first + kGraphsPerShard; ++seed) {
    const std::string text = RandomModel(seed);
    const auto model = ReadModelFromBytes(text, "random.onnxtxt");
    ASSERT_TRUE(model.ok()) << model.status() << "\nseed " << seed << "\n"
                            << text;
    const auto reference = RunWithoutReuse(*model, {}, seed);
    ASSERT_TRUE(reference.ok())
        << reference.status() << "\nseed " << seed << "\n"
        << text;
    for (const PlanOptions& options : WaysToPlan(seed)) {
      const std::string about =
          absl::StrCat("seed ", seed, ", ", Describe(options), "\n", text);
      const auto plan = PlanModel(*model, options);
      ASSERT_TRUE(plan.ok()) << plan.status() << "\n" << about;
      const absl::Status status = Compare(*reference, LayoutOf(*plan));
      ASSERT_TRUE(status.ok()) << status << "\n" << about;
      ++compared;
    }
  }
  EXPECT_GE(compared, kGraphsPerShard * SharingModes().size());
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomGraphsTest,
                         testing::Range<uint64_t>(0, 8));

}  // namespace
}  // namespace memplan::reference
