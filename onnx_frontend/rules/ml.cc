#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Classical machine learning. Most operators take [C] for one sample, or
// [N, C].
// https://github.com/onnx/onnx/blob/main/docs/Operators-ml.md

// Samples: N, or 1 where the input is one sample.
Dim BatchOf(const NodeContext& node) {
  const Shape* shape = node.shape(0);
  if (shape == nullptr) return Dim::Unknown();
  return shape->size() <= 1 ? Dim(1) : (*shape)[0];
}

size_t CountStrings(const NodeContext& node, std::string_view name) {
  const std::optional<std::vector<std::string>> strings = node.Strings(name);
  return strings.has_value() ? strings->size() : 0;
}

size_t CountInts(const NodeContext& node, std::string_view name) {
  const std::optional<std::vector<int64_t>> ints = node.Ints(name);
  return ints.has_value() ? ints->size() : 0;
}

// The labels of a classifier, in `strings` or `ints`.
struct Labels {
  ElementType element = ElementType::kInt64;
  size_t count = 0;
};

Labels LabelsIn(const NodeContext& node, std::string_view strings,
                std::string_view ints) {
  const size_t count = CountStrings(node, strings);
  if (count > 0) return {ElementType::kString, count};
  return {ElementType::kInt64, CountInts(node, ints)};
}

// Labels [N] and scores [N, classes].
absl::Status SetClassified(NodeContext& node, ElementType label,
                           const Dim& scores) {
  const Dim batch = BatchOf(node);
  node.SetTensor(0, label, Shape{batch});
  node.SetTensor(1, ElementType::kFloat, Shape{batch, scores});
  return absl::OkStatus();
}

Dim KnownCount(size_t count) {
  return count > 0 ? Dim(static_cast<int64_t>(count)) : Dim::Unknown();
}

// One class with two labels has a score for each.
absl::Status LinearClassifier(NodeContext& node) {
  const Labels labels =
      LabelsIn(node, "classlabels_strings", "classlabels_ints");
  const std::optional<std::vector<float>> intercepts =
      node.Floats("intercepts");
  size_t classes = intercepts.has_value() ? intercepts->size() : 0;
  if (classes == 0 || (classes == 1 && labels.count == 2)) {
    classes = labels.count;
  }
  return SetClassified(node, labels.element, KnownCount(classes));
}

// With support vectors but without probabilities the scores are of each pair of
// classes.
absl::Status SvmClassifier(NodeContext& node) {
  const Labels labels =
      LabelsIn(node, "classlabels_strings", "classlabels_ints");
  const std::vector<int64_t> vectors =
      node.Ints("vectors_per_class").value_or(std::vector<int64_t>());
  const bool has_vectors = std::any_of(vectors.begin(), vectors.end(),
                                       [](int64_t count) { return count > 0; });
  const bool has_probabilities =
      !node.Floats("prob_a").value_or(std::vector<float>()).empty();
  const Dim classes = KnownCount(labels.count);
  if (!has_vectors || has_probabilities) {
    return SetClassified(node, labels.element, classes);
  }
  return SetClassified(
      node, labels.element,
      labels.count > 2 ? FloorDiv(classes * (classes - 1), 2) : Dim(2));
}

absl::Status TreeEnsembleClassifier(NodeContext& node) {
  const Labels labels =
      LabelsIn(node, "classlabels_strings", "classlabels_int64s");
  return SetClassified(node, labels.element, KnownCount(labels.count));
}

// Scores [N, targets].
absl::Status SetTargets(NodeContext& node, const Dim& targets) {
  node.SetTensor(0, ElementType::kFloat, Shape{BatchOf(node), targets});
  return absl::OkStatus();
}

absl::Status LinearRegressor(NodeContext& node) {
  return SetTargets(
      node, node.HasAttribute("targets") ? CountAttribute(node, "targets") : 1);
}

absl::Status SvmRegressor(NodeContext& node) { return SetTargets(node, 1); }

