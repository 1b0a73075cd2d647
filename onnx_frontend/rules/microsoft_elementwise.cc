#include <optional>

#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Operators whose outputs have the shape of an input.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

// The mask, where asked for, has a truth value an element.
absl::Status WithBoolMask(NodeContext& node) {
  SetLike(node, 0, 0);
  node.SetTensor(1, ElementType::kBool, ShapeOf(node, 0));
  return absl::OkStatus();
}

// The mask has a bit an element, in words of 32.
absl::Status WithBitMask(NodeContext& node) {
  SetLike(node, 0, 0);
  const Shape* shape = node.shape(0);
  const Dim words =
      shape == nullptr ? Dim::Unknown() : CeilDiv(NumElements(*shape), 32);
  node.SetTensor(1, ElementType::kUint32, Shape{words});
  return absl::OkStatus();
}

absl::Status MurmurHash3(NodeContext& node) {
  const bool positive = node.Int("positive", 1) == 1;
  node.SetTensor(0, positive ? ElementType::kUint32 : ElementType::kInt32,
                 ShapeOf(node, 0));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "BiasAdd", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.BiasAdd"},
    {"com.microsoft", "BiasGelu", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.BiasGelu"},
    {"com.microsoft", "BiasSoftmax", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.BiasSoftmax"},
    {"com.microsoft", "FastGelu", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.FastGelu"},
    {"com.microsoft", "GatedAdd", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.GatedAdd"},
    {"com.microsoft", "Gelu", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.Gelu"},
    {"com.microsoft", "Inverse", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.Inverse"},
    {"com.microsoft", "MoE", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.MoE"},
    {"com.microsoft", "NGramRepeatBlock", 1, EachLike<1>,
     "ContribOperators.md#com.microsoft.NGramRepeatBlock"},
    {"com.microsoft", "QMoE", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QMoE"},
    {"com.microsoft", "QOrderedGelu", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QOrderedGelu"},
    {"com.microsoft", "QuickGelu", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.QuickGelu"},
    {"com.microsoft", "SampleOp", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.SampleOp"},
    {"com.microsoft", "Trilu", 1, EachLike<0>,
     "ContribOperators.md#com.microsoft.Trilu"},
    {"com.microsoft", "BiasDropout", 1, WithBoolMask,
     "ContribOperators.md#com.microsoft.BiasDropout"},
    {"com.microsoft", "BitmaskBiasDropout", 1, WithBitMask,
     "ContribOperators.md#com.microsoft.BitmaskBiasDropout"},
    {"com.microsoft", "BitmaskDropout", 1, WithBitMask,
     "ContribOperators.md#com.microsoft.BitmaskDropout"},
    {"com.microsoft", "IsAllFinite", 1, ScalarAs<ElementType::kBool>,
     "ContribOperators.md#com.microsoft.IsAllFinite"},
    {"com.microsoft", "MurmurHash3", 1, MurmurHash3,
     "ContribOperators.md#com.microsoft.MurmurHash3"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftElementwiseRules() { return kRows; }

}  // namespace memplan
