// Strings, operators that releases took out, training, and other tools'
// domains.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Integers = std::vector<int64_t>;

Type Strings(Shape shape) {
  return Type::Tensor(ElementType::kString, std::move(shape));
}

TEST(StringTest, CountsAreTensorsThoughStringsAreNot) {
  EXPECT_EQ(OneNode("StringSplit", 20)
                .Outputs(2)
                .Input(Strings({3}))
                .Run()
                .ToString(),
            "string[3, pieces(out1)]; int64[3]");
  EXPECT_EQ(OneNode("RegexFullMatch", 20).Input(Strings({3})).Run().ToString(),
            "bool[3]");
}

TEST(StringTest, NGramsAreNumberedByAttribute) {
  EXPECT_EQ(OneNode("TfIdfVectorizer", 9)
                .Attr("ngram_indexes", Integers{0, 6, 2})
                .Input(Int64({5, 12}))
                .Run()
                .ToString(),
            "float32[5, 7]");
}

TEST(StringTest, StopWordsAreLeftOut) {
  EXPECT_EQ(
      OneNode("StringNormalizer", 10).Input(Strings({3})).Run().ToString(),
      "string[3]");
  EXPECT_EQ(OneNode("StringNormalizer", 10)
                .Attr("stopwords", std::vector<std::string>{"a"})
                .Input(Strings({3}))
                .Run()
                .ToString(),
            "string[words(out0)]");
}

TEST(RemovedTest, FillsByAttributeInputOrContent) {
  EXPECT_EQ(OneNode("ConstantFill", 1)
                .Attr("shape", Integers{2, 3})
                .Attr("dtype", int64_t{6})
                .Run()
                .ToString(),
            "int32[2, 3]");
  EXPECT_EQ(OneNode("ConstantFill", 1)
                .Attr("extra_shape", Integers{5})
                .Input(Float({2, 3}))
                .Run()
                .ToString(),
            "float32[2, 3, 5]");
  EXPECT_EQ(OneNode("ConstantFill", 1)
                .Attr("input_as_shape", int64_t{1})
                .Ints({4, 4})
                .Run()
                .ToString(),
            "float32[4, 4]");
}

TEST(RemovedTest, CropsBordersOrToAScale) {
  const auto crop = [] {
    return OneNode("Crop", 1)
        .Attr("border", Integers{1, 2, 3, 4})
        .Input(Float({1, 3, 20, 30}));
  };
  EXPECT_EQ(crop().Run().ToString(), "float32[1, 3, 14, 26]");
  EXPECT_EQ(crop().Attr("scale", Integers{5, 6}).Run().ToString(),
            "float32[1, 3, 5, 6]");
}

TEST(PreviewTrainingTest, OptimizersStepTensorsInGroups) {
  EXPECT_EQ(OneNode("Adam", 1, "ai.onnx.preview.training")
                .Outputs(6)
                .Input(Float({}))
                .Input(Int64({}))
                .Input(Float({2}))
                .Input(Float({3}))
                .Input(Float({2}))
                .Input(Float({3}))
                .Input(Float({2}))
                .Input(Float({3}))
                .Input(Float({2}))
                .Input(Float({3}))
                .Run()
                .ToString(),
            "float32[2]; float32[3]; float32[2]; float32[3]; float32[2]; "
            "float32[3]");
  EXPECT_EQ(OneNode("Gradient", 1, "ai.onnx.preview.training")
                .Outputs(2)
                .Attr("xs", std::vector<std::string>{"a", "b"})
                .Input(Float({2}))
                .Input(Float({3}))
                .Run()
                .ToString(),
            "float32[2]; float32[3]");
}

TEST(ExtensionsTest, WhatIsKnowable) {
  const auto extension = [](std::string_view op) {
    return OneNode(op, 1, "ai.onnx.contrib");
  };
  EXPECT_EQ(extension("StringToVector")
                .Attr("map", std::string("a\t0 0 1 2\nb\t0 1 2 3"))
                .Input(Strings({3}))
                .Run()
                .ToString(),
            "int64[3, 4]");
  EXPECT_EQ(extension("GPT2Tokenizer")
                .Outputs(2)
                .Attr("padding_length", int64_t{16})
                .Input(Strings({3}))
                .Run()
                .ToString(),
            "int64[3, 16]; int64[3, 16]");
  EXPECT_EQ(extension("BertTokenizer")
                .Outputs(2)
                .Input(Strings({1}))
                .Run()
                .ToString(),
            "int64[tokens(out1)]; int64[tokens(out1)]");
  EXPECT_EQ(
      extension("NegPos").Outputs(2).Input(Float({3, 4})).Run().ToString(),
      "float32[3, 4]; float32[3, 4]");
}

TEST(PluginTest, DetectionsAreAsManyAsAnAttributeAllows) {
  EXPECT_EQ(OneNode("EfficientNMS_TRT", 1, "trt.plugins")
                .Outputs(4)
                .Attr("max_output_boxes", int64_t{100})
                .Input(Float({2, 500, 4}))
                .Run()
                .ToString(),
            "int32[2, 1]; float32[2, 100, 4]; float32[2, 100]; int32[2, 100]");
}

}  // namespace
}  // namespace memplan
