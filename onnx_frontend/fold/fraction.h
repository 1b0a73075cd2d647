#ifndef MEMPLAN_ONNX_FRONTEND_FOLD_FRACTION_H_
#define MEMPLAN_ONNX_FRONTEND_FOLD_FRACTION_H_

#include "onnx_frontend/tensor_value.h"

// Floating-point content of which not all is known, as TensorValue keeps it:
// numerators that may be symbolic, over one denominator. Exporters compute
// sizes in float ("floor(0.5 * height)"), and that must not lose the symbols.
//
// Exact as long as a runtime's arithmetic is: for integers, halves, quarters
// and such, of sizes that a float32 holds. What is not becomes unknown.
namespace memplan {

// Known floats as fractions; those with many binary places become unknown.
// Contents that are fractions already stay as they are.
TensorValue AsFractions(const TensorValue& content);
// Fractions whose elements are all numbers, as floats; others unchanged.
TensorValue Settled(TensorValue content);
// Adds the elements of `more`, which are fractions, to those of `joined`.
void AppendFractions(TensorValue more, TensorValue& joined);

// Element by element; `a` and `b` are fractions of one shape.
TensorValue AddFractions(const TensorValue& a, const TensorValue& b);
TensorValue SubtractFractions(const TensorValue& a, const TensorValue& b);
TensorValue MultiplyFractions(const TensorValue& a, const TensorValue& b);
TensorValue DivideFractions(const TensorValue& a, const TensorValue& b);
TensorValue MinFractions(const TensorValue& a, const TensorValue& b);
TensorValue MaxFractions(const TensorValue& a, const TensorValue& b);

TensorValue FloorFractions(const TensorValue& a);
TensorValue CeilFractions(const TensorValue& a);
// Rounded toward zero, of the integer type `element`.
TensorValue FractionsToIntegers(const TensorValue& a, ElementType element);
// Integers, maybe symbolic, in the floating-point type `element`.
TensorValue IntegersToFractions(const TensorValue& a, ElementType element);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FOLD_FRACTION_H_
