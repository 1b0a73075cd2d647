// Operators that keep the elements and change how they are counted.

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// The elements of `target` without -1 and 0 resolved, `inferred` left out.
Dim ProductWithout(const Shape& shape, std::optional<size_t> left_out) {
  Dim product = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i != left_out) product = product * shape[i];
  }
  return product;
}

// Where 0 means "no elements" (allowzero), -1 comes from what is not 0.
Dim ElementsBesidesZeros(const Shape& shape) {
  Dim product = 1;
  for (const Dim& dim : shape) {
    if (!dim.Equals(0)) product = product * dim;
  }
  return product;
}

bool HasZero(const Shape& shape) {
  for (const Dim& dim : shape) {
    if (dim.Equals(0)) return true;
  }
  return false;
}

// Replaces 0 by the input's dimension at the same place.
absl::Status CopyDimensions(const NodeContext& node, const Shape* input,
                            Shape& target) {
  for (size_t i = 0; i < target.size(); ++i) {
    if (!target[i].Equals(0)) continue;
    if (input != nullptr && i >= input->size()) {
      return node.Error(absl::StrCat("0 at place ", i, " of the target ",
                                     ToString(target), " for an input of ",
                                     input->size(), " dimensions"));
    }
    target[i] = input == nullptr ? Dim::Unknown() : (*input)[i];
  }
  return absl::OkStatus();
}

// The dimension that follows from the number of elements: -1, or the only one
// that is not known.
absl::StatusOr<std::optional<size_t>> InferredDimension(const NodeContext& node,
                                                        const Shape& target) {
  std::optional<size_t> minus_one;
  std::vector<size_t> unknown;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i].is_unknown()) unknown.push_back(i);
    if (!target[i].is_number() || target[i].number() >= 0) continue;
    if (target[i].number() < -1 || minus_one.has_value()) {
      return node.Error(absl::StrCat("the target is ", ToString(target)));
    }
    minus_one = i;
  }
  if (minus_one.has_value()) return minus_one;
  if (unknown.size() == 1) return std::optional<size_t>(unknown[0]);
  return std::optional<size_t>();
}

// The input reshaped to `target`, whose elements may be -1 (what is left), 0
// (the input's dimension there, unless allowzero), symbolic, or unknown.
absl::Status ReshapeTo(NodeContext& node, Shape target) {
  const Shape* input = node.shape(0);
  const bool zero_is_zero = node.Int("allowzero", 0) != 0;
  const Shape asked = target;
  const absl::StatusOr<std::optional<size_t>> inferred =
      InferredDimension(node, target);
  if (!inferred.ok()) return inferred.status();
  if (!zero_is_zero) {
    const absl::Status copied = CopyDimensions(node, input, target);
    if (!copied.ok()) return copied;
  }
  if (inferred->has_value()) {
    const size_t place = **inferred;
    target[place] = Dim::Unknown();
    Dim rest = ProductWithout(target, place);
    if (input != nullptr && zero_is_zero && HasZero(target)) {
      rest = NumElements(*input).Equals(0) ? ElementsBesidesZeros(*input)
                                           : Dim::Unknown();
      Dim others = 1;
      for (size_t i = 0; i < target.size(); ++i) {
        if (i != place && !target[i].Equals(0)) others = others * target[i];
      }
      target[place] = FloorDiv(rest, others);
    } else if (input != nullptr) {
      target[place] = FloorDiv(NumElements(*input), rest);
    }
  }
  if (input != nullptr) {
    const Dim before = NumElements(*input);
    const Dim after = NumElements(target);
    if (before.is_number() && after.is_number() && !before.Equals(after)) {
      return node.Error(absl::StrCat(
          "an input of shape ", ToString(*input), " has ", before.ToString(),
          " elements; the target ", ToString(asked), " does not fit"));
    }
  }
  node.SetTensor(0, node.element(0), std::move(target));
  return absl::OkStatus();
}

// The target as an attribute.
absl::Status ReshapeByAttribute(NodeContext& node) {
  const std::optional<std::vector<int64_t>> shape = node.Ints("shape");
  if (!shape.has_value()) return node.Error("no attribute 'shape'");
  return ReshapeTo(node, Shape(shape->begin(), shape->end()));
}

// The target as input 1.
absl::Status ReshapeByInput(NodeContext& node) {
  std::optional<std::vector<Dim>> target = DimsOf(node, 1);
  if (node.value(1) == nullptr) DependsOnContents(node, 0, 1);
  if (!target.has_value()) {
    node.SetTensor(0, node.element(0), std::nullopt);
    return absl::OkStatus();
  }
  return ReshapeTo(node, *std::move(target));
}

