#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// ONNX Runtime Extensions: tokenizers, strings, images and sound around a
// model. Most lengths are known only when it runs.
// https://github.com/microsoft/onnxruntime-extensions/blob/main/docs/custom_ops.md

constexpr std::string_view kSource =
    "onnxruntime-extensions/docs/custom_ops.md";

// A vector whose length is known only when it runs; the same for equal `what`.
Shape Vector(NodeContext& node, std::string_view what) {
  return {node.DataDependentDim(what, Dim::Unknown())};
}

// All outputs are vectors of one length.
template <ElementType... kElements>
absl::Status TokenVectors(NodeContext& node) {
  const Shape tokens = Vector(node, "tokens");
  size_t output = 0;
  (node.SetTensor(output++, kElements, tokens), ...);
  return absl::OkStatus();
}

// input_ids, token_type_ids, attention_mask of [n], and offsets [n, 2]. For the
// Hugging Face variant the first three are [1, n].
template <bool kBatched>
absl::Status BertTokenizer(NodeContext& node) {
  const Dim tokens = node.DataDependentDim("tokens", Dim::Unknown());
  for (size_t i = 0; i < 3; ++i) {
    node.SetTensor(i, ElementType::kInt64,
                   kBatched ? Shape{1, tokens} : Shape{tokens});
  }
  node.SetTensor(3, ElementType::kInt64, Shape{tokens, 2});
  return absl::OkStatus();
}

// input_ids and attention_mask [texts..., n], offsets [texts..., n, 2]; n is an
// attribute or as long as the longest.
absl::Status BpeTokenizer(NodeContext& node) {
  std::optional<Shape> ids = ShapeOf(node, 0);
  if (ids.has_value()) {
    const Dim padded = CountAttribute(node, "padding_length");
    ids->push_back(padded.is_unknown()
                       ? node.DataDependentDim("tokens", Dim::Unknown())
                       : padded);
  }
  node.SetTensor(0, ElementType::kInt64, ids);
  node.SetTensor(1, ElementType::kInt64, ids);
  if (ids.has_value()) ids->push_back(2);
  node.SetTensor(2, ElementType::kInt64, std::move(ids));
  return absl::OkStatus();
}

// Tokens in a row, where each text's begin, and where each token came from.
absl::Status SentencepieceTokenizer(NodeContext& node) {
  const Shape tokens = Vector(node, "tokens");
  node.SetTensor(0, ElementType::kInt32, tokens);
  node.SetTensor(1, ElementType::kInt64, Vector(node, "texts"));
  node.SetTensor(2, ElementType::kInt32, tokens);
  return absl::OkStatus();
}

// Tokens, row lengths, and where rows begin and end.
absl::Status WordpieceTokenizer(NodeContext& node) {
  const Dim rows = node.DataDependentDim("rows", Dim::Unknown());
  node.SetTensor(0, ElementType::kString, Vector(node, "tokens"));
  node.SetTensor(1, ElementType::kInt64, Shape{rows + 1});
  node.SetTensor(2, ElementType::kInt64, Shape{rows});
  node.SetTensor(3, ElementType::kInt64, Shape{rows});
  return absl::OkStatus();
}

// With indices [n, 2], a text for each; else one.
absl::Status BertTokenizerDecoder(NodeContext& node) {
  const bool indexed = node.Int("use_indices", 0) != 0;
  node.SetTensor(0, ElementType::kString,
                 Shape{indexed ? DimOf(node, 1, 0) : Dim(1)});
  return absl::OkStatus();
}

// ids [texts..., n] -> texts; [1] where there is one.
absl::Status BpeDecoder(NodeContext& node) {
  std::optional<Shape> texts = ShapeOf(node, 0);
  if (texts.has_value() && texts->size() > 1) {
    texts->pop_back();
  } else if (texts.has_value()) {
    texts = Shape{1};
  }
  node.SetTensor(0, ElementType::kString, std::move(texts));
  return absl::OkStatus();
}

absl::Status OneString(NodeContext& node) {
  node.SetTensor(0, ElementType::kString, Shape{1});
  return absl::OkStatus();
}

