#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/merge_types.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Sequences and optionals are not placed, but tensors come out of them: so what
// they hold is kept, element by element where their number is known.
// https://github.com/onnx/onnx/blob/main/docs/Operators.md

// What input `i`, a sequence or an optional, holds.
Type InnerOf(const NodeContext& node, size_t i) {
  const Type& type = node.input(i);
  return type.inner == nullptr ? Type() : *type.inner;
}

const std::vector<Type>* ElementsOf(const NodeContext& node, size_t i) {
  return node.input(i).elements.get();
}

// The place that input `i` names in `count` places; unset where its content is
// not known. A place that does not exist is an error.
absl::StatusOr<std::optional<size_t>> PlaceIn(const NodeContext& node, size_t i,
                                              size_t count) {
  const std::optional<int64_t> given = ScalarOf(node, i);
  if (!given.has_value()) return std::optional<size_t>();
  absl::StatusOr<size_t> place = ResolveAxis(node, *given, count);
  if (!place.ok()) {
    return node.Error(
        absl::StrCat("position ", *given, " of ", count, " elements"));
  }
  return std::optional<size_t>(*place);
}

absl::Status SequenceEmpty(NodeContext& node) {
  node.SetOutput(0, SequenceOf({}, Type::Tensor(ElementAttribute(
                                       node, "dtype", ElementType::kFloat))));
  return absl::OkStatus();
}

absl::Status SequenceConstruct(NodeContext& node) {
  std::vector<Type> elements;
  for (size_t i = 0; i < node.num_inputs(); ++i) {
    elements.push_back(node.input(i));
  }
  node.SetOutput(0, SequenceOf(std::move(elements), Type()));
  return absl::OkStatus();
}

// Inputs: sequence, tensor, and maybe where to; else at the end.
absl::Status SequenceInsert(NodeContext& node) {
  const std::vector<Type>* elements = ElementsOf(node, 0);
  if (elements == nullptr) {
    const Type inner = InnerOf(node, 0);
    const Type& added = node.input(1);
    node.SetOutput(0, Type::Sequence(inner.kind == Type::Kind::kUnknown
                                         ? Type()
                                         : CommonType(inner, added)));
    return absl::OkStatus();
  }
  std::optional<size_t> place = elements->size();
  if (node.HasInput(2)) {
    auto given = PlaceIn(node, 2, elements->size() + 1);
    if (!given.ok()) return given.status();
    place = *given;
  }
  std::vector<Type> inserted = *elements;
  inserted.insert(
      inserted.begin() + static_cast<int64_t>(place.value_or(inserted.size())),
      node.input(1));
  Type sequence = SequenceOf(std::move(inserted), Type());
  if (!place.has_value()) sequence.elements = nullptr;
  node.SetOutput(0, std::move(sequence));
  return absl::OkStatus();
}

// Inputs: sequence, and maybe which element; else the last.
absl::Status SequenceErase(NodeContext& node) {
  const std::vector<Type>* elements = ElementsOf(node, 0);
  if (elements == nullptr) {
    node.SetOutput(0, Type::Sequence(InnerOf(node, 0)));
    return absl::OkStatus();
  }
  if (elements->empty()) return node.Error("the sequence is empty");
  std::optional<size_t> place = elements->size() - 1;
  if (node.HasInput(1)) {
    auto given = PlaceIn(node, 1, elements->size());
    if (!given.ok()) return given.status();
    place = *given;
  }
  std::vector<Type> rest = *elements;
  rest.erase(rest.begin() + static_cast<int64_t>(place.value_or(0)));
  Type sequence = place.has_value()
                      ? SequenceOf(std::move(rest), InnerOf(node, 0))
                      : Type::Sequence(InnerOf(node, 0));
  node.SetOutput(0, std::move(sequence));
  return absl::OkStatus();
}

