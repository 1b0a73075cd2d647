#include "planner/nearest_name.h"

#include "gtest/gtest.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

TEST(NearestName, FindsTheNameWithASlip) {
  EXPECT_EQ(NearestName("bacth", {"seq", "batch", "heads"}), "batch");
  EXPECT_EQ(NearestName("Batch", {"seq", "batch"}), "batch");
  EXPECT_EQ(NearestName("input_id", {"mask", "input_ids"}), "input_ids");
}

TEST(NearestName, OfEqualsTakesTheFirst) {
  EXPECT_EQ(NearestName("x2", {"x0", "x1"}), "x0");
}

TEST(NearestName, ClaimsNothingWhereAllAreFar) {
  EXPECT_EQ(NearestName("logits", {"batch", "seq"}), std::nullopt);
  EXPECT_EQ(NearestName("N", {"x"}), std::nullopt);
  EXPECT_EQ(NearestName("x", {}), std::nullopt);
  EXPECT_EQ(NearestName("", {"ab"}), std::nullopt);
}

TEST(NearestName, LongNamesAreComparedByTheirBegin) {
  const std::string longest(100'000, 'a');
  EXPECT_EQ(NearestName(longest + "b", {longest}), longest);
}

TEST(NameHint, NamesTheNearestElseSomeElseNone) {
  EXPECT_EQ(NameHint("bacth", {"batch"}), "; did you mean 'batch'?");
  EXPECT_EQ(NameHint("logits", {"batch", "seq"}),
            "; there are: 'batch', 'seq'");
  EXPECT_EQ(NameHint("logits", {"batch"}), "; there is only 'batch'");
  EXPECT_EQ(NameHint("logits", {}), "; there are none");
}

TEST(UsageError, IsToldFromAFaultOfTheModel) {
  EXPECT_TRUE(IsUsageError(UsageError("no input 'x'")));
  EXPECT_FALSE(IsUsageError(absl::InvalidArgumentError("no input 'x'")));
  EXPECT_FALSE(IsUsageError(absl::OkStatus()));
}

}  // namespace
}  // namespace memplan
