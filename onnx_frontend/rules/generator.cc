// Operators that make tensors from a shape, a range, or nothing.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

// Output 0 has the shape that input `input` holds.
absl::Status ShapeFromContents(NodeContext& node, size_t input,
                               ElementType element) {
  std::optional<Shape> shape = DimsOf(node, input);
  if (node.value(input) == nullptr) DependsOnContents(node, 0, input);
  if (shape.has_value()) {
    const absl::Status status = CheckNotNegative(node, *shape);
    if (!status.ok()) return status;
  }
  node.SetTensor(0, element, std::move(shape));
  return absl::OkStatus();
}

absl::Status ConstantOfShape(NodeContext& node) {
  const TensorAttribute* value = node.Tensor("value");
  return ShapeFromContents(
      node, 0, value == nullptr ? ElementType::kFloat : value->type.element);
}

absl::Status Constant(NodeContext& node) {
  if (const TensorAttribute* value = node.Tensor("value")) {
    node.SetOutput(0, value->type);
  } else if (const TensorAttribute* sparse = node.Tensor("sparse_value")) {
    node.SetOutput(0, sparse->type);
  } else if (node.HasAttribute("value_int")) {
    node.SetTensor(0, ElementType::kInt64, Shape{});
  } else if (node.HasAttribute("value_float")) {
    node.SetTensor(0, ElementType::kFloat, Shape{});
  } else if (node.HasAttribute("value_string")) {
    node.SetTensor(0, ElementType::kString, Shape{});
  } else if (const auto ints = node.Ints("value_ints")) {
    node.SetTensor(0, ElementType::kInt64,
                   Shape{static_cast<int64_t>(ints->size())});
  } else if (const auto floats = node.Floats("value_floats")) {
    node.SetTensor(0, ElementType::kFloat,
                   Shape{static_cast<int64_t>(floats->size())});
  } else if (const auto strings = node.Strings("value_strings")) {
    node.SetTensor(0, ElementType::kString,
                   Shape{static_cast<int64_t>(strings->size())});
  }
  return absl::OkStatus();
}

