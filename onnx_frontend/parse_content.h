#ifndef MEMPLAN_ONNX_FRONTEND_PARSE_CONTENT_H_
#define MEMPLAN_ONNX_FRONTEND_PARSE_CONTENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/tensor_value.h"
#include "onnx_frontend/type.h"

namespace memplan {

// Whether the user can write elements of this type: integers, booleans, and
// the floating-point types that shapes are computed in.
bool CanBeGiven(ElementType element);

// The elements of a tensor as the user wrote them: "-1", "0.5", "1e-3", "inf",
// "true". Floating point is rounded to the type. The result's shape is left
// empty. Errors (UsageError) say what is wrong with the first bad element, as
// the end of a sentence: "'2.5' is no integer". Only where CanBeGiven.
absl::StatusOr<TensorValue> ParseContent(ElementType element,
                                         const std::vector<std::string>& texts);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_PARSE_CONTENT_H_