absl::Status TreeEnsembleRegressor(NodeContext& node) {
  return SetTargets(node, CountAttribute(node, "n_targets"));
}

absl::Status TreeEnsemble(NodeContext& node) {
  SetShaped(node, 0, 0,
            Shape{BatchOf(node), CountAttribute(node, "n_targets")});
  return absl::OkStatus();
}

// One sample gives [1, indices]; else the last dimension is chosen from.
absl::Status ArrayFeatureExtractor(NodeContext& node) {
  const Shape* indices = node.shape(1);
  const Dim count = indices == nullptr ? Dim::Unknown() : NumElements(*indices);
  const Shape* shape = node.shape(0);
  if (shape != nullptr && shape->size() == 1) {
    SetShaped(node, 0, 0, Shape{1, count});
  } else {
    SetShaped(node, 0, 0, WithLastDim(node, 0, count));
  }
  return absl::OkStatus();
}

// Strings become integers and integers strings.
absl::Status CategoryMapper(NodeContext& node) {
  const ElementType from = node.element(0);
  ElementType to = ElementType::kUndefined;
  if (from == ElementType::kString) to = ElementType::kInt64;
  if (from == ElementType::kInt64) to = ElementType::kString;
  node.SetTensor(0, to, ShapeOf(node, 0));
  return absl::OkStatus();
}

absl::Status LabelEncoder1(NodeContext& node) { return CategoryMapper(node); }

// The values' attribute says the type: from opset 4 on maybe a tensor.
absl::Status LabelEncoder(NodeContext& node) {
  ElementType element = ElementType::kUndefined;
  if (const TensorAttribute* values = node.Tensor("values_tensor");
      values != nullptr) {
    element = values->type.element;
  } else if (node.HasAttribute("values_strings")) {
    element = ElementType::kString;
  } else if (node.HasAttribute("values_int64s")) {
    element = ElementType::kInt64;
  } else if (node.HasAttribute("values_floats")) {
    element = ElementType::kFloat;
  }
  node.SetTensor(0, element, ShapeOf(node, 0));
  return absl::OkStatus();
}

absl::Status OneHotEncoder(NodeContext& node) {
  const Labels categories = LabelsIn(node, "cats_strings", "cats_int64s");
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) shape->push_back(KnownCount(categories.count));
  node.SetTensor(0, ElementType::kFloat, std::move(shape));
  return absl::OkStatus();
}

// Concatenates vectors; `inputdimensions` gives their lengths.
absl::Status FeatureVectorizer(NodeContext& node) {
  Dim total = 0;
  if (const auto lengths = node.Ints("inputdimensions"); lengths.has_value()) {
    for (const int64_t length : *lengths) total = total + length;
  } else {
    for (size_t i = 0; i < node.num_inputs(); ++i) {
      total = total + DimOf(node, i, -1);
    }
  }
  return SetTargets(node, total);
}

// What a map holds: the type of its values.
ElementType MapValueElement(const NodeContext& node) {
  const Type& input = node.input(0);
  if (input.kind != Type::Kind::kMap || input.inner == nullptr) {
    return ElementType::kUndefined;
  }
  return input.inner->element;
}

absl::Status DictVectorizer(NodeContext& node) {
  const Labels vocabulary =
      LabelsIn(node, "string_vocabulary", "int64_vocabulary");
  node.SetTensor(0, MapValueElement(node),
                 Shape{1, KnownCount(vocabulary.count)});
  return absl::OkStatus();
}

absl::Status CastMap(NodeContext& node) {
  const std::string to = node.String("cast_to", "TO_FLOAT");
  ElementType element = ElementType::kFloat;
  if (to == "TO_STRING") element = ElementType::kString;
  if (to == "TO_INT64") element = ElementType::kInt64;
  Dim length;
  if (node.String("map_form", "DENSE") == "SPARSE") {
    length = CountAttribute(node, "max_map");
  } else {
    node.SetUnknown(0, "shape depends on the number of entries in the map");
  }
  node.SetTensor(0, element, Shape{1, length});
  return absl::OkStatus();
}

