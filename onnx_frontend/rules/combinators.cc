#include "onnx_frontend/rules/combinators.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// The most that an open dimension counts as: large, and small enough that a
// product of three does not overflow.
constexpr int64_t kLargestOpen = int64_t{1} << 20;

std::vector<size_t> AllInputs(const NodeContext& node) {
  std::vector<size_t> inputs(node.num_inputs());
  std::iota(inputs.begin(), inputs.end(), size_t{0});
  return inputs;
}

}  // namespace

std::optional<Dim> MergeDims(const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number() && a.number() != b.number()) {
    return std::nullopt;
  }
  if (a.is_number() || b.is_unknown()) return a;
  if (b.is_number() || a.is_unknown()) return b;
  return a;
}

std::optional<Dim> BroadcastDims(const Dim& a, const Dim& b) {
  if (a.Equals(b) || b.Equals(1)) return a;
  if (a.Equals(1)) return b;
  if (a.is_number() && b.is_number()) return std::nullopt;
  if (a.is_number()) return a;
  if (b.is_number()) return b;
  // Equal, or one of them is 1.
  return Max(a, b);
}

absl::StatusOr<Shape> BroadcastShapes(const NodeContext& node, const Shape& a,
                                      const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const size_t skipped = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const std::optional<Dim> dim =
        BroadcastDims(longer[skipped + i], shorter[i]);
    if (!dim.has_value()) {
      return node.Error(absl::StrCat("shapes ", ToString(a), " and ",
                                     ToString(b), " do not broadcast"));
    }
    result[skipped + i] = *dim;
  }
  return result;
}

absl::StatusOr<std::optional<Shape>> BroadcastInputs(
    const NodeContext& node, const std::vector<size_t>& inputs) {
  Shape result;
  bool complete = true;
  for (const size_t i : inputs) {
    if (!node.HasInput(i)) continue;
    const Shape* shape = node.shape(i);
    if (shape == nullptr) {
      complete = false;
      continue;
    }
    absl::StatusOr<Shape> both = BroadcastShapes(node, result, *shape);
    if (!both.ok()) return both.status();
    result = *std::move(both);
  }
  if (!complete) return std::optional<Shape>();
  return std::optional<Shape>(std::move(result));
}

absl::StatusOr<std::optional<Shape>> BroadcastAllInputs(
    const NodeContext& node) {
  return BroadcastInputs(node, AllInputs(node));
}

absl::StatusOr<std::optional<Shape>> MergeInputs(
    const NodeContext& node, const std::vector<size_t>& inputs) {
  std::optional<Shape> result;
  for (const size_t input : inputs) {
    const Shape* shape = node.shape(input);
    if (shape == nullptr) continue;
    if (!result.has_value()) {
      result = *shape;
      continue;
    }
    if (result->size() != shape->size()) {
      return node.Error(absl::StrCat("shapes ", ToString(*result), " and ",
                                     ToString(*shape), " are not the same"));
    }
    for (size_t i = 0; i < shape->size(); ++i) {
      const absl::Status status = MergeDim(node, absl::StrCat("dimension ", i),
                                           (*shape)[i], (*result)[i]);
      if (!status.ok()) return status;
    }
  }
  return result;
}

absl::Status MergeDim(const NodeContext& node, std::string_view what,
                      const Dim& other, Dim& dim) {
  const std::optional<Dim> merged = MergeDims(dim, other);
  if (!merged.has_value()) {
    return node.Error(absl::StrCat(AsAbsl(what), " is ", dim.ToString(),
                                   " here and ", other.ToString(), " there"));
  }
  dim = *merged;
  return absl::OkStatus();
}

absl::StatusOr<size_t> ResolveAxis(const NodeContext& node, int64_t axis,
                                   size_t rank) {
  const int64_t signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    return node.Error(absl::StrCat("axis ", axis, " is outside a shape of ",
                                   rank, " dimensions"));
  }
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

absl::StatusOr<std::vector<size_t>> ResolveAxes(
    const NodeContext& node, const std::vector<int64_t>& axes, size_t rank) {
  std::vector<bool> seen(rank);
  std::vector<size_t> result;
  for (const int64_t axis : axes) {
    const absl::StatusOr<size_t> resolved = ResolveAxis(node, axis, rank);
    if (!resolved.ok()) return resolved.status();
    if (seen[*resolved]) {
      return node.Error(absl::StrCat("axis ", axis, " is given twice"));
    }
    seen[*resolved] = true;
    result.push_back(*resolved);
  }
  return result;
}

absl::StatusOr<std::vector<bool>> MarkAxes(const NodeContext& node,
                                           const std::vector<int64_t>& axes,
                                           size_t rank) {
  std::vector<bool> marked(rank);
  for (const int64_t axis : axes) {
    const absl::StatusOr<size_t> resolved = ResolveAxis(node, axis, rank);
    if (!resolved.ok()) return resolved.status();
    marked[*resolved] = true;
  }
  return marked;
}

