#ifndef MEMPLAN_ONNX_FRONTEND_WIRE_WALK_H_
#define MEMPLAN_ONNX_FRONTEND_WIRE_WALK_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace memplan {

// The wire types of protobuf's encoding guide.
enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5,
};

// One field of a message, as it stands in the file. Offsets count from the
// file's first byte, with 64 bits: protobuf's own stream ends at 2 GiB.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  int64_t begin = 0;          // of the tag
  int64_t payload_begin = 0;  // of a kBytes field: after the length
  int64_t end = 0;            // one past the field
  uint64_t varint = 0;        // the value of a kVarint field
};

// Messages and groups may nest as deep as this.
inline constexpr int kMaxWireDepth = 200;

// Walks the fields of one message, [begin, end) of `file`. Reads tags and
// lengths alone, so the cost is in fields, not in bytes. Every length is
// checked; nothing outside [begin, end) is touched.
class WireWalk {
 public:
  WireWalk(std::string_view file, int64_t begin, int64_t end)
      : file_(file), position_(begin), end_(end) {}
  explicit WireWalk(std::string_view file)
      : WireWalk(file, 0, static_cast<int64_t>(file.size())) {}

  // Moves to the next field. False at the end and at an error: look at
  // status(), whose message has the byte offset.
  bool Next(WireField& field);
  const absl::Status& status() const { return status_; }

 private:
  bool ReadVarint(uint64_t& value);
  bool ReadTag(WireField& field);
  bool SkipBytes(uint64_t count, const WireField& field);
  bool SkipValue(WireField& field);
  bool SkipGroup(const WireField& field);
  bool Fail(int64_t offset, std::string_view what);

  std::string_view file_;
  int64_t position_;
  int64_t end_;
  absl::Status status_;
};

// The payload of a kBytes field.
inline std::string_view Payload(std::string_view file, const WireField& field) {
  return file.substr(static_cast<size_t>(field.payload_begin),
                     static_cast<size_t>(field.end - field.payload_begin));
}

// Appends a varint, or the header of a kBytes field.
void AppendVarint(uint64_t value, std::string& out);
void AppendBytesHeader(uint32_t number, uint64_t length, std::string& out);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_WIRE_WALK_H_
