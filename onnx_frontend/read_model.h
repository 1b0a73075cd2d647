#ifndef MEMPLAN_ONNX_FRONTEND_READ_MODEL_H_
#define MEMPLAN_ONNX_FRONTEND_READ_MODEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/own_fields.h"

namespace onnx {
class ModelProto;
}

namespace memplan {

// A model without its weights: large tensor payloads are left out of `proto`
// (their type and shape stay), external data is never opened.
struct Model {
  std::string path;  // "-" for stdin; for messages
  std::shared_ptr<const onnx::ModelProto> proto;
  bool is_text = false;  // came from ONNX's text syntax (.onnxtxt)
  int64_t file_bytes = 0;
  // The values of metadata_props with our key, base64 as in the file; usually
  // none or one.
  std::vector<std::string> embedded_records;
  // The payloads that were left out, as ranges of the file. Their tensors have
  // data_location EXTERNAL and no location.
  std::vector<ByteRange> left_out;
  // Where external data lies by the model's own words; sorted, each once.
  std::vector<std::string> external_data;
};

// Reads .onnx (binary) or .onnxtxt (text; told by the name's ending, else by
// content). "-" is stdin. Errors: NotFound/PermissionDenied/Unavailable for
// what the system says; InvalidArgument with the byte offset for what is cut,
// hostile or no model.
absl::StatusOr<Model> ReadModel(const std::string& path);

// The same for bytes in memory; `name` is for messages.
absl::StatusOr<Model> ReadModelFromBytes(std::string_view bytes,
                                         const std::string& name);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_READ_MODEL_H_
