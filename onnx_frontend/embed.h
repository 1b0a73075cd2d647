#ifndef MEMPLAN_ONNX_FRONTEND_EMBED_H_
#define MEMPLAN_ONNX_FRONTEND_EMBED_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/file_orders.h"

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
// by the kernel where it can. With `orders`, the file's nodes are written in
// them: each node's bytes as they were, one after the other in the new sequence
// (RangesInOrder).
// Errors: InvalidArgument for what is no binary model (a text model has no
// place for a record: convert it first, or use a sidecar), with the byte
// offset; NotFound, PermissionDenied, Unavailable for what the system says.
absl::StatusOr<EmbedResult> EmbedRecord(const std::string& in,
                                        const std::string& out,
                                        std::string_view record,
                                        const FileOrders& orders = {});

// The same on the file itself: appends to it, without touching the model's own
// bytes. A crash at any moment leaves a model that every reader accepts, with
// the earlier plan, none, or the new one (how: embed_in_place.h). With
// `orders`, the whole file is written beside its place and renamed. The result
// is the same bytes as EmbedRecord's.
absl::StatusOr<EmbedResult> EmbedInPlace(const std::string& path,
                                         std::string_view record,
                                         const FileOrders& orders = {});

// Takes our record out: what remains is the model as it was before, bit for
// bit, but for the order of its nodes: where an embedding has changed it, it
// stays. A model without a record stays as it is (records_removed is 0).
absl::StatusOr<EmbedResult> StripRecord(const std::string& in,
                                        const std::string& out);
absl::StatusOr<EmbedResult> StripInPlace(const std::string& path);

// The same on bytes in memory.
absl::StatusOr<std::string> EmbedInBytes(std::string_view model,
                                         std::string_view record,
                                         const FileOrders& orders = {});
absl::StatusOr<std::string> StripBytes(std::string_view model);

// A record in a file of its own, for models that are signed and may not change.
absl::Status WriteSidecar(const std::string& path, std::string_view record);
// Raw bytes, for DecodeRecord. InvalidArgument where the file is no sidecar.
absl::StatusOr<std::string> ReadSidecar(const std::string& path);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_EMBED_H_
