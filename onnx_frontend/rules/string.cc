#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Strings: not placed, but some outputs are numbers.
// https://github.com/onnx/onnx/blob/main/docs/Operators.md

// Each string becomes a row as long as the longest, and a count.
absl::Status StringSplit(NodeContext& node) {
  std::optional<Shape> pieces = ShapeOf(node, 0);
  if (pieces.has_value()) {
    pieces->push_back(node.DataDependentDim("pieces", Dim::Unknown()));
  }
  node.SetTensor(0, ElementType::kString, std::move(pieces));
  node.SetTensor(1, ElementType::kInt64, ShapeOf(node, 0));
  return absl::OkStatus();
}

// [C] or [1, C]: stop words are left out.
absl::Status StringNormalizer(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {1, 2}); !s.ok()) return s;
  SetLike(node, 0, 0);
  const auto stop_words = node.Strings("stopwords");
  if (stop_words.has_value() && !stop_words->empty()) {
    // Where no word is left, an empty one stands for all.
    node.SetTensor(0, ElementType::kString,
                   WithLastDim(node, 0,
                               node.DataDependentDim(
                                   "words", Max(DimOf(node, 0, -1), 1))));
  }
  return absl::OkStatus();
}

// [C] -> [grams], [N, C] -> [N, grams]: one past the largest output index.
absl::Status TfIdfVectorizer(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {1, 2}); !s.ok()) return s;
  const std::vector<int64_t> indexes =
      node.Ints("ngram_indexes").value_or(std::vector<int64_t>());
  const auto largest = std::max_element(indexes.begin(), indexes.end());
  const Dim grams = largest == indexes.end() || *largest < 0
                        ? Dim::Unknown()
                        : Dim(*largest) + 1;
  node.SetTensor(0, ElementType::kFloat, WithLastDim(node, 0, grams));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "RegexFullMatch", 20, SameShapeBool, "Operators.md#RegexFullMatch"},
    {"", "StringConcat", 20, Broadcast, "Operators.md#StringConcat"},
    {"", "StringNormalizer", 10, StringNormalizer,
     "Operators.md#StringNormalizer"},
    {"", "StringSplit", 20, StringSplit, "Operators.md#StringSplit"},
    {"", "TfIdfVectorizer", 9, TfIdfVectorizer, "Operators.md#TfIdfVectorizer"},
};

}  // namespace

absl::Span<const RuleRow> StringRules() { return kRows; }

}  // namespace memplan
