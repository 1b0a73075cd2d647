#ifndef MEMPLAN_ONNX_FRONTEND_EMBED_H_
#define MEMPLAN_ONNX_FRONTEND_EMBED_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace memplan {

// What an embedding or a stripping did.
struct EmbedResult {
  int64_t records_removed = 0;  // of ours, that the model carried before
  int64_t file_bytes = 0;       // of the model afterwards
  std::vector<std::string> warnings;
};

// Writes the model at `in` to `out` with `record` (raw bytes, from
// EncodeRecord) in its metadata, in place of earlier records of ours. All other
// bytes stay as they are, in their order, metadata of others included. `out` is
// written beside its final place and then renamed, so that it is there whole or
// not at all; it may be `in` itself. "-" is stdin, stdout. Weights are copied
// by the kernel where it can.
// Errors: InvalidArgument for what is no binary model (a text model has no
// place for a record: convert it first, or use a sidecar), with the byte
// offset; NotFound, PermissionDenied, Unavailable for what the system says.
absl::StatusOr<EmbedResult> EmbedRecord(const std::string& in,
                                        const std::string& out,
                                        std::string_view record);

// The same on the file itself: appends to it, without touching the model's own
// bytes. A crash at any moment leaves a model that every reader accepts, with
// the earlier plan, none, or the new one (how: embed_in_place.h). The result is
// the same bytes as EmbedRecord's.
absl::StatusOr<EmbedResult> EmbedInPlace(const std::string& path,
                                         std::string_view record);

// Takes our record out: what remains is the model as it was before, bit for
// bit. A model without a record stays as it is (records_removed is 0).
absl::StatusOr<EmbedResult> StripRecord(const std::string& in,
                                        const std::string& out);
absl::StatusOr<EmbedResult> StripInPlace(const std::string& path);

// The same on bytes in memory.
absl::StatusOr<std::string> EmbedInBytes(std::string_view model,
                                         std::string_view record);
absl::StatusOr<std::string> StripBytes(std::string_view model);

// A record in a file of its own, for models that are signed and may not change.
absl::Status WriteSidecar(const std::string& path, std::string_view record);
// Raw bytes, for DecodeRecord. InvalidArgument where the file is no sidecar.
absl::StatusOr<std::string> ReadSidecar(const std::string& path);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_EMBED_H_