// Two dimensions: those before `axis`, and the rest.
absl::Status Flatten(NodeContext& node) {
  Shape result = UnknownShape(2);
  const Shape* input = node.shape(0);
  if (input != nullptr) {
    const int64_t rank = static_cast<int64_t>(input->size());
    int64_t axis = node.Int("axis", 1);
    if (axis < -rank || axis > rank) {
      return node.Error(absl::StrCat("axis ", axis, " of an input of shape ",
                                     ToString(*input)));
    }
    if (axis < 0) axis += rank;
    const auto middle = input->begin() + axis;
    result[0] = NumElements(Shape(input->begin(), middle));
    result[1] = NumElements(Shape(middle, input->end()));
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// The axes of Squeeze and Unsqueeze: an input from opset 13 on, an attribute
// before.
struct Axes {
  std::optional<std::vector<int64_t>> axes;  // unset: not known
  std::optional<int64_t> count;              // unset: not known
};

Axes AxesOf(NodeContext& node) {
  Axes result;
  if (node.HasInput(1)) {
    result.axes = node.IntsOf(1);
    result.count = VectorLength(node, 1);
    if (!result.axes.has_value()) DependsOnContents(node, 0, 1);
  } else {
    result.axes = node.Ints("axes").value_or(std::vector<int64_t>());
  }
  if (result.axes.has_value()) {
    result.count = static_cast<int64_t>(result.axes->size());
  }
  return result;
}

// Without axes, every 1 goes; the rank is then known only where all dimensions
// are numbers.
std::optional<Shape> WithoutOnes(const Shape& shape) {
  Shape result;
  for (const Dim& dim : shape) {
    if (!dim.is_number()) return std::nullopt;
    if (!dim.Equals(1)) result.push_back(dim);
  }
  return result;
}

absl::Status Squeeze(NodeContext& node) {
  const Axes axes = AxesOf(node);
  const Shape* input = node.shape(0);
  std::optional<Shape> result;
  if (input != nullptr && axes.count == 0) {
    result = WithoutOnes(*input);
  } else if (input != nullptr && axes.axes.has_value()) {
    const absl::StatusOr<std::vector<bool>> marked =
        MarkAxes(node, *axes.axes, input->size());
    if (!marked.ok()) return marked.status();
    result.emplace();
    for (size_t i = 0; i < input->size(); ++i) {
      const Dim& dim = (*input)[i];
      if (!(*marked)[i]) {
        result->push_back(dim);
      } else if (dim.is_number() && !dim.Equals(1)) {
        return node.Error(absl::StrCat("dimension ", i, " of ",
                                       ToString(*input), " is not 1"));
      }
    }
  } else if (input != nullptr && axes.count.has_value() && *axes.count >= 0 &&
             static_cast<size_t>(*axes.count) <= input->size()) {
    result = UnknownShape(input->size() - static_cast<size_t>(*axes.count));
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

absl::Status Unsqueeze(NodeContext& node) {
  const Axes axes = AxesOf(node);
  const Shape* input = node.shape(0);
  std::optional<Shape> result;
  if (input != nullptr && axes.axes.has_value()) {
    const size_t rank = input->size() + axes.axes->size();
    const absl::StatusOr<std::vector<size_t>> resolved =
        ResolveAxes(node, *axes.axes, rank);
    if (!resolved.ok()) return resolved.status();
    std::vector<bool> is_new(rank);
    for (const size_t axis : *resolved) is_new[axis] = true;
    result.emplace();
    size_t next = 0;
    for (size_t i = 0; i < rank; ++i) {
      result->push_back(is_new[i] ? Dim(1) : (*input)[next++]);
    }
  } else if (input != nullptr && axes.count.has_value() && *axes.count >= 0 &&
             *axes.count <= kMaxKnownElements) {
    result = UnknownShape(input->size() + static_cast<size_t>(*axes.count));
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "Flatten", 1, Flatten, "Operators.md#Flatten"},
    {"", "Reshape", 1, ReshapeByAttribute, "Changelog.md#Reshape-1"},
    {"", "Reshape", 5, ReshapeByInput, "Operators.md#Reshape"},
    {"", "Squeeze", 1, Squeeze, "Operators.md#Squeeze"},
    {"", "Unsqueeze", 1, Unsqueeze, "Operators.md#Unsqueeze"},
};

}  // namespace

absl::Span<const RuleRow> ReshapeRules() { return kRows; }

}  // namespace memplan
