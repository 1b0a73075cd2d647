#include "onnx_frontend/own_fields.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/wire_walk.h"
#include "planner/strings.h"

namespace memplan {
namespace {

constexpr uint32_t kGraphField = 7;
constexpr uint32_t kMetadataField = 14;
constexpr uint32_t kReservedField = 15;
constexpr std::string_view kMarker =
    "\n\x13"
    "dev.memplan.pattern";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool IsZeros(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return c == '\0'; });
}

// Reads a StringStringEntryProto as protobuf does: the last of a field counts.
// False where it is damaged: not ours, then.
bool ReadEntry(std::string_view file, const WireField& field,
               std::string_view& key, std::string_view& value) {
  WireWalk walk(file, field.payload_begin, field.end);
  WireField part;
  key = value = {};
  while (walk.Next(part)) {
    if (part.type != WireType::kBytes) continue;
    if (part.number == 1) key = Payload(file, part);
    if (part.number == 2) value = Payload(file, part);
  }
  return walk.status().ok();
}

// Follows the reservation, if any, that the fields seen so far end with.
class Reservation {
 public:
  explicit Reservation(std::string_view file) : file_(file) {}

  void See(const WireField& field) {
    const bool reserved =
        field.number == kReservedField && field.type == WireType::kBytes;
    if (reserved && StartsWith(Payload(file_, field), kMarker)) {
      if (begin_ < 0) begin_ = field.begin;
    } else if (!reserved || begin_ < 0 || !IsPiece(field)) {
      begin_ = -1;
    }
  }

  // The file's last field, at `tail`, is cut off: is it one of ours?
  bool IsTornAt(int64_t tail) const {
    std::string_view rest = file_.substr(static_cast<size_t>(tail));
    if (rest.empty() || rest[0] != kReservedTag) return false;
    rest.remove_prefix(1);
    size_t length = 0;  // of the varint
    while (length < rest.size() && (rest[length] & '\x80') != 0) ++length;
    if (length > 4) return false;
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (StartsWith(kMarker, rest.substr(0, kMarker.size()))) {
      return rest.size() <= static_cast<size_t>(kMaxReservedPiece);
    }
    return begin_ >= 0 &&
           rest.size() <= static_cast<size_t>(kMaxReservedPiece) &&
           IsZeros(rest);
  }

  int64_t begin() const { return begin_; }  // -1: none

 private:
  bool IsPiece(const WireField& field) const {
    return field.end - field.begin <= kMaxReservedPiece &&
           IsZeros(Payload(file_, field));
  }

  std::string_view file_;
  int64_t begin_ = -1;
};

}  // namespace

std::string_view PatternMarker() { return kMarker; }

absl::StatusOr<OwnFields> FindOwnFields(std::string_view file) {
  OwnFields own;
  Reservation reservation(file);
  WireWalk walk(file);
  WireField field;
  while (walk.Next(field)) {
    reservation.See(field);
    if (field.type != WireType::kBytes) continue;
    if (field.number == kGraphField) own.has_graph = true;
    if (field.number != kMetadataField) continue;
    std::string_view key, value;
    if (ReadEntry(file, field, key, value) && key == kPatternKey) {
      own.ranges.push_back({field.begin, field.end});
      own.records.push_back(value);
    }
  }
  const auto file_end = static_cast<int64_t>(file.size());
  if (!walk.status().ok()) {
    if (!reservation.IsTornAt(field.begin)) return walk.status();
    const int64_t begin =
        reservation.begin() < 0 ? field.begin : reservation.begin();
    own.ranges.push_back({begin, file_end});
  } else if (reservation.begin() >= 0) {
    own.ranges.push_back({reservation.begin(), file_end});
  }
  return own;
}

std::string MakePatternField(std::string_view record) {
  std::string base64;
  absl::Base64Escape(AsAbsl(record), &base64);
  std::string entry(kMarker);
  AppendBytesHeader(2, base64.size(), entry);
  entry += base64;
  // An embedding in place needs the low seven bits of the length to leave room
  // for the marker; an unknown field of the entry makes it so.
  if (entry.size() % 128 < kMarker.size()) {
    AppendBytesHeader(kReservedField, kMarker.size(), entry);
    entry.append(kMarker.size(), '\0');
  }
  std::string bytes;
  AppendBytesHeader(kMetadataField, entry.size(), bytes);
  return bytes + entry;
}

}  // namespace memplan
