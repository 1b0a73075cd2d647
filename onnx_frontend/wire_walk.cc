#include "onnx_frontend/wire_walk.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "planner/strings.h"

namespace memplan {
namespace {

constexpr int kMaxVarintBytes = 10;

}  // namespace

bool WireWalk::Fail(int64_t offset, std::string_view what) {
  status_ = absl::InvalidArgumentError(
      absl::StrCat("byte ", offset, ": ", AsAbsl(what)));
  return false;
}

bool WireWalk::ReadVarint(uint64_t& value) {
  const int64_t start = position_;
  value = 0;
  for (int i = 0; i < kMaxVarintBytes; ++i) {
    if (position_ >= end_) return Fail(start, "the number is cut off");
    const auto byte = static_cast<uint8_t>(file_[position_++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) == 0) return true;
  }
  return Fail(start, "a number longer than ten bytes");
}

bool WireWalk::ReadTag(WireField& field) {
  field.begin = position_;
  uint64_t tag;
  if (!ReadVarint(tag)) return false;
  field.number = static_cast<uint32_t>(tag >> 3);
  if (tag > UINT32_MAX || field.number == 0) {
    return Fail(field.begin, "not a field's tag");
  }
  if ((tag & 7) > 5) return Fail(field.begin, "an unknown wire type");
  field.type = static_cast<WireType>(tag & 7);
  return true;
}

bool WireWalk::SkipBytes(uint64_t count, const WireField& field) {
  const auto left = static_cast<uint64_t>(end_ - position_);
  if (count > left) {
    return Fail(field.begin,
                absl::StrCat("field ", field.number, " is cut off: it has ",
                             count, " bytes, but only ", left, " are left"));
  }
  position_ += static_cast<int64_t>(count);
  return true;
}

// Skips what follows the tag. Of a group: only its start.
bool WireWalk::SkipValue(WireField& field) {
  field.payload_begin = position_;
  switch (field.type) {
    case WireType::kVarint:
      return ReadVarint(field.varint);
    case WireType::kFixed64:
      return SkipBytes(8, field);
    case WireType::kFixed32:
      return SkipBytes(4, field);
    case WireType::kBytes: {
      uint64_t length;
      if (!ReadVarint(length)) return false;
      field.payload_begin = position_;
      return SkipBytes(length, field);
    }
    case WireType::kGroup:
    case WireType::kEndGroup:
      return true;
  }
  return false;
}

// Groups went out of use before ONNX; an unknown field may still be one.
bool WireWalk::SkipGroup(const WireField& field) {
  std::vector<uint32_t> open = {field.number};
  while (!open.empty()) {
    WireField inner;
    if (position_ >= end_) return Fail(field.begin, "the group is cut off");
    if (!ReadTag(inner) || !SkipValue(inner)) return false;
    if (inner.type == WireType::kGroup) {
      if (open.size() >= kMaxWireDepth) {
        return Fail(inner.begin, "groups nest too deep");
      }
      open.push_back(inner.number);
    } else if (inner.type == WireType::kEndGroup) {
      if (inner.number != open.back()) {
        return Fail(inner.begin, "the end of another group");
      }
      open.pop_back();
    }
  }
  return true;
}

bool WireWalk::Next(WireField& field) {
  if (!status_.ok() || position_ >= end_) return false;
  if (!ReadTag(field)) return false;
  if (field.type == WireType::kEndGroup) {
    return Fail(field.begin, "the end of a group that never began");
  }
  if (!SkipValue(field)) return false;
  if (field.type == WireType::kGroup && !SkipGroup(field)) return false;
  field.end = position_;
  return true;
}

void AppendVarint(uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void AppendBytesHeader(uint32_t number, uint64_t length, std::string& out) {
  AppendVarint(uint64_t{number} << 3 | uint64_t{2}, out);
  AppendVarint(length, out);
}

}  // namespace memplan