// A line of attribute `map` is "string\tnumber number...": how many numbers
// stand in the first.
Dim MappedLength(const NodeContext& node) {
  const std::string map = node.String("map", "");
  const std::string line = map.substr(0, map.find('\n'));
  const size_t tab = line.find('\t');
  if (tab == std::string::npos) return Dim::Unknown();
  int64_t count = 0;
  bool in_number = false;
  for (const char c : line.substr(tab + 1)) {
    const bool separates = c == ' ' || c == '\r';
    if (!separates && !in_number) ++count;
    in_number = !separates;
  }
  return count > 0 ? Dim(count) : Dim::Unknown();
}

absl::Status StringToVector(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) shape->push_back(MappedLength(node));
  node.SetTensor(0, ElementType::kInt64, std::move(shape));
  return absl::OkStatus();
}

// The last dimension is looked up; a vector where one number is a key stays
// one.
absl::Status VectorToString(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value() &&
      !(shape->size() <= 1 && MappedLength(node).Equals(1))) {
    if (shape->empty()) return node.Error("the input is a scalar");
    shape->pop_back();
  }
  node.SetTensor(0, ElementType::kString, std::move(shape));
  return absl::OkStatus();
}

// Joins along the axis in input 2; a vector gives one string.
absl::Status StringJoin(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  const std::optional<int64_t> given = ScalarOf(node, 2);
  if (shape.has_value() && shape->size() <= 1) {
    shape = Shape{1};
  } else if (shape.has_value() && given.has_value()) {
    absl::StatusOr<size_t> axis = ResolveAxis(node, *given, shape->size());
    if (!axis.ok()) return axis.status();
    shape->erase(shape->begin() + static_cast<int64_t>(*axis));
  } else if (shape.has_value()) {
    shape = UnknownShape(shape->size() - 1);
    DependsOnContents(node, 0, 2);
  }
  node.SetTensor(0, ElementType::kString, std::move(shape));
  return absl::OkStatus();
}

// Where each word stands [n, 2], the words [n], and the table's shape [2].
absl::Status StringSplit(NodeContext& node) {
  const Dim words = node.DataDependentDim("words", Dim::Unknown());
  node.SetTensor(0, ElementType::kInt64, Shape{words, 2});
  node.SetTensor(1, ElementType::kString, Shape{words});
  node.SetTensor(2, ElementType::kInt64, Shape{2});
  return absl::OkStatus();
}

// Words, their begins and ends, and where each text's begin.
absl::Status StringSplitWithOffsets(NodeContext& node) {
  const Shape words = Vector(node, "words");
  node.SetTensor(0, ElementType::kString, words);
  node.SetTensor(1, ElementType::kInt64, words);
  node.SetTensor(2, ElementType::kInt64, words);
  node.SetTensor(3, ElementType::kInt64, Shape{DimOf(node, 0, 0) + 1});
  return absl::OkStatus();
}

absl::Status StringEqual(NodeContext& node) { return BroadcastToBool(node); }

absl::Status MaskedFill(NodeContext& node) {
  const Shape* mask = node.shape(1);
  node.SetTensor(
      0, node.element(0),
      Shape{node.DataDependentDim(
          "kept", mask == nullptr ? Dim::Unknown() : NumElements(*mask))});
  return absl::OkStatus();
}

// Segments [n, 2] and their values [n], of at most as many as elements.
absl::Status SegmentExtraction(NodeContext& node) {
  const Shape* shape = node.shape(0);
  const Dim segments = node.DataDependentDim(
      "segments", shape == nullptr ? Dim::Unknown() : NumElements(*shape));
  node.SetTensor(0, ElementType::kInt64, Shape{segments, 2});
  node.SetTensor(1, ElementType::kInt64, Shape{segments});
  return absl::OkStatus();
}