absl::Status SequenceAt(NodeContext& node) {
  const std::vector<Type>* elements = ElementsOf(node, 0);
  node.SetOutput(0, InnerOf(node, 0));
  if (elements == nullptr) return absl::OkStatus();
  auto place = PlaceIn(node, 1, elements->size());
  if (!place.ok()) return place.status();
  if (place->has_value()) node.SetOutput(0, (*elements)[**place]);
  return absl::OkStatus();
}

absl::Status SequenceLength(NodeContext& node) {
  node.SetTensor(0, ElementType::kInt64, Shape());
  if (const std::vector<Type>* elements = ElementsOf(node, 0);
      elements != nullptr) {
    node.SetValue(0,
                  TensorValue::Scalar(ElementType::kInt64,
                                      static_cast<int64_t>(elements->size())));
  }
  return absl::OkStatus();
}

// The sizes along the axis of what a tensor is split into; unset where their
// number is not known. Without input 1: one each.
absl::StatusOr<std::optional<std::vector<Dim>>> SplitSizes(
    const NodeContext& node, const Dim& whole) {
  using Sizes = std::optional<std::vector<Dim>>;
  const Shape* shape = node.shape(1);
  const bool is_list = shape != nullptr && shape->size() == 1;
  if (node.HasInput(1) && is_list) return Sizes(DimsOf(node, 1));
  const std::optional<int64_t> size =
      node.HasInput(1) ? ScalarOf(node, 1) : std::optional<int64_t>(1);
  if (!size.has_value() || !whole.is_number()) return Sizes();
  if (*size <= 0) return node.Error(absl::StrCat("pieces of size ", *size));
  const int64_t count = (whole.number() + *size - 1) / *size;
  if (count > static_cast<int64_t>(kMaxElements)) return Sizes();
  std::vector<Dim> sizes(static_cast<size_t>(count), Dim(*size));
  if (whole.number() % *size != 0) sizes.back() = whole.number() % *size;
  return Sizes(std::move(sizes));
}

// keepdims counts only where no sizes are given.
absl::Status SplitToSequence(NodeContext& node) {
  const std::optional<Shape> shape = ShapeOf(node, 0);
  const ElementType element = node.element(0);
  if (!shape.has_value()) {
    node.SetOutput(0, Type::Sequence(Type::Tensor(element)));
    return absl::OkStatus();
  }
  absl::StatusOr<size_t> axis =
      ResolveAxis(node, node.Int("axis", 0), shape->size());
  if (!axis.ok()) return axis.status();
  const bool drops = !node.HasInput(1) && node.Int("keepdims", 1) == 0;
  const auto piece = [&](const Dim& size) {
    Shape result = *shape;
    result[*axis] = size;
    if (drops) result.erase(result.begin() + static_cast<int64_t>(*axis));
    return Type::Tensor(element, std::move(result));
  };
  auto sizes = SplitSizes(node, (*shape)[*axis]);
  if (!sizes.ok()) return sizes.status();
  const Type any = piece(node.HasInput(1) ? Dim::Unknown() : Dim(1));
  if (!sizes->has_value()) {
    node.SetOutput(0, Type::Sequence(any));
    return absl::OkStatus();
  }
  std::vector<Type> pieces;
  for (const Dim& size : **sizes) pieces.push_back(piece(size));
  node.SetOutput(0, SequenceOf(std::move(pieces), any));
  return absl::OkStatus();
}

// The concatenation of `parts`; the axis is unknown where they are only what
// all have in common.
absl::StatusOr<Type> Concatenated(const NodeContext& node,
                                  const std::vector<Type>& parts,
                                  bool is_complete) {
  Type common = parts.front();
  for (const Type& part : parts) common = CommonType(common, part);
  if (!common.has_shape()) return Type::Tensor(common.element);
  Shape& shape = *common.shape;
  const bool stacks = node.Int("new_axis", 0) != 0;
  absl::StatusOr<size_t> axis =
      ResolveAxis(node, node.Int("axis", 0), shape.size() + (stacks ? 1 : 0));
  if (!axis.ok()) return axis.status();
  if (stacks) {
    shape.insert(
        shape.begin() + static_cast<int64_t>(*axis),
        is_complete ? Dim(static_cast<int64_t>(parts.size())) : Dim::Unknown());
    return common;
  }
  Dim total = is_complete ? Dim(0) : Dim::Unknown();
  for (const Type& part : parts) total = total + (*part.shape)[*axis];
  shape[*axis] = total;
  return common;
}