std::vector<int64_t> FirstAxes(size_t count) {
  std::vector<int64_t> axes(count);
  std::iota(axes.begin(), axes.end(), int64_t{0});
  return axes;
}

Shape UnknownShape(size_t rank) { return Shape(rank, Dim::Unknown()); }

bool SurelyAtLeast(const NodeContext& node, const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number()) return a.number() >= b.number();
  if (a.is_unknown() || b.is_unknown()) return false;
  const auto& ranges = node.graph().symbol_ranges;
  const auto range_of =
      [&ranges](
          std::string_view name) -> std::optional<std::pair<int64_t, int64_t>> {
    const auto found = ranges.find(name);
    if (found != ranges.end()) return found->second;
    return std::pair<int64_t, int64_t>{1, kLargestOpen};
  };
  const std::optional<int64_t> most = (b - a).UpperBound(range_of);
  return most.has_value() && *most <= 0;
}

Dim SmallerOf(const NodeContext& node, const Dim& a, const Dim& b) {
  if (SurelyAtLeast(node, a, b)) return b;
  if (SurelyAtLeast(node, b, a)) return a;
  return Min(a, b);
}

Dim LargerOf(const NodeContext& node, const Dim& a, const Dim& b) {
  if (SurelyAtLeast(node, a, b)) return a;
  if (SurelyAtLeast(node, b, a)) return b;
  return Max(a, b);
}

std::optional<int64_t> VectorLength(const NodeContext& node, size_t input) {
  const Shape* shape = node.shape(input);
  if (shape == nullptr || shape->size() > 1) return std::nullopt;
  return NumElements(*shape).AsNumber();
}

std::optional<int64_t> ScalarOf(const NodeContext& node, size_t input) {
  return ScalarDim(node, input).AsNumber();
}

Dim ScalarDim(const NodeContext& node, size_t input) {
  const TensorValue* value = node.value(input);
  if (value == nullptr || value->size() == 0) return Dim::Unknown();
  if (!value->is_float()) return value->ints[0];
  const double number = value->floats[0];
  const bool is_whole =
      std::fabs(number) < 1e15 && number == std::trunc(number);
  return is_whole ? Dim(static_cast<int64_t>(number)) : Dim::Unknown();
}

std::optional<std::vector<Dim>> DimsOf(const NodeContext& node, size_t input) {
  const TensorValue* value = node.value(input);
  if (value != nullptr && !value->is_float()) return value->ints;
  const std::optional<int64_t> length = VectorLength(node, input);
  if (!length.has_value() || *length < 0 || *length > kMaxKnownElements) {
    return std::nullopt;
  }
  return UnknownShape(static_cast<size_t>(*length));
}

ElementType FirstElement(const NodeContext& node,
                         std::initializer_list<size_t> inputs) {
  for (const size_t input : inputs) {
    if (node.element(input) != ElementType::kUndefined) {
      return node.element(input);
    }
  }
  return ElementType::kUndefined;
}

ElementType ElementAttribute(const NodeContext& node, std::string_view name,
                             ElementType otherwise) {
  const int64_t number = node.Int(name, 0);
  const bool named = number > 0 && number <= INT32_MAX;
  return named ? static_cast<ElementType>(number) : otherwise;
}

void DependsOnContents(NodeContext& node, size_t output, size_t input) {
  node.SetUnknown(output, absl::StrCat("shape depends on the contents of '",
                                       node.InputName(input), "'"));
}

absl::Status CheckNotNegative(const NodeContext& node, const Shape& shape) {
  for (const Dim& dim : shape) {
    if (dim.is_number() && dim.number() < 0) {
      return node.Error(
          absl::StrCat("the output would have the shape ", ToString(shape)));
    }
  }
  return absl::OkStatus();
}

absl::Status SameAsInput(NodeContext& node) {
  node.SetOutput(0, node.input(0));
  return absl::OkStatus();
}

absl::Status Broadcast(NodeContext& node) {
  absl::StatusOr<std::optional<Shape>> shape = BroadcastAllInputs(node);
  if (!shape.ok()) return shape.status();
  node.SetTensor(0, FirstElement(node, {0, 1, 2}), *std::move(shape));
  return absl::OkStatus();
}

absl::Status BroadcastToBool(NodeContext& node) {
  absl::StatusOr<std::optional<Shape>> shape = BroadcastAllInputs(node);
  if (!shape.ok()) return shape.status();
  node.SetTensor(0, ElementType::kBool, *std::move(shape));
  return absl::OkStatus();
}

absl::Status SameShapeBool(NodeContext& node) {
  node.SetTensor(0, ElementType::kBool, node.input(0).shape);
  return absl::OkStatus();
}

absl::Status SameElement(NodeContext& node) {
  node.SetTensor(0, node.element(0), std::nullopt);
  return absl::OkStatus();
}

}  // namespace memplan