// Input 0 broadcast with the shape that input 1 holds.
absl::Status Expand(NodeContext& node) {
  const Shape* input = node.shape(0);
  const std::optional<Shape> target = DimsOf(node, 1);
  if (node.value(1) == nullptr) DependsOnContents(node, 0, 1);
  std::optional<Shape> result;
  if (input != nullptr && target.has_value()) {
    const absl::Status status = CheckNotNegative(node, *target);
    if (!status.ok()) return status;
    absl::StatusOr<Shape> both = BroadcastShapes(node, *input, *target);
    if (!both.ok()) return both.status();
    result = *std::move(both);
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Input 1 holds a factor for each dimension.
absl::Status TileByVector(NodeContext& node) {
  std::optional<Shape> result = node.input(0).shape;
  if (result.has_value()) {
    const std::vector<Dim> repeats =
        DimsOf(node, 1).value_or(UnknownShape(result->size()));
    if (node.value(1) == nullptr) DependsOnContents(node, 0, 1);
    if (repeats.size() != result->size()) {
      return node.Error(absl::StrCat(repeats.size(),
                                     " factors for an input of shape ",
                                     ToString(*result)));
    }
    for (size_t i = 0; i < repeats.size(); ++i) {
      (*result)[i] = (*result)[i] * repeats[i];
    }
    const absl::Status status = CheckNotNegative(node, *result);
    if (!status.ok()) return status;
  } else if (const std::optional<int64_t> rank = VectorLength(node, 1);
             rank.has_value() && *rank >= 0 && *rank <= kMaxKnownElements) {
    result = UnknownShape(static_cast<size_t>(*rank));
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Opset 1: inputs 1 and 2 are the factor and the axis.
absl::Status TileByAxis(NodeContext& node) {
  std::optional<Shape> result = node.input(0).shape;
  const std::optional<int64_t> axis = ScalarOf(node, 2);
  if (result.has_value() && axis.has_value()) {
    const absl::StatusOr<size_t> resolved =
        ResolveAxis(node, *axis, result->size());
    if (!resolved.ok()) return resolved.status();
    (*result)[*resolved] = (*result)[*resolved] * ScalarDim(node, 1);
  } else if (result.has_value()) {
    result = UnknownShape(result->size());
  }
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// The elements of [start, limit) with this delta, in double as the runtime
// counts them; unset where one is not known.
std::optional<int64_t> CountByNumbers(const NodeContext& node) {
  double numbers[3] = {0, 0, 1};
  for (size_t i = 0; i < 3; ++i) {
    if (i == 2 && !node.HasInput(i)) break;
    const TensorValue* value = node.value(i);
    if (value == nullptr || value->size() < 1) return std::nullopt;
    if (value->is_float()) {
      numbers[i] = value->floats[0];
    } else if (value->ints[0].is_number()) {
      numbers[i] = static_cast<double>(value->ints[0].number());
    } else {
      return std::nullopt;
    }
  }
  const double count = std::ceil((numbers[1] - numbers[0]) / numbers[2]);
  if (!std::isfinite(count) || count >= 9e18) return std::nullopt;
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

absl::Status Range(NodeContext& node) {
  const ElementType element = FirstElement(node, {0, 1, 2});
  const Dim start = ScalarDim(node, 0);
  const Dim limit = ScalarDim(node, 1);
  const Dim delta = node.HasInput(2) ? ScalarDim(node, 2) : Dim(1);
  if (delta.Equals(0)) return node.Error("delta is 0");
  Dim count;
  if (const std::optional<int64_t> number = CountByNumbers(node)) {
    count = *number;
  } else if (delta.is_number()) {
    const int64_t step = delta.number();
    const Dim span = step > 0 ? limit - start : start - limit;
    count =
        CeilDiv(LargerOf(node, span, 0), step > 0 ? Dim(step) : Dim(0) - step);
  }
  if (count.is_unknown()) {
    for (size_t i = 0; i < node.num_inputs(); ++i) {
      if (node.HasInput(i) && node.value(i) == nullptr) {
        DependsOnContents(node, 0, i);
      }
    }
  }
  node.SetTensor(0, element, Shape{count});
  return absl::OkStatus();
}

// `dtype` says the element type, else it is the input's.
absl::Status LikeInput(NodeContext& node) {
  node.SetTensor(0, ElementAttribute(node, "dtype", node.element(0)),
                 node.input(0).shape);
  return absl::OkStatus();
}

absl::Status RandomOfShape(NodeContext& node) {
  const std::optional<std::vector<int64_t>> shape = node.Ints("shape");
  if (!shape.has_value()) return node.Error("no attribute 'shape'");
  Shape result(shape->begin(), shape->end());
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, ElementAttribute(node, "dtype", ElementType::kFloat),
                 std::move(result));
  return absl::OkStatus();
}

// [batch, classes] to [batch, sample_size].
absl::Status Multinomial(NodeContext& node) {
  Shape result = {Dim::Unknown(), node.Int("sample_size", 1)};
  const Shape* input = node.shape(0);
  if (input != nullptr && !input->empty()) result[0] = (*input)[0];
  node.SetTensor(0, ElementAttribute(node, "dtype", ElementType::kInt32),
                 std::move(result));
  return absl::OkStatus();
}

// How many of the input's dimensions `start` and `end` leave; the attributes
// came with opset 15.
absl::Status ShapeOf(NodeContext& node) {
  Dim count;
  const Shape* input = node.shape(0);
  if (input != nullptr) {
    const int64_t rank = static_cast<int64_t>(input->size());
    int64_t start = node.Int("start", 0);
    int64_t end = node.Int("end", rank);
    if (start < 0) start += rank;
    if (end < 0) end += rank;
    start = std::clamp<int64_t>(start, 0, rank);
    end = std::clamp<int64_t>(end, 0, rank);
    count = std::max<int64_t>(0, end - start);
  }
  node.SetTensor(0, ElementType::kInt64, Shape{count});
  return absl::OkStatus();
}

absl::Status Size(NodeContext& node) {
  node.SetTensor(0, ElementType::kInt64, Shape{});
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "Constant", 1, Constant, "Operators.md#Constant"},
    {"", "ConstantOfShape", 9, ConstantOfShape, "Operators.md#ConstantOfShape"},
    {"", "Expand", 8, Expand, "Operators.md#Expand"},
    {"", "EyeLike", 9, LikeInput, "Operators.md#EyeLike"},
    {"", "Multinomial", 7, Multinomial, "Operators.md#Multinomial"},
    {"", "RandomNormal", 1, RandomOfShape, "Operators.md#RandomNormal"},
    {"", "RandomNormalLike", 1, LikeInput, "Operators.md#RandomNormalLike"},
    {"", "RandomUniform", 1, RandomOfShape, "Operators.md#RandomUniform"},
    {"", "RandomUniformLike", 1, LikeInput, "Operators.md#RandomUniformLike"},
    {"", "Range", 11, Range, "Operators.md#Range"},
    {"", "Shape", 1, ShapeOf, "Operators.md#Shape"},
    {"", "Size", 1, Size, "Operators.md#Size"},
    {"", "Tile", 1, TileByAxis, "Changelog.md#Tile-1"},
    {"", "Tile", 6, TileByVector, "Operators.md#Tile"},
};

}  // namespace

absl::Span<const RuleRow> GeneratorRules() { return kRows; }

}  // namespace memplan