absl::Status ConcatFromSequence(NodeContext& node) {
  const std::vector<Type>* elements = ElementsOf(node, 0);
  if (elements != nullptr && elements->empty()) {
    return node.Error("the sequence is empty");
  }
  absl::StatusOr<Type> result =
      elements != nullptr ? Concatenated(node, *elements, true)
                          : Concatenated(node, {InnerOf(node, 0)}, false);
  if (!result.ok()) return result.status();
  if (elements == nullptr) {
    node.SetUnknown(0, "shape depends on how many elements the sequence has");
  }
  node.SetOutput(0, *std::move(result));
  return absl::OkStatus();
}

// Output: an optional of the input, or without one empty, of attribute `type`.
absl::Status Optional(NodeContext& node) {
  std::vector<Type> elements;
  Type inner;
  if (node.HasInput(0)) {
    inner = node.input(0);
    elements.push_back(inner);
  } else if (const Type* type = node.TypeAttribute("type"); type != nullptr) {
    inner = *type;
  }
  Type optional = Type::Optional(std::move(inner));
  optional.elements =
      std::make_shared<const std::vector<Type>>(std::move(elements));
  node.SetOutput(0, std::move(optional));
  return absl::OkStatus();
}

// From opset 18 the input may also be what an optional would hold.
absl::Status OptionalGetElement(NodeContext& node) {
  if (node.input(0).kind != Type::Kind::kOptional) {
    SetLike(node, 0, 0);
    return absl::OkStatus();
  }
  const std::vector<Type>* elements = ElementsOf(node, 0);
  if (elements != nullptr && elements->empty()) {
    return node.Error("the optional is empty");
  }
  node.SetOutput(0, elements != nullptr ? elements->front() : InnerOf(node, 0));
  return absl::OkStatus();
}

absl::Status OptionalHasElement(NodeContext& node) {
  node.SetTensor(0, ElementType::kBool, Shape());
  const Type::Kind kind = node.input(0).kind;
  const std::vector<Type>* elements = ElementsOf(node, 0);
  std::optional<bool> has;
  if (!node.HasInput(0)) {
    has = false;
  } else if (kind == Type::Kind::kOptional) {
    if (elements != nullptr) has = !elements->empty();
  } else if (kind != Type::Kind::kUnknown) {
    has = true;
  }
  if (has.has_value()) {
    node.SetValue(0, TensorValue::Scalar(ElementType::kBool, *has ? 1 : 0));
  }
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "ConcatFromSequence", 11, ConcatFromSequence,
     "Operators.md#ConcatFromSequence"},
    {"", "Optional", 15, Optional, "Operators.md#Optional"},
    {"", "OptionalGetElement", 15, OptionalGetElement,
     "Operators.md#OptionalGetElement"},
    {"", "OptionalHasElement", 15, OptionalHasElement,
     "Operators.md#OptionalHasElement"},
    {"", "SequenceAt", 11, SequenceAt, "Operators.md#SequenceAt"},
    {"", "SequenceConstruct", 11, SequenceConstruct,
     "Operators.md#SequenceConstruct"},
    {"", "SequenceEmpty", 11, SequenceEmpty, "Operators.md#SequenceEmpty"},
    {"", "SequenceErase", 11, SequenceErase, "Operators.md#SequenceErase"},
    {"", "SequenceInsert", 11, SequenceInsert, "Operators.md#SequenceInsert"},
    {"", "SequenceLength", 11, SequenceLength, "Operators.md#SequenceLength"},
    {"", "SplitToSequence", 11, SplitToSequence,
     "Operators.md#SplitToSequence"},
};

}  // namespace

absl::Span<const RuleRow> SequenceRules() { return kRows; }

}  // namespace memplan
