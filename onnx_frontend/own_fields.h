#ifndef MEMPLAN_ONNX_FRONTEND_OWN_FIELDS_H_
#define MEMPLAN_ONNX_FRONTEND_OWN_FIELDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace memplan {

// Our key in ModelProto.metadata_props; IR.md wants reverse DNS names.
inline constexpr std::string_view kPatternKey = "dev.memplan.pattern";

// Bytes [begin, end) of a file.
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// What we put into a model file: entries of metadata_props (ModelProto field
// 14) with our key, and what an embedding in place leaves behind when it is
// interrupted (see embed_in_place.h).
struct OwnFields {
  std::vector<ByteRange> ranges;  // every byte of ours, ascending
  // The entries' values (base64) in the file's order; a view into the file.
  std::vector<std::string_view> records;
  bool has_graph = false;  // ModelProto field 7 is there
};

// Finds them among the top-level fields: a field of one gigabyte costs as much
// as one of a byte. Errors (InvalidArgument) have the byte offset.
absl::StatusOr<OwnFields> FindOwnFields(std::string_view file);

// The field that holds `record` (raw bytes): what an embedded model ends with.
std::string MakePatternField(std::string_view record);

// A reservation is a ModelProto field that no reader knows: this tag, number 15
// where an entry of metadata_props has 14. Its payload begins like that of our
// entry, so changing the tag's one byte turns it into one.
inline constexpr char kReservedTag = '\x7a';
inline constexpr char kMetadataTag = '\x72';
// "\n\x13dev.memplan.pattern": the entry's key as the wire has it.
std::string_view PatternMarker();
// A reservation starts as several fields; none is longer, header included.
inline constexpr int64_t kMaxReservedPiece = 4098;

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_OWN_FIELDS_H_
