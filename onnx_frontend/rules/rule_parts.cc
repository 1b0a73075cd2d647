#include "onnx_frontend/rules/rule_parts.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace memplan {

Dim DimOf(const NodeContext& node, size_t input, int64_t axis) {
  const Shape* shape = node.shape(input);
  if (shape == nullptr) return Dim::Unknown();
  const auto rank = static_cast<int64_t>(shape->size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return Dim::Unknown();
  return (*shape)[static_cast<size_t>(axis)];
}

std::optional<Shape> ShapeOf(const NodeContext& node, size_t input) {
  const Shape* shape = node.shape(input);
  if (shape == nullptr) return std::nullopt;
  return *shape;
}

Dim CountAttribute(const NodeContext& node, std::string_view name) {
  const int64_t count = node.Int(name, 0);
  return count > 0 ? Dim(count) : Dim::Unknown();
}

absl::Status ExpectRank(const NodeContext& node, size_t input,
                        std::initializer_list<size_t> ranks) {
  const Shape* shape = node.shape(input);
  if (shape == nullptr) return absl::OkStatus();
  if (std::find(ranks.begin(), ranks.end(), shape->size()) != ranks.end()) {
    return absl::OkStatus();
  }
  return node.Error(absl::StrCat("input '", node.InputName(input), "' is ",
                                 ToString(*shape), ", of rank ", shape->size(),
                                 "; the operator takes rank ",
                                 absl::StrJoin(ranks, " or ")));
}

void SetLike(NodeContext& node, size_t output, size_t input) {
  node.SetOutput(output, node.input(input));
}

void SetShaped(NodeContext& node, size_t output, size_t input,
               std::optional<Shape> shape) {
  node.SetTensor(output, node.element(input), std::move(shape));
}

std::optional<Shape> WithLastDim(const NodeContext& node, size_t input,
                                 const Dim& last) {
  std::optional<Shape> shape = ShapeOf(node, input);
  if (!shape.has_value() || shape->empty()) return std::nullopt;
  shape->back() = last;
  return shape;
}

absl::Status AllLikeFirst(NodeContext& node) {
  for (size_t i = 0; i < node.num_outputs(); ++i) SetLike(node, i, 0);
  return absl::OkStatus();
}

}  // namespace memplan
