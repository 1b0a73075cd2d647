// Operators that move all elements and lose none.

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

absl::Status Transpose(NodeContext& node) {
  const Shape* input = node.shape(0);
  const std::optional<std::vector<int64_t>> perm = node.Ints("perm");
  std::optional<Shape> result;
  if (input != nullptr && perm.has_value() && !perm->empty()) {
    const absl::StatusOr<std::vector<size_t>> order =
        ResolveAxes(node, *perm, input->size());
    if (!order.ok()) return order.status();
    if (order->size() != input->size()) {
      return node.Error(absl::StrCat("perm has ", perm->size(),
                                     " numbers for an input of shape ",
                                     ToString(*input)));
    }
    result.emplace();
    for (const size_t axis : *order) result->push_back((*input)[axis]);
  } else if (input != nullptr) {
    result = Shape(input->rbegin(), input->rend());
  } else if (perm.has_value() && !perm->empty()) {
    result = UnknownShape(perm->size());
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// [N, C, H, W] with blocks of b x b moved from channels into the plane, or
// back.
absl::Status MoveBlocks(NodeContext& node, bool into_plane) {
  const int64_t block = node.Int("blocksize", 0);
  if (block < 1) return node.Error(absl::StrCat("blocksize is ", block));
  Shape result = UnknownShape(4);
  const Shape* input = node.shape(0);
  if (input != nullptr) {
    if (input->size() != 4) {
      return node.Error(absl::StrCat("an input of shape ", ToString(*input),
                                     "; it wants 4 dimensions"));
    }
    const Dim area = Dim(block) * Dim(block);
    const Shape& from = *input;
    if (into_plane) {
      result = {from[0], FloorDiv(from[1], area), from[2] * block,
                from[3] * block};
    } else {
      result = {from[0], from[1] * area, FloorDiv(from[2], block),
                FloorDiv(from[3], block)};
    }
    const Dim before = NumElements(from);
    const Dim after = NumElements(result);
    if (before.is_number() && after.is_number() && !before.Equals(after)) {
      return node.Error(absl::StrCat("an input of shape ", ToString(from),
                                     " has no blocks of ", block));
    }
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

absl::Status DepthToSpace(NodeContext& node) { return MoveBlocks(node, true); }
absl::Status SpaceToDepth(NodeContext& node) { return MoveBlocks(node, false); }

constexpr RuleRow kRows[] = {
    {"", "DepthToSpace", 1, DepthToSpace, "Operators.md#DepthToSpace"},
    {"", "SpaceToDepth", 1, SpaceToDepth, "Operators.md#SpaceToDepth"},
    {"", "Transpose", 1, Transpose, "Operators.md#Transpose"},
};

}  // namespace

absl::Span<const RuleRow> TransposeRules() { return kRows; }

}  // namespace memplan