// The first dimension is one past the last segment's number.
absl::Status SegmentSum(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value() && !shape->empty()) {
    const TensorValue* segments = node.value(1);
    shape->front() = segments == nullptr || segments->ints.empty()
                         ? Dim::Unknown()
                         : segments->ints.back() + 1;
    if (segments == nullptr) DependsOnContents(node, 0, 1);
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

absl::Status SignalSegments(NodeContext& node) {
  node.SetTensor(0, ElementType::kInt64,
                 Shape{node.DataDependentDim("segments", Dim::Unknown()), 2});
  return absl::OkStatus();
}

// An image [H, W, 3] out of a file's bytes.
absl::Status DecodeImage(NodeContext& node) {
  node.SetTensor(0, ElementType::kUint8,
                 Shape{node.DataDependentDim("height", Dim::Unknown()),
                       node.DataDependentDim("width", Dim::Unknown()), 3});
  return absl::OkStatus();
}

absl::Status EncodeImage(NodeContext& node) {
  node.SetTensor(0, ElementType::kUint8, Vector(node, "bytes"));
  return absl::OkStatus();
}

// One channel of samples, and the rate.
absl::Status AudioDecoder(NodeContext& node) {
  node.SetTensor(0, ElementType::kFloat,
                 Shape{1, node.DataDependentDim("samples", Dim::Unknown())});
  node.SetTensor(1, ElementType::kInt64, Shape{1});
  return absl::OkStatus();
}

// Power of a signal [1, n]: [1, bins, frames]. Inputs: the signal, the bins
// before half of them is left out, the hop.
absl::Status StftNorm(NodeContext& node) {
  const Dim bins = ScalarDim(node, 1);
  node.SetTensor(
      0, ElementType::kFloat,
      Shape{1, node.Int("onesided", 1) != 0 ? FloorDiv(bins, 2) + 1 : bins,
            node.DataDependentDim("frames", DimOf(node, 0, 1))});
  return absl::OkStatus();
}

template <ElementType kElement>
absl::Status Transpose2DCast(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2}); !s.ok()) return s;
  node.SetTensor(0, kElement, Shape{DimOf(node, 0, 1), DimOf(node, 0, 0)});
  return absl::OkStatus();
}

// A new tensor of the shape in input 0.
absl::Status ScatterNdOfShape(NodeContext& node) {
  node.SetTensor(0, node.element(2), DimsOf(node, 0));
  if (node.value(0) == nullptr) DependsOnContents(node, 0, 0);
  return absl::OkStatus();
}

