#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/delegate.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Operators that move, pick and search elements.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

// The rule of an operator of ai.onnx that took this one's place.
absl::Status GatherNd(NodeContext& node) {
  return RunRuleOf(node, "GatherND", 12);
}
absl::Status GridSample(NodeContext& node) {
  return RunRuleOf(node, "GridSample", 16);
}
absl::Status Range(NodeContext& node) { return RunRuleOf(node, "Range", 11); }
absl::Status Lstm(NodeContext& node) { return RunRuleOf(node, "LSTM", 14); }
absl::Status Gather(NodeContext& node) { return RunRuleOf(node, "Gather", 13); }

// The pads, begins and then ends, are in input 1: [2 * rank] or
// [1, 2 * rank].
absl::Status Pad(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  const TensorValue* pads = node.value(1);
  if (!shape.has_value()) {
    SetShaped(node, 0, 0, std::nullopt);
    return absl::OkStatus();
  }
  const size_t rank = shape->size();
  if (pads != nullptr && pads->ints.size() > 2 * rank) {
    return node.Error(absl::StrCat("a pad of ", pads->ints.size(),
                                   " elements for rank ", rank));
  }
  for (size_t i = 0; i < rank; ++i) {
    // Pads that are left out are 0.
    for (const size_t side : {i, i + rank}) {
      if (pads == nullptr) {
        (*shape)[i] = Dim::Unknown();
      } else if (side < pads->ints.size()) {
        (*shape)[i] = (*shape)[i] + pads->ints[side];
      }
    }
  }
  if (pads == nullptr) DependsOnContents(node, 0, 1);
  if (absl::Status s = CheckNotNegative(node, *shape); !s.ok()) return s;
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// Inserts a dimension of 1 at the axis in input 1.
absl::Status ExpandDims(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  const std::optional<int64_t> given = ScalarOf(node, 1);
  if (shape.has_value() && given.has_value()) {
    absl::StatusOr<size_t> axis = ResolveAxis(node, *given, shape->size() + 1);
    if (!axis.ok()) return axis.status();
    shape->insert(shape->begin() + static_cast<int64_t>(*axis), Dim(1));
  } else if (shape.has_value()) {
    shape = UnknownShape(shape->size() + 1);
    DependsOnContents(node, 0, 1);
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// x [n] -> the unique values, where each element's stands, and counts.
absl::Status Unique(NodeContext& node) {
  const Shape* shape = node.shape(0);
  const Dim values = node.DataDependentDim(
      "unique", shape == nullptr ? Dim::Unknown() : NumElements(*shape));
  SetShaped(node, 0, 0, Shape{values});
  node.SetTensor(1, ElementType::kInt64, ShapeOf(node, 0));
  node.SetTensor(2, ElementType::kInt64, Shape{values});
  return absl::OkStatus();
}

// A [m, n], B [k, n] -> distances [m, k].
absl::Status CDist(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, 1, {2}); !s.ok()) return s;
  SetShaped(node, 0, 0, Shape{DimOf(node, 0, 0), DimOf(node, 1, 0)});
  return absl::OkStatus();
}

// X [N, C, H, W], rois, batch indices [rois], and the crops' size in input 3.
absl::Status CropAndResize(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {4}); !s.ok()) return s;
  std::vector<Dim> size = DimsOf(node, 3).value_or(UnknownShape(2));
  if (size.size() != 2) return node.Error("the crops' size has not 2 elements");
  const Dim regions = DimOf(node, 2, 0);
  SetShaped(node, 0, 0,
            Shape{regions.is_unknown() ? DimOf(node, 1, 0) : regions,
                  DimOf(node, 0, 1), size[0], size[1]});
  return absl::OkStatus();
}

// Strings [C] or [N, C] -> tokens [..., most tokens of a string]. No string, no
// tokens: [0] or [N, 0].
absl::Status Tokenizer(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {1, 2}); !s.ok()) return s;
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value() && NumElements(*shape).Equals(0)) {
    shape->back() = 0;
  } else if (shape.has_value()) {
    shape->push_back(node.DataDependentDim("tokens", Dim::Unknown()));
  }
  node.SetTensor(0, ElementType::kString, std::move(shape));
  return absl::OkStatus();
}

// Sequence [words, characters], W [filters, 1, width, embedding] -> [words,
// filters].
absl::Status WordConvEmbedding(NodeContext& node) {
  node.SetTensor(0, node.element(1),
                 Shape{DimOf(node, 0, 0), DimOf(node, 1, 0)});
  return absl::OkStatus();
}

