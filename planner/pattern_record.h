#ifndef MEMPLAN_PLANNER_PATTERN_RECORD_H_
#define MEMPLAN_PLANNER_PATTERN_RECORD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "planner/memory_pattern.h"

namespace memplan {

// Tells graphs apart: 128 bits of a hash over what a plan depends on.
struct Fingerprint {
  uint64_t high = 0;
  uint64_t low = 0;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// 32 hexadecimal digits, high half first.
std::string ToString(const Fingerprint& fingerprint);

// What a model carries: one pattern for each set of input shapes, and the graph
// that they were made for.
struct PatternRecord {
  Fingerprint fingerprint;
  std::vector<MemoryPattern> patterns;

  friend bool operator==(const PatternRecord&, const PatternRecord&) = default;
};

// Adds a pattern; one for the same input shapes is replaced in its place.
void AddPattern(MemoryPattern pattern, PatternRecord& record);

// The flat binary form that a device reads in place: docs/file_formats.md. The
// same record always gives the same bytes. Errors (InvalidArgument): numbers
// that do not fit the format, names with zero bytes, indices out of range.
// O(n log n) in the tensors.
absl::StatusOr<std::string> EncodeRecord(const PatternRecord& record);

// The way back. Believes nothing: every count, offset and index is checked, and
// the checksum first of all. Accepts newer minor versions. Errors: DataLoss for
// what is cut or damaged; Unimplemented for a newer major version;
// InvalidArgument for what is no record at all.
absl::StatusOr<PatternRecord> DecodeRecord(std::string_view bytes);

// The same in base64, as a model carries it.
absl::StatusOr<PatternRecord> DecodeBase64Record(std::string_view base64);

// True where bytes begin like a record: for telling a sidecar from a model.
bool LooksLikeRecord(std::string_view bytes);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_PATTERN_RECORD_H_
