#ifndef MEMPLAN_ONNX_FRONTEND_RULES_RULE_PARTS_H_
#define MEMPLAN_ONNX_FRONTEND_RULES_RULE_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "onnx_frontend/node_context.h"

namespace memplan {

// The small steps that rules are made of: reading a dimension that may not be
// there, and setting an output from an input.

// The input's dimension `axis`, from the end where negative; unknown where the
// input, its shape or the axis is missing.
Dim DimOf(const NodeContext& node, size_t input, int64_t axis);

// A copy of the input's shape; unset where not even its rank is known.
std::optional<Shape> ShapeOf(const NodeContext& node, size_t input);

// An attribute that counts something (heads, groups): unknown where it is
// absent or not positive.
Dim CountAttribute(const NodeContext& node, std::string_view name);

// An error where the input's rank is known and is none of `ranks`.
absl::Status ExpectRank(const NodeContext& node, size_t input,
                        std::initializer_list<size_t> ranks);

// Gives an output the input's type, as far as it is known.
void SetLike(NodeContext& node, size_t output, size_t input);

// The same element type with another shape.
void SetShaped(NodeContext& node, size_t output, size_t input,
               std::optional<Shape> shape);

// The input's shape with another last dimension; unset where its rank is
// unknown or 0.
std::optional<Shape> WithLastDim(const NodeContext& node, size_t input,
                                 const Dim& last);

// A rule: output i has the type of input kInputs[i].
template <size_t... kInputs>
absl::Status EachLike(NodeContext& node) {
  size_t output = 0;
  (SetLike(node, output++, kInputs), ...);
  return absl::OkStatus();
}

// A rule: output i has the type of input i + kFirst, for as many outputs as
// there are.
template <size_t kFirst>
absl::Status AllLikeFrom(NodeContext& node) {
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    SetLike(node, i, i + kFirst);
  }
  return absl::OkStatus();
}

// A rule: every output has the first input's type.
absl::Status AllLikeFirst(NodeContext& node);

// A rule: every output has the first input's shape and this element type.
template <ElementType kElement>
absl::Status ShapeOfFirstAs(NodeContext& node) {
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    node.SetTensor(i, kElement, ShapeOf(node, 0));
  }
  return absl::OkStatus();
}

// A rule: every output is one element of this type, rank 0.
template <ElementType kElement>
absl::Status ScalarAs(NodeContext& node) {
  for (size_t i = 0; i < node.num_outputs(); ++i) {
    node.SetTensor(i, kElement, Shape());
  }
  return absl::OkStatus();
}

// A rule: every output is a tensor of this element type; its shape is not
// specified.
template <ElementType kElement>
absl::Status UnshapedAs(NodeContext& node) {
  for (size_t i = 0; i < node.num_outputs(); ++i)
    node.SetTensor(i, kElement, std::nullopt);
  return absl::OkStatus();
}

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULES_RULE_PARTS_H_
