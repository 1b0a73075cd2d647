#ifndef MEMPLAN_ONNX_FRONTEND_FOLD_NUMBER_FORMAT_H_
#define MEMPLAN_ONNX_FRONTEND_FOLD_NUMBER_FORMAT_H_

#include <cstdint>

#include "onnx_frontend/dim.h"
#include "onnx_frontend/type.h"

namespace memplan {

// Whether floating-point arithmetic is evaluated in this type: float64,
// float32, float16, bfloat16.
bool HasFloatArithmetic(ElementType type);

// The nearest number of the type, ties to even; past its largest, an infinity.
// A runtime rounds after each operation, and Floor and Ceil see it.
double RoundToType(ElementType type, double value);

// The largest n for which every integer up to n has its own number in the type.
int64_t LargestExactInteger(ElementType type);

// `value`, or unknown where it is a number that the integer or bool type cannot
// hold: what a runtime makes of an overflow is not ours to say.
Dim IfItFits(ElementType type, Dim value);

// Rounded toward zero, as Cast does. Unknown for NaN, infinities, and what the
// type cannot hold.
Dim ToInteger(ElementType type, double value);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FOLD_NUMBER_FORMAT_H_