// Operands that share one: A + B and A + C.
absl::Status SharedInput(NodeContext& node) {
  for (size_t i = 0; i < 2; ++i) {
    absl::StatusOr<std::optional<Shape>> shape =
        BroadcastInputs(node, {0, i + 1});
    if (!shape.ok()) return shape.status();
    node.SetTensor(i, node.element(0), *std::move(shape));
  }
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"ai.onnx.contrib", "AddSharedInput", 1, SharedInput, kSource},
    {"ai.onnx.contrib", "AudioDecoder", 1, AudioDecoder, kSource},
    {"ai.onnx.contrib", "BasicTokenizer", 1, TokenVectors<ElementType::kString>,
     kSource},
    {"ai.onnx.contrib", "BertTokenizer", 1, BertTokenizer<false>, kSource},
    {"ai.onnx.contrib", "BertTokenizerDecoder", 1, BertTokenizerDecoder,
     kSource},
    {"ai.onnx.contrib", "BlingFireSentenceBreaker", 1,
     TokenVectors<ElementType::kString>, kSource},
    {"ai.onnx.contrib", "BpeDecoder", 1, BpeDecoder, kSource},
    {"ai.onnx.contrib", "CLIPTokenizer", 1, BpeTokenizer, kSource},
    {"ai.onnx.contrib", "DecodeImage", 1, DecodeImage, kSource},
    {"ai.onnx.contrib", "DrawBoundingBoxes", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "EncodeImage", 1, EncodeImage, kSource},
    {"ai.onnx.contrib", "FastGelu", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "GPT2Tokenizer", 1, BpeTokenizer, kSource},
    {"ai.onnx.contrib", "GaussianBlur", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "HfBertTokenizer", 1, BertTokenizer<true>, kSource},
    {"ai.onnx.contrib", "HfJsonTokenizer", 1, BpeTokenizer, kSource},
    {"ai.onnx.contrib", "ImageDecoder", 1, DecodeImage, kSource},
    {"ai.onnx.contrib", "ImageReader", 1, DecodeImage, kSource},
    {"ai.onnx.contrib", "Inverse", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "MaskedFill", 1, MaskedFill, kSource},
    {"ai.onnx.contrib", "MaskedScatterNDOfShape", 1, ScatterNdOfShape, kSource},
    {"ai.onnx.contrib", "MergeSignalSegments", 1, SignalSegments, kSource},
    {"ai.onnx.contrib", "MulMulSigmoid", 1, Broadcast, kSource},
    {"ai.onnx.contrib", "MulSharedInput", 1, SharedInput, kSource},
    {"ai.onnx.contrib", "MulSigmoid", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "NegPos", 1, EachLike<0, 0>, kSource},
    {"ai.onnx.contrib", "NegXPlus1", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "ReplaceZero", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "RobertaTokenizer", 1, BpeTokenizer, kSource},
    {"ai.onnx.contrib", "ScatterNDOfShape", 1, ScatterNdOfShape, kSource},
    {"ai.onnx.contrib", "SegmentExtraction", 1, SegmentExtraction, kSource},
    {"ai.onnx.contrib", "SegmentSum", 1, SegmentSum, kSource},
    {"ai.onnx.contrib", "SentencepieceDecoder", 1, OneString, kSource},
    {"ai.onnx.contrib", "SentencepieceTokenizer", 1, SentencepieceTokenizer,
     kSource},
    {"ai.onnx.contrib", "SplitSignalSegments", 1, SignalSegments, kSource},
    {"ai.onnx.contrib", "SpmTokenizer", 1, BpeTokenizer, kSource},
    {"ai.onnx.contrib", "StftNorm", 1, StftNorm, kSource},
    {"ai.onnx.contrib", "StringConcat", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "StringECMARegexReplace", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "StringECMARegexSplitWithOffsets", 1,
     StringSplitWithOffsets, kSource},
    {"ai.onnx.contrib", "StringEqual", 1, StringEqual, kSource},
    {"ai.onnx.contrib", "StringJoin", 1, StringJoin, kSource},
    {"ai.onnx.contrib", "StringLength", 1, ShapeOfFirstAs<ElementType::kInt64>,
     kSource},
    {"ai.onnx.contrib", "StringLower", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "StringMapping", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "StringRegexReplace", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "StringRegexSplitWithOffsets", 1,
     StringSplitWithOffsets, kSource},
    {"ai.onnx.contrib", "StringSplit", 1, StringSplit, kSource},
    {"ai.onnx.contrib", "StringStrip", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "StringToHashBucket", 1,
     ShapeOfFirstAs<ElementType::kInt64>, kSource},
    {"ai.onnx.contrib", "StringToHashBucketFast", 1,
     ShapeOfFirstAs<ElementType::kInt64>, kSource},
    {"ai.onnx.contrib", "StringToVector", 1, StringToVector, kSource},
    {"ai.onnx.contrib", "StringUpper", 1, EachLike<0>, kSource},
    {"ai.onnx.contrib", "Transpose2DCastFP16", 1,
     Transpose2DCast<ElementType::kFloat16>, kSource},
    {"ai.onnx.contrib", "Transpose2DCastFP32", 1,
     Transpose2DCast<ElementType::kFloat>, kSource},
    {"ai.onnx.contrib", "VectorToString", 1, VectorToString, kSource},
    {"ai.onnx.contrib", "WordpieceTokenizer", 1, WordpieceTokenizer, kSource},
    {"com.microsoft.extensions", "DecodeImage", 1, DecodeImage, kSource},
    {"com.microsoft.extensions", "DrawBoundingBoxes", 1, EachLike<0>, kSource},
    {"com.microsoft.extensions", "EncodeImage", 1, EncodeImage, kSource},
};

}  // namespace

absl::Span<const RuleRow> ExtensionsRules() { return kRows; }

}  // namespace memplan
