#ifndef MEMPLAN_ONNX_FRONTEND_TEXT_MODEL_H_
#define MEMPLAN_ONNX_FRONTEND_TEXT_MODEL_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"

namespace onnx {
class ModelProto;
}

namespace memplan {

// Text models are written by people: none is larger.
inline constexpr size_t kMaxTextModel = size_t{64} << 20;

// True where the bytes can only be ONNX's text syntax: after blanks and
// comments they begin with '<', which no binary model does.
bool LooksLikeTextModel(std::string_view bytes);

// Parses ONNX's text syntax ("< ir_version: 8, opset_import: [...] > name
// (float[N] x) => (float[N] y) { ... }"). Errors (InvalidArgument) have line
// and column.
absl::StatusOr<std::shared_ptr<const onnx::ModelProto>> ParseTextModel(
    std::string_view text);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_TEXT_MODEL_H_
