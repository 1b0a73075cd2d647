#ifndef MEMPLAN_ONNX_FRONTEND_DIM_FORMULA_H_
#define MEMPLAN_ONNX_FRONTEND_DIM_FORMULA_H_

#include <optional>
#include <string_view>

#include "onnx_frontend/dim.h"

namespace memplan {

// Names may hold hyphens ("batch-size"), so a minus without a space on both
// sides may be a part of one.
enum class TightMinus { kIsPartOfAName, kSubtracts };

// What an exporter means by a dimension's name that is a formula over other
// dimensions: "past + 1", "2*seq", "(a + b)*heads", "h//2", "floor(h/2)". Names
// are letters, digits, "_" and "."; numbers are whole; "//" and floor round
// down. Unset for anything else, for a mere name or number, and past a limit of
// length or depth. O(length), but for the size that Dim allows an expression.
std::optional<Dim> ParseDimFormula(std::string_view text, TightMinus minus);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_DIM_FORMULA_H_
