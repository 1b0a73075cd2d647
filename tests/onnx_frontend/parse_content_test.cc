#include "onnx_frontend/parse_content.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;

std::string Refusal(ElementType element, const std::string& text) {
  const auto content = ParseContent(element, {text});
  EXPECT_TRUE(IsUsageError(content.status())) << text;
  return std::string(content.status().message());
}

TEST(ParseContent, ReadsIntegersAndBooleans) {
  const auto ints = ParseContent(ElementType::kInt8, {"-128", "0", "127"});
  ASSERT_TRUE(ints.ok()) << ints.status();
  EXPECT_THAT(ints->ints, ElementsAre(Dim(-128), Dim(0), Dim(127)));
  const auto bools =
      ParseContent(ElementType::kBool, {"true", "false", "1", "0"});
  ASSERT_TRUE(bools.ok()) << bools.status();
  EXPECT_THAT(bools->ints, ElementsAre(Dim(1), Dim(0), Dim(1), Dim(0)));
}

TEST(ParseContent, RoundsFloatsToTheirType) {
  const auto floats =
      ParseContent(ElementType::kFloat, {"0.5", "-2", "1e-3", "0.1", "-inf"});
  ASSERT_TRUE(floats.ok()) << floats.status();
  EXPECT_THAT(floats->floats,
              ElementsAre(0.5, -2.0, double{1e-3f}, double{0.1f}, -INFINITY));
  EXPECT_EQ(ParseContent(ElementType::kFloat16, {"0.1"})->floats[0],
            0.0999755859375);
}

TEST(ParseContent, SaysWhatAnElementIsNot) {
  EXPECT_EQ(Refusal(ElementType::kInt64, "2.5"), "'2.5' is no integer");
  EXPECT_EQ(Refusal(ElementType::kInt64, "1e3"), "'1e3' is no integer");
  EXPECT_EQ(Refusal(ElementType::kInt64, "-"), "'-' is no integer");
  EXPECT_EQ(Refusal(ElementType::kInt32, "true"), "'true' is no integer");
  EXPECT_EQ(Refusal(ElementType::kFloat, "half"), "'half' is no number");
  EXPECT_EQ(Refusal(ElementType::kBool, "2"),
            "'2' is no boolean: true, false, 1 or 0");
}

TEST(ParseContent, SaysWhatAnElementCannotHold) {
  EXPECT_EQ(Refusal(ElementType::kUint8, "256"),
            "'256' is out of range for uint8");
  EXPECT_EQ(Refusal(ElementType::kUint32, "-1"),
            "'-1' is out of range for uint32");
  EXPECT_EQ(Refusal(ElementType::kInt4, "8"), "'8' is out of range for int4");
  EXPECT_EQ(Refusal(ElementType::kInt64, "9223372036854775808"),
            "'9223372036854775808' is out of range for int64");
  EXPECT_EQ(Refusal(ElementType::kFloat16, "70000"),
            "'70000' is out of range for float16");
  EXPECT_EQ(Refusal(ElementType::kFloat, "1e39"),
            "'1e39' is out of range for float32");
}

TEST(ParseContent, TheUpperHalfOfUint64IsNotComputedWith) {
  const auto content =
      ParseContent(ElementType::kUint64, {"18446744073709551615", "7"});
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_TRUE(content->ints[0].is_unknown());
  EXPECT_EQ(content->ints[1], Dim(7));
}

}  // namespace
}  // namespace memplan