// Slices of `size` elements, `step` apart: a dimension of places, and at the
// end one of elements.
absl::Status UnfoldTensor(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  const int64_t size = node.Int("size", 0);
  const int64_t step = node.Int("step", 1);
  if (size <= 0 || step <= 0)
    return node.Error("size and step must be positive");
  if (shape.has_value()) {
    absl::StatusOr<size_t> axis =
        ResolveAxis(node, node.Int("dim", -1), shape->size());
    if (!axis.ok()) return axis.status();
    (*shape)[*axis] = FloorDiv((*shape)[*axis] - size, step) + 1;
    shape->push_back(size);
    if (absl::Status s = CheckNotNegative(node, *shape); !s.ok()) return s;
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// Costs [M, N] or [1, M, N] -> a path of at most M + N - 1 steps.
absl::Status DynamicTimeWarping(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 0, {2, 3}); !s.ok()) return s;
  const Dim longest = DimOf(node, 0, -2) + DimOf(node, 0, -1) - 1;
  node.SetTensor(0, ElementType::kInt32,
                 Shape{2, node.DataDependentDim("path", longest)});
  return absl::OkStatus();
}

// weight [rows, width], indices of any shape -> [indices..., width].
absl::Status TorchEmbedding(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 1);
  if (shape.has_value()) shape->push_back(DimOf(node, 0, 1));
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// The last dimension, of n real numbers, becomes n / 2 + 1 complex ones, each a
// pair; n where both sides are asked for.
absl::Status Rfft(NodeContext& node) {
  const Dim length = DimOf(node, 0, -1);
  std::optional<Shape> shape = WithLastDim(
      node, 0, node.Int("onesided", 1) != 0 ? FloorDiv(length, 2) + 1 : length);
  if (shape.has_value()) shape->push_back(2);
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

absl::Status Irfft(NodeContext& node) {
  std::optional<Shape> shape = ShapeOf(node, 0);
  if (shape.has_value()) {
    if (shape->size() < 2) return node.Error("the input's rank is below 2");
    shape->pop_back();
    if (node.Int("onesided", 1) != 0) shape->back() = (shape->back() - 1) * 2;
  }
  SetShaped(node, 0, 0, std::move(shape));
  return absl::OkStatus();
}

// current tokens [n], and where the prediction (input 3) is left off: at most
// all of its tokens are taken over.
absl::Status BifurcationDetector(NodeContext& node) {
  SetLike(node, 0, 1);
  SetLike(node, 1, 2);
  if (node.HasInput(3)) {
    SetShaped(node, 0, 1,
              Shape{node.DataDependentDim(
                  "tokens", DimOf(node, 1, 0) + DimOf(node, 3, 0))});
  }
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "AttnLSTM", 1, Lstm,
     "ContribOperators.md#com.microsoft.AttnLSTM"},
    {"com.microsoft", "BifurcationDetector", 1, BifurcationDetector,
     "ContribOperators.md#com.microsoft.BifurcationDetector"},
    {"com.microsoft", "CDist", 1, CDist,
     "ContribOperators.md#com.microsoft.CDist"},
    {"com.microsoft", "ComplexMul", 1, Broadcast,
     "ContribOperators.md#com.microsoft.ComplexMul"},
    {"com.microsoft", "ComplexMulConj", 1, Broadcast,
     "ContribOperators.md#com.microsoft.ComplexMulConj"},
    {"com.microsoft", "CropAndResize", 1, CropAndResize,
     "ContribOperators.md#com.microsoft.CropAndResize"},
    {"com.microsoft", "DynamicQuantizeLSTM", 1, Lstm,
     "ContribOperators.md#com.microsoft.DynamicQuantizeLSTM"},
    {"com.microsoft", "DynamicTimeWarping", 1, DynamicTimeWarping,
     "ContribOperators.md#com.microsoft.DynamicTimeWarping"},
    {"com.microsoft", "ExpandDims", 1, ExpandDims,
     "ContribOperators.md#com.microsoft.ExpandDims"},
    {"com.microsoft", "GatherND", 1, GatherNd,
     "ContribOperators.md#com.microsoft.GatherND"},
    {"com.microsoft", "GridSample", 1, GridSample,
     "ContribOperators.md#com.microsoft.GridSample"},
    {"com.microsoft", "Irfft", 1, Irfft,
     "ContribOperators.md#com.microsoft.Irfft"},
    {"com.microsoft", "Pad", 1, Pad, "ContribOperators.md#com.microsoft.Pad"},
    {"com.microsoft", "Range", 1, Range,
     "ContribOperators.md#com.microsoft.Range"},
    {"com.microsoft", "Rfft", 1, Rfft,
     "ContribOperators.md#com.microsoft.Rfft"},
    {"com.microsoft", "ShrunkenGather", 1, Gather,
     "onnxruntime/core/graph/contrib_ops/contrib_defs.cc"},
    {"com.microsoft", "Tokenizer", 1, Tokenizer,
     "ContribOperators.md#com.microsoft.Tokenizer"},
    {"com.microsoft", "TorchEmbedding", 1, TorchEmbedding,
     "ContribOperators.md#com.microsoft.TorchEmbedding"},
    {"com.microsoft", "UnfoldTensor", 1, UnfoldTensor,
     "ContribOperators.md#com.microsoft.UnfoldTensor"},
    {"com.microsoft", "Unique", 1, Unique,
     "ContribOperators.md#com.microsoft.Unique"},
    {"com.microsoft", "WordConvEmbedding", 1, WordConvEmbedding,
     "ContribOperators.md#com.microsoft.WordConvEmbedding"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftTensorRules() { return kRows; }

}  // namespace memplan
