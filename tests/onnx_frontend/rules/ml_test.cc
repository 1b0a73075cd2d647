#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

using Strings = std::vector<std::string>;
using Integers = std::vector<int64_t>;

OneNode Ml(std::string_view op, int64_t opset = 1) {
  return {op, opset, "ai.onnx.ml"};
}

Type StringMap(ElementType value) {
  return Type::Map(ElementType::kString, Type::Tensor(value, Shape()));
}

TEST(MachineLearningTest, ClassifiersGiveLabelsAndScores) {
  EXPECT_EQ(Ml("LinearClassifier")
                .Outputs(2)
                .Attr("classlabels_ints", Integers{0, 1, 2})
                .Attr("intercepts", std::vector<float>{0, 0, 0})
                .Input(Float({Dim::Symbol("N"), 4}))
                .Run()
                .ToString(),
            "int64[N]; float32[N, 3]");
  // One class with two labels; one sample.
  EXPECT_EQ(Ml("LinearClassifier")
                .Outputs(2)
                .Attr("classlabels_strings", Strings{"no", "yes"})
                .Attr("intercepts", std::vector<float>{0})
                .Input(Float({4}))
                .Run()
                .ToString(),
            "string[1]; float32[1, 2]");
  EXPECT_EQ(Ml("TreeEnsembleClassifier", 3)
                .Outputs(2)
                .Attr("classlabels_int64s", Integers{0, 1})
                .Input(Float({5, 4}))
                .Run()
                .ToString(),
            "int64[5]; float32[5, 2]");
}

TEST(MachineLearningTest, SupportVectorsScoreEachPairOfClasses) {
  const auto classifier = [] {
    return Ml("SVMClassifier")
        .Outputs(2)
        .Attr("classlabels_ints", Integers{0, 1, 2, 3})
        .Input(Float({5, 4}));
  };
  EXPECT_EQ(classifier().Run().ToString(), "int64[5]; float32[5, 4]");
  EXPECT_EQ(classifier()
                .Attr("vectors_per_class", Integers{1, 1, 1, 1})
                .Run()
                .ToString(),
            "int64[5]; float32[5, 6]");
  EXPECT_EQ(classifier()
                .Attr("vectors_per_class", Integers{1, 1, 1, 1})
                .Attr("prob_a", std::vector<float>{1})
                .Run()
                .ToString(),
            "int64[5]; float32[5, 4]");
}

TEST(MachineLearningTest, RegressorsGiveTargets) {
  EXPECT_EQ(Ml("LinearRegressor")
                .Attr("targets", int64_t{2})
                .Input(Float({5, 4}))
                .Run()
                .ToString(),
            "float32[5, 2]");
  EXPECT_EQ(Ml("SVMRegressor").Input(Float({5, 4})).Run().ToString(),
            "float32[5, 1]");
  EXPECT_EQ(Ml("TreeEnsembleRegressor")
                .Attr("n_targets", int64_t{3})
                .Input(Float({4}))
                .Run()
                .ToString(),
            "float32[1, 3]");
  EXPECT_EQ(Ml("TreeEnsemble", 5)
                .Attr("n_targets", int64_t{3})
                .Input(Type::Tensor(ElementType::kDouble, Shape{5, 4}))
                .Run()
                .ToString(),
            "float64[5, 3]");
}

TEST(MachineLearningTest, EncodersAndExtractors) {
  EXPECT_EQ(Ml("OneHotEncoder")
                .Attr("cats_strings", Strings{"a", "b"})
                .Input(Type::Tensor(ElementType::kString, Shape{5, 1}))
                .Run()
                .ToString(),
            "float32[5, 1, 2]");
  EXPECT_EQ(Ml("LabelEncoder", 2)
                .Attr("values_floats", std::vector<float>{1})
                .Input(Int64({5}))
                .Run()
                .ToString(),
            "float32[5]");
  EXPECT_EQ(Ml("LabelEncoder", 1).Input(Int64({5})).Run().ToString(),
            "string[5]");
  EXPECT_EQ(Ml("ArrayFeatureExtractor")
                .Input(Float({5, 4}))
                .Input(Int64({2}))
                .Run()
                .ToString(),
            "float32[5, 2]");
  EXPECT_EQ(Ml("ArrayFeatureExtractor")
                .Input(Float({4}))
                .Input(Int64({2}))
                .Run()
                .ToString(),
            "float32[1, 2]");
  EXPECT_EQ(Ml("FeatureVectorizer")
                .Attr("inputdimensions", Integers{2, 3})
                .Input(Int64({5, 2}))
                .Input(Int64({5, 3}))
                .Run()
                .ToString(),
            "float32[5, 5]");
}

TEST(MachineLearningTest, MapsComeAndGo) {
  EXPECT_EQ(Ml("DictVectorizer")
                .Attr("string_vocabulary", Strings{"a", "b", "c"})
                .Input(StringMap(ElementType::kFloat))
                .Run()
                .ToString(),
            "float32[1, 3]");
  EXPECT_EQ(Ml("CastMap")
                .Attr("map_form", std::string("SPARSE"))
                .Attr("max_map", int64_t{7})
                .Input(StringMap(ElementType::kFloat))
                .Run()
                .ToString(),
            "float32[1, 7]");
  EXPECT_EQ(Ml("ZipMap")
                .Attr("classlabels_strings", Strings{"a"})
                .Input(Float({5, 1}))
                .Run()
                .ToString(),
            "sequence(map(string, float32[]))");
}

}  // namespace
}  // namespace memplan
