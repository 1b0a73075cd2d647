// The order for memory of irregularly wired cells, after the benchmark of Ahn
// et al., "Ordering Chaos" (MLSys 2020); docs/orders.md has all figures.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "models/generate/wired.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"

namespace memplan::models {
namespace {

OrderResult OrderOf(const std::string& bytes, InPlaceMode in_place) {
  const auto model = ReadModelFromBytes(bytes, "generated.onnx");
  EXPECT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.order = OrderKind::kMemory;
  options.alignment = options.storage.alignment = 1;
  options.storage.in_place = in_place;
  options.solve.solver = "greedy";
  const auto plan = PlanModel(*model, options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *plan->order;
}

// Six tensors of 48 channels at 28x28 at once. The file runs one branch after
// the other, which cannot be bettered.
TEST(WiredNetworksTest, DartsNormalCell) {
  const OrderResult order = OrderOf(DartsNormalCell(), InPlaceMode::kViews);
  EXPECT_EQ(order.file_max_live_bytes, 6 * 48 * 28 * 28 * 4);
  EXPECT_EQ(order.max_live_bytes, 6 * 48 * 28 * 28 * 4);
  EXPECT_TRUE(order.proved_minimal);
}

TEST(WiredNetworksTest, RandWireStagesAreProvedMinimalAndBelowTheFile) {
  // In halves of a tensor of 78 channels at 16x16.
  constexpr int64_t kHalf = 39 * 16 * 16 * 4;
  constexpr int64_t kFile[] = {36, 34, 42};
  constexpr int64_t kOurs[] = {30, 31, 28};
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const OrderResult order = OrderOf(
        RandWireStage(Wiring::kWattsStrogatz, seed), InPlaceMode::kViews);
    EXPECT_TRUE(order.proved_minimal) << seed;
    EXPECT_EQ(order.file_max_live_bytes, kFile[seed - 1] * kHalf) << seed;
    EXPECT_EQ(order.max_live_bytes, kOurs[seed - 1] * kHalf) << seed;
  }
}

TEST(WiredNetworksTest, AreNeverAboveTheFile) {
  for (const std::string& bytes :
       {RandWireStage(Wiring::kErdosRenyi, 1),
        RandWireStage(Wiring::kBarabasiAlbert, 1), SwiftNetLikeCell(3)}) {
    const OrderResult order = OrderOf(bytes, InPlaceMode::kSafe);
    EXPECT_LT(order.max_live_bytes, order.file_max_live_bytes);
    EXPECT_TRUE(order.proved_minimal);
  }
}

}  // namespace
}  // namespace memplan::models
