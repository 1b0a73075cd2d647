#include "onnx_frontend/merge_types.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace memplan {
namespace {

std::optional<Shape> CommonShape(const std::optional<Shape>& a,
                                 const std::optional<Shape>& b) {
  if (!a.has_value() || !b.has_value() || a->size() != b->size()) {
    return std::nullopt;
  }
  Shape common = *a;
  for (size_t i = 0; i < common.size(); ++i) {
    if (!common[i].Equals((*b)[i])) common[i] = Dim::Unknown();
  }
  return common;
}

bool HoldsNothing(const Type& type) {
  return type.elements != nullptr && type.elements->empty();
}

// What is empty says nothing of what it would hold.
std::shared_ptr<const Type> CommonInner(const Type& a, const Type& b) {
  if (HoldsNothing(a)) return b.inner;
  if (HoldsNothing(b)) return a.inner;
  if (a.inner == nullptr || b.inner == nullptr) return nullptr;
  return std::make_shared<Type>(CommonType(*a.inner, *b.inner));
}

std::shared_ptr<const std::vector<Type>> CommonElements(const Type& a,
                                                        const Type& b) {
  if (a.elements == nullptr || b.elements == nullptr ||
      a.elements->size() != b.elements->size()) {
    return nullptr;
  }
  std::vector<Type> common;
  common.reserve(a.elements->size());
  for (size_t i = 0; i < a.elements->size(); ++i) {
    common.push_back(CommonType((*a.elements)[i], (*b.elements)[i]));
  }
  return std::make_shared<const std::vector<Type>>(std::move(common));
}

}  // namespace

Type CommonType(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.element != b.element) return Type();
  Type common = a;
  common.inner = CommonInner(a, b);
  common.elements = CommonElements(a, b);
  common.shape = CommonShape(a.shape, b.shape);
  return common;
}

Type SequenceOf(std::vector<Type> elements, const Type& otherwise) {
  Type common = elements.empty() ? otherwise : elements.front();
  for (const Type& element : elements) common = CommonType(common, element);
  Type sequence = Type::Sequence(std::move(common));
  if (elements.size() <= kMaxElements) {
    sequence.elements =
        std::make_shared<const std::vector<Type>>(std::move(elements));
  }
  return sequence;
}

Type Refine(const Type& computed, const Type& declared, bool& used_declared) {
  if (declared.kind == Type::Kind::kUnknown) return computed;
  if (computed.kind == Type::Kind::kUnknown) {
    used_declared = true;
    return declared;
  }
  if (computed.kind != declared.kind) return computed;
  Type refined = computed;
  if (refined.element == ElementType::kUndefined &&
      declared.element != ElementType::kUndefined) {
    refined.element = declared.element;
    used_declared = true;
  }
  if (computed.inner != nullptr && declared.inner != nullptr) {
    refined.inner = std::make_shared<Type>(
        Refine(*computed.inner, *declared.inner, used_declared));
  }
  if (!declared.shape.has_value()) return refined;
  if (!refined.shape.has_value()) {
    refined.shape = declared.shape;
    used_declared = true;
    return refined;
  }
  if (refined.shape->size() != declared.shape->size()) return refined;
  for (size_t i = 0; i < refined.shape->size(); ++i) {
    Dim& dim = (*refined.shape)[i];
    const Dim& said = (*declared.shape)[i];
    if (!dim.is_unknown() || said.is_unknown()) continue;
    dim = said;
    used_declared = true;
  }
  return refined;
}

bool Contradict(const Type& computed, const Type& declared) {
  if (computed.kind == Type::Kind::kUnknown ||
      declared.kind == Type::Kind::kUnknown) {
    return false;
  }
  if (computed.kind != declared.kind) return true;
  if (computed.element != declared.element &&
      computed.element != ElementType::kUndefined &&
      declared.element != ElementType::kUndefined) {
    return true;
  }
  if (computed.inner != nullptr && declared.inner != nullptr) {
    return Contradict(*computed.inner, *declared.inner);
  }
  if (!computed.shape.has_value() || !declared.shape.has_value()) return false;
  return !std::equal(
      computed.shape->begin(), computed.shape->end(), declared.shape->begin(),
      declared.shape->end(), [](const Dim& a, const Dim& b) {
        return !a.is_number() || !b.is_number() || a.number() == b.number();
      });
}

bool IsComplete(const Type& type) {
  return type.has_shape() && type.element != ElementType::kUndefined &&
         std::none_of(type.shape->begin(), type.shape->end(),
                      [](const Dim& dim) { return dim.is_unknown(); });
}

}  // namespace memplan
