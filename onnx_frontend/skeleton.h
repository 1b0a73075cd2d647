#ifndef MEMPLAN_ONNX_FRONTEND_SKELETON_H_
#define MEMPLAN_ONNX_FRONTEND_SKELETON_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/own_fields.h"

namespace memplan {

// A model's bytes without its weights, small enough to be parsed.
struct Skeleton {
  std::string bytes;                 // a ModelProto in protobuf's encoding
  std::vector<ByteRange> left_out;   // payloads that are not in it, ascending
  std::vector<std::string> records;  // values of our key, base64, in order
  std::vector<std::string> external_data;  // locations, sorted, each once
  bool has_graph = false;
};

// What stays of a tensor's data (raw_data and the typed fields together):
// integers that shapes are computed from, up to kMaxKnownElements of them, and
// small tensors of other types.
inline constexpr int64_t kMaxIntegerPayload = 256 << 10;  // bytes in the file
inline constexpr int64_t kMaxOtherPayload = 16 << 10;
// Payloads above a kilobyte stay while their sum is below this.
inline constexpr int64_t kMaxSumOfPayloads = 16 << 20;
// Other byte fields that no part of the planner reads (engine blobs in string
// attributes, unknown fields, foreign metadata) stay up to this size.
inline constexpr int64_t kMaxOpaqueField = 1 << 20;
// The parsed skeleton may take this much memory, by an estimate from above.
inline constexpr int64_t kMaxParsedBytes = int64_t{4} << 30;

// Copies the skeleton of the model in `file`: all but large payloads and
// doc_strings. A tensor whose payload is left out gets data_location EXTERNAL
// without a location, so that nobody takes it for an empty one. The cost grows
// with the number of fields, not with their bytes. Errors (InvalidArgument)
// have the byte offset: cut or damaged fields, messages that nest past
// kMaxWireDepth, models past kMaxParsedBytes.
absl::StatusOr<Skeleton> CutWeights(std::string_view file);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_SKELETON_H_
