// Values from the operators' node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

TEST(ImageRules, GridsGiveTheSpatialDimensions) {
  EXPECT_EQ(OneNode("GridSample", 16)
                .Input(Float({1, 3, 4, 4}))
                .Input(Float({1, 6, 7, 2}))
                .Run()
                .ToString(),
            "float32[1, 3, 6, 7]");
  EXPECT_EQ(OneNode("GridSample", 20)
                .Input(Float({1, 3, 4, 4, 4}))
                .Input(Float({1, 6, 7, 8, 3}))
                .Run()
                .ToString(),
            "float32[1, 3, 6, 7, 8]");
  EXPECT_EQ(OneNode("AffineGrid", 20)
                .Input(Float({2, 2, 3}))
                .Ints({2, 3, 5, 6})
                .Run()
                .ToString(),
            "float32[2, 5, 6, 2]");
  EXPECT_EQ(OneNode("AffineGrid", 20)
                .Input(Float({2, 3, 4}))
                .Ints({2, 3, 4, 5, 6})
                .Run()
                .ToString(),
            "float32[2, 4, 5, 6, 3]");
}

TEST(ImageRules, ADecodedImageHasItsChannels) {
  EXPECT_EQ(OneNode("ImageDecoder", 20)
                .Attr("pixel_format", std::string("Grayscale"))
                .Input(Type::Tensor(ElementType::kUint8, Shape{100}))
                .Run()
                .ToString(),
            "uint8[?, ?, 1]");
}

}  // namespace
}  // namespace memplan
