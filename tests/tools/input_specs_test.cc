#include "tools/input_specs.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NamedShape Shape(const char* text) {
  const auto shape = ParseInputShape(text);
  EXPECT_TRUE(shape.ok()) << text << ": " << shape.status();
  return shape.ok() ? *shape : NamedShape{};
}

TEST(ParseInputShape, TakesEverySpelling) {
  const NamedShape expected{"x", {"1", "3", "224", "224"}};
  EXPECT_EQ(Shape("x:1,3,224,224"), expected);
  EXPECT_EQ(Shape("x:[1,3,224,224]"), expected);
  EXPECT_EQ(Shape("x:[1, 3, 224, 224]"), expected);
  EXPECT_EQ(Shape("x:(1,3,224,224)"), expected);
  EXPECT_EQ(Shape("x:1x3x224x224"), expected);
}

TEST(ParseInputShape, ABareShapeIsForTheOnlyInput) {
  const NamedShape expected{"", {"1", "3"}};
  EXPECT_EQ(Shape("1,3"), expected);
  EXPECT_EQ(Shape("1x3"), expected);
  EXPECT_EQ(Shape("[1,3]"), expected);
  EXPECT_EQ(Shape("8"), (NamedShape{"", {"8"}}));
}

TEST(ParseInputShape, SplitsANameWithColonsAtTheLastOne) {
  EXPECT_EQ(Shape("serving:x:0:1,3"), (NamedShape{"serving:x:0", {"1", "3"}}));
  EXPECT_EQ(Shape("a,b:0:[2]"), (NamedShape{"a,b:0", {"2"}}));
}

TEST(ParseInputShape, LeavesDimensionsToTheModel) {
  EXPECT_EQ(Shape("x:-1,3"), (NamedShape{"x", {"-1", "3"}}));
  EXPECT_EQ(Shape("x:?,3"), (NamedShape{"x", {"-1", "3"}}));
  EXPECT_EQ(Shape("x:batch,max_len"), (NamedShape{"x", {"batch", "max_len"}}));
}

TEST(ParseInputShape, AScalarIsAnEmptyList) {
  EXPECT_EQ(Shape("x:[]"), (NamedShape{"x", {}}));
  EXPECT_FALSE(ParseInputShape("x:").ok());
}

TEST(ParseInputShape, ADimensionMayBeZero) {
  EXPECT_EQ(Shape("x:0,4"), (NamedShape{"x", {"0", "4"}}));
}

TEST(ParseInputShape, RefusesWhatIsNoShape) {
  for (const char* text : {"", "x", ":1,2", "x:1,,2", "x:1,-2", "x:1,2,"}) {
    const auto shape = ParseInputShape(text);
    ASSERT_FALSE(shape.ok()) << text;
    EXPECT_TRUE(IsUsageError(shape.status())) << text;
    EXPECT_THAT(std::string(shape.status().message()),
                HasSubstr("expected NAME:1,3,224,224"));
  }
}

TEST(ParseInputShapes, TakesListsAsOtherToolsDo) {
  const NamedShape a{"a", {"1", "3"}};
  const NamedShape b{"b", {"2", "2"}};
  for (const char* text : {"a:1x3,b:2x2", "a:1x3, b:2x2", "a:1,3,b:2,2",
                           "a:1,3;b:2,2", "a:[1,3] b:[2,2]", "a:[1,3],b:[2,2]",
                           "a:[1, 3], b:[2, 2]", " a:1,3 ; b:2,2 "}) {
    const auto shapes = ParseInputShapes(text);
    ASSERT_TRUE(shapes.ok()) << text << ": " << shapes.status();
    EXPECT_THAT(*shapes, ElementsAre(a, b)) << text;
  }
}

TEST(ParseInputShapes, OneShapeIsAListToo) {
  EXPECT_THAT(*ParseInputShapes("1x3"),
              ElementsAre(NamedShape{"", {"1", "3"}}));
  EXPECT_FALSE(ParseInputShapes("").ok());
  EXPECT_FALSE(ParseInputShapes("a:1x3;b").ok());
}

TEST(ParseDim, SplitsAtTheLastSign) {
  EXPECT_EQ(*ParseDim("batch=8"), NamedNumber("batch", 8));
  EXPECT_EQ(*ParseDim("batch:8"), NamedNumber("batch", 8));
  EXPECT_EQ(*ParseDim("a=b=0"), NamedNumber("a=b", 0));
  EXPECT_EQ(*ParseDim("past + 1 = 3"), NamedNumber("past + 1", 3));
}

TEST(ParseDim, RefusesWhatIsNoSize) {
  for (const char* text : {"batch", "batch=", "=8", "batch=x", "batch=-1",
                           "batch=99999999999999999999", "batch=1.5"}) {
    ASSERT_FALSE(ParseDim(text).ok()) << text;
    EXPECT_TRUE(IsUsageError(ParseDim(text).status())) << text;
  }
}

TEST(ParseInputValue, TakesAListBehindTheName) {
  EXPECT_EQ(*ParseInputValue("shape:1,-1,8"),
            (NamedContent{"shape", {"1", "-1", "8"}}));
  EXPECT_EQ(*ParseInputValue("x:0:[7]"), (NamedContent{"x:0", {"7"}}));
  EXPECT_EQ(*ParseInputValue("s:2x3"), (NamedContent{"s", {"2", "3"}}));
  EXPECT_EQ(*ParseInputValue("c:true,false"),
            (NamedContent{"c", {"true", "false"}}));
  EXPECT_EQ(*ParseInputValue("scales:1, 0.5"),
            (NamedContent{"scales", {"1", "0.5"}}));
  EXPECT_EQ(*ParseInputValue("c:[]"), (NamedContent{"c", {}}));
  EXPECT_FALSE(ParseInputValue("c:").ok());
  EXPECT_FALSE(ParseInputValue("c:1,,2").ok());
  EXPECT_FALSE(ParseInputValue("1,2").ok());
}

TEST(ParseBound, TakesAShapeBehindTheTensor) {
  EXPECT_EQ(*ParseBound("boxes=100,4"), (NamedNumbers{"boxes", {100, 4}}));
  EXPECT_EQ(*ParseBound("boxes=100x4"), (NamedNumbers{"boxes", {100, 4}}));
  EXPECT_EQ(*ParseBound("boxes:[100,4]"), (NamedNumbers{"boxes", {100, 4}}));
  EXPECT_FALSE(ParseBound("boxes=-1,4").ok());
  EXPECT_FALSE(ParseBound("100,4").ok());
}

TEST(ParseBytes, KnowsUnits) {
  EXPECT_EQ(*ParseBytes("65536"), 65536);
  EXPECT_EQ(*ParseBytes("64KiB"), 65536);
  EXPECT_EQ(*ParseBytes("64k"), 65536);
  EXPECT_EQ(*ParseBytes("1.5M"), 1572864);
  EXPECT_EQ(*ParseBytes("2 GiB"), 2147483648);
  EXPECT_EQ(*ParseBytes("2MB"), 2000000);
  EXPECT_EQ(*ParseBytes("9223372036854775807"), INT64_MAX);
}

TEST(ParseBytes, RefusesTheRest) {
  for (const char* text : {"", "-1", "1.5", "k", "1q", "1e3", "99999999999G",
                           "9223372036854775808"}) {
    EXPECT_FALSE(ParseBytes(text).ok()) << text;
  }
}

}  // namespace
}  // namespace memplan
