#include "planner/numbers_text.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace memplan {
namespace {

TEST(Grouped, SetsACommaEveryThreeDigits) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(5619712), "5,619,712");
  EXPECT_EQ(Grouped(-123456), "-123,456");
  EXPECT_EQ(Grouped(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(HumanBytes, ShowsThreeDigits) {
  EXPECT_EQ(HumanBytes(0), "0 B");
  EXPECT_EQ(HumanBytes(1023), "1023 B");
  EXPECT_EQ(HumanBytes(1024), "1.00 KiB");
  EXPECT_EQ(HumanBytes(5619712), "5.36 MiB");
  EXPECT_EQ(HumanBytes(48444216), "46.2 MiB");
  EXPECT_EQ(HumanBytes(1048575), "1.00 MiB");
  EXPECT_EQ(HumanBytes(INT64_MAX), "8.00 EiB");
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(Counted(1, "tensor"), "1 tensor");
  EXPECT_EQ(Counted(0, "tensor"), "0 tensors");
  EXPECT_EQ(Counted(2048, "node"), "2,048 nodes");
}

TEST(Times, ShowsThreeDigits) {
  EXPECT_EQ(Times(3, 2), "1.50");
  EXPECT_EQ(Times(2560, 100), "25.6");
}

}  // namespace
}  // namespace memplan