// A sequence of maps from label to score, one a sample.
absl::Status ZipMap(NodeContext& node) {
  const Labels labels =
      LabelsIn(node, "classlabels_strings", "classlabels_int64s");
  node.SetOutput(
      0, Type::Sequence(Type::Map(labels.element,
                                  Type::Tensor(ElementType::kFloat, Shape()))));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"ai.onnx.ml", "ArrayFeatureExtractor", 1, ArrayFeatureExtractor,
     "Operators-ml.md#ai.onnx.ml.ArrayFeatureExtractor"},
    {"ai.onnx.ml", "Binarizer", 1, EachLike<0>,
     "Operators-ml.md#ai.onnx.ml.Binarizer"},
    {"ai.onnx.ml", "CastMap", 1, CastMap, "Operators-ml.md#ai.onnx.ml.CastMap"},
    {"ai.onnx.ml", "CategoryMapper", 1, CategoryMapper,
     "Operators-ml.md#ai.onnx.ml.CategoryMapper"},
    {"ai.onnx.ml", "DictVectorizer", 1, DictVectorizer,
     "Operators-ml.md#ai.onnx.ml.DictVectorizer"},
    {"ai.onnx.ml", "FeatureVectorizer", 1, FeatureVectorizer,
     "Operators-ml.md#ai.onnx.ml.FeatureVectorizer"},
    {"ai.onnx.ml", "Imputer", 1, EachLike<0>,
     "Operators-ml.md#ai.onnx.ml.Imputer"},
    {"ai.onnx.ml", "LabelEncoder", 1, LabelEncoder1,
     "Changelog-ml.md#ai.onnx.ml.LabelEncoder-1"},
    {"ai.onnx.ml", "LabelEncoder", 2, LabelEncoder,
     "Operators-ml.md#ai.onnx.ml.LabelEncoder"},
    {"ai.onnx.ml", "LinearClassifier", 1, LinearClassifier,
     "Operators-ml.md#ai.onnx.ml.LinearClassifier"},
    {"ai.onnx.ml", "LinearRegressor", 1, LinearRegressor,
     "Operators-ml.md#ai.onnx.ml.LinearRegressor"},
    {"ai.onnx.ml", "Normalizer", 1, ShapeOfFirstAs<ElementType::kFloat>,
     "Operators-ml.md#ai.onnx.ml.Normalizer"},
    {"ai.onnx.ml", "OneHotEncoder", 1, OneHotEncoder,
     "Operators-ml.md#ai.onnx.ml.OneHotEncoder"},
    {"ai.onnx.ml", "SVMClassifier", 1, SvmClassifier,
     "Operators-ml.md#ai.onnx.ml.SVMClassifier"},
    {"ai.onnx.ml", "SVMRegressor", 1, SvmRegressor,
     "Operators-ml.md#ai.onnx.ml.SVMRegressor"},
    {"ai.onnx.ml", "Scaler", 1, ShapeOfFirstAs<ElementType::kFloat>,
     "Operators-ml.md#ai.onnx.ml.Scaler"},
    {"ai.onnx.ml", "TreeEnsemble", 5, TreeEnsemble,
     "Operators-ml.md#ai.onnx.ml.TreeEnsemble"},
    {"ai.onnx.ml", "TreeEnsembleClassifier", 1, TreeEnsembleClassifier,
     "Operators-ml.md#ai.onnx.ml.TreeEnsembleClassifier"},
    {"ai.onnx.ml", "TreeEnsembleRegressor", 1, TreeEnsembleRegressor,
     "Operators-ml.md#ai.onnx.ml.TreeEnsembleRegressor"},
    {"ai.onnx.ml", "ZipMap", 1, ZipMap, "Operators-ml.md#ai.onnx.ml.ZipMap"},
};

}  // namespace

absl::Span<const RuleRow> MachineLearningRules() { return kRows; }

}  // namespace memplan
