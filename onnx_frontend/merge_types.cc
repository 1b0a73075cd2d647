#include "onnx_frontend/merge_types.h"

#include <algorithm>
#include <memory>
#include <utility>

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

}  // namespace

Type CommonType(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.element != b.element) return Type();
  Type common = a;
  if (a.inner != nullptr && b.inner != nullptr) {
    common.inner = std::make_shared<Type>(CommonType(*a.inner, *b.inner));
  } else {
    common.inner = nullptr;
  }
  common.shape = CommonShape(a.shape, b.shape);
  return common;
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
