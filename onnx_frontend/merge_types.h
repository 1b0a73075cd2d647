#ifndef MEMPLAN_ONNX_FRONTEND_MERGE_TYPES_H_
#define MEMPLAN_ONNX_FRONTEND_MERGE_TYPES_H_

#include <cstddef>
#include <vector>

#include "onnx_frontend/type.h"

namespace memplan {

// What two types have in common: a value may be of either, as behind an If.
// Dimensions that differ are unknown; ranks that differ leave no shape;
// different element types leave no type.
Type CommonType(const Type& a, const Type& b);

// A sequence of more elements than this is described by what they have in
// common: copies of long ones would make a chain of insertions quadratic.
inline constexpr size_t kMaxElements = 256;

// A sequence of these; `otherwise` is what an empty one would hold.
Type SequenceOf(std::vector<Type> elements, const Type& otherwise);

// What is known where both hold: `computed`, and where it leaves something
// open, what `declared` says. `used_declared` is set where anything was taken
// from it.
Type Refine(const Type& computed, const Type& declared, bool& used_declared);

// Whether both cannot be true: different kinds, element types, ranks or
// numbers.
bool Contradict(const Type& computed, const Type& declared);

// Everything but symbols' values is known: a tensor of known element type, rank
// and dimensions, none of them unknown.
bool IsComplete(const Type& type);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_MERGE_TYPES_H_
