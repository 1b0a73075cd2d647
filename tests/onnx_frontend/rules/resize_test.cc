// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Numbers = std::vector<int64_t>;

TensorValue Floats(std::vector<double> numbers) {
  TensorValue value;
  value.element = ElementType::kFloat;
  value.shape = {static_cast<int64_t>(numbers.size())};
  value.floats = std::move(numbers);
  return value;
}

TEST(ResizeRules, ScalesRoundDown) {
  EXPECT_EQ(OneNode("Resize", 13)
                .Input(Float({1, 1, 2, 4}))
                .Absent()
                .Known(Floats({1, 1, 0.6, 0.6}))
                .Run()
                .ToString(),
            "float32[1, 1, 1, 2]");
  EXPECT_EQ(OneNode("Resize", 10)
                .Input(Float({1, 1, 2, 2}))
                .Known(Floats({1, 1, 2, 3}))
                .Run()
                .ToString(),
            "float32[1, 1, 4, 6]");
  EXPECT_EQ(OneNode("Upsample", 7)
                .Attr("scales", std::vector<float>{1, 1, 2, 2.5})
                .Input(Float({1, 1, 2, 3}))
                .Run()
                .ToString(),
            "float32[1, 1, 4, 7]");
  EXPECT_EQ(OneNode("Upsample", 9)
                .Input(Float({1, 1, 2, 2}))
                .Known(Floats({1, 1, 2, 3}))
                .Run()
                .ToString(),
            "float32[1, 1, 4, 6]");
}

TEST(ResizeRules, SymbolsTakeScalesThatAreExact) {
  const Dim h = Dim::Symbol("h");
  EXPECT_EQ(OneNode("Resize", 11)
                .Input(Float({1, 3, h, 2 * h}))
                .Input(Float({0}))
                .Known(Floats({1, 1, 2, 0.5}))
                .Run()
                .ToString(),
            "float32[1, 3, 2*h, h]");
  EXPECT_EQ(OneNode("Resize", 11)
                .Input(Float({h}))
                .Input(Float({0}))
                .Known(Floats({1.1}))
                .Run()
                .ToString(),
            "float32[?]");
}

OneNode BySizes(Shape input, Numbers sizes) {
  return OneNode("Resize", 18)
      .Input(Float(std::move(input)))
      .Absent()
      .Absent()
      .Ints(std::move(sizes));
}

TEST(ResizeRules, SizesAreTaken) {
  EXPECT_EQ(BySizes({1, 1, 2, 4}, {1, 1, 7, 8}).Run().ToString(),
            "float32[1, 1, 7, 8]");
  EXPECT_EQ(OneNode("Resize", 11)
                .Input(Float({1, 1, 2, 4}))
                .Input(Float({0}))
                .Input(Float({0}))
                .Ints({1, 1, 7, 8})
                .Run()
                .ToString(),
            "float32[1, 1, 7, 8]");
}

TEST(ResizeRules, AxesSayWhichSizes) {
  EXPECT_EQ(BySizes({1, 1, 4, 4}, {3, 2})
                .Attr("axes", Numbers{3, 2})
                .Run()
                .ToString(),
            "float32[1, 1, 2, 3]");
  EXPECT_EQ(OneNode("Resize", 18)
                .Attr("axes", Numbers{2, 3})
                .Input(Float({1, 1, 2, 2}))
                .Absent()
                .Known(Floats({2, 3}))
                .Run()
                .ToString(),
            "float32[1, 1, 4, 6]");
}

TEST(ResizeRules, TheAspectRatioPolicyTakesOneScale) {
  EXPECT_EQ(BySizes({1, 1, 2, 2}, {7, 8})
                .Attr("axes", Numbers{2, 3})
                .Attr("keep_aspect_ratio_policy", std::string("not_larger"))
                .Run()
                .ToString(),
            "float32[1, 1, 7, 7]");
  EXPECT_EQ(BySizes({1, 1, 2, 2}, {7, 8})
                .Attr("axes", Numbers{2, 3})
                .Attr("keep_aspect_ratio_policy", std::string("not_smaller"))
                .Run()
                .ToString(),
            "float32[1, 1, 8, 8]");
  EXPECT_EQ(BySizes({1, 1, 2, 4}, {1, 3})
                .Attr("axes", Numbers{2, 3})
                .Attr("keep_aspect_ratio_policy", std::string("not_larger"))
                .Run()
                .ToString(),
            "float32[1, 1, 1, 2]");
  // Without axes, batch and channels count, too.
  EXPECT_EQ(BySizes({1, 3, 8, 8}, {1, 3, 16, 40})
                .Attr("keep_aspect_ratio_policy", std::string("not_larger"))
                .Run()
                .ToString(),
            "float32[1, 3, 8, 8]");
}

TEST(ResizeRules, UnknownSizesLeaveTheOtherAxes) {
  OneNode open("Resize", 18);
  open.Attr("axes", Numbers{2, 3})
      .Input(Float({1, 3, 8, 8}))
      .Absent()
      .Absent()
      .Input(Int64({2}))
      .Run();
  EXPECT_EQ(open.ToString(), "float32[1, 3, ?, ?]");
  EXPECT_EQ(open.UnknownReason(), "shape depends on the contents of 'in2'");
}

TEST(ResizeRules, NeitherScalesNorSizesIsAnError) {
  EXPECT_FALSE(
      OneNode("Resize", 13).Input(Float({1, 1, 2, 2})).Run().status().ok());
  EXPECT_FALSE(BySizes({1, 1, 2, 2}, {4, 4}).Run().status().ok());
}

}  // namespace
}  // namespace memplan
