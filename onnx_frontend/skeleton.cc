#include "onnx_frontend/skeleton.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/type.h"
#include "onnx_frontend/wire_walk.h"

namespace memplan {
namespace {

enum class Kind : uint8_t {
  kNone,  // not a message, or one that nobody looks into
  kModel,
  kGraph,
  kNode,
  kAttribute,
  kTensor,
  kSparseTensor,
  kFunction,
  kTraining,
  kValueInfo,
  kType,
  kTensorType,
  kSequenceType,
  kMapType,
  kShape,
  kEntry,
  kAnnotation,
  kLeaf,  // a message without messages
};

struct Child {
  Kind parent;
  uint32_t field;
  Kind child;
};

// Which field holds which message: onnx.proto, IR version 13.
constexpr Child kChildren[] = {
    {Kind::kModel, 7, Kind::kGraph},
    {Kind::kModel, 8, Kind::kLeaf},
    {Kind::kModel, 14, Kind::kEntry},
    {Kind::kModel, 20, Kind::kTraining},
    {Kind::kModel, 25, Kind::kFunction},
    {Kind::kGraph, 1, Kind::kNode},
    {Kind::kGraph, 5, Kind::kTensor},
    {Kind::kGraph, 11, Kind::kValueInfo},
    {Kind::kGraph, 12, Kind::kValueInfo},
    {Kind::kGraph, 13, Kind::kValueInfo},
    {Kind::kGraph, 14, Kind::kAnnotation},
    {Kind::kGraph, 15, Kind::kSparseTensor},
    {Kind::kNode, 5, Kind::kAttribute},
    {Kind::kAttribute, 5, Kind::kTensor},
    {Kind::kAttribute, 6, Kind::kGraph},
    {Kind::kAttribute, 10, Kind::kTensor},
    {Kind::kAttribute, 11, Kind::kGraph},
    {Kind::kAttribute, 14, Kind::kType},
    {Kind::kAttribute, 15, Kind::kType},
    {Kind::kAttribute, 22, Kind::kSparseTensor},
    {Kind::kAttribute, 23, Kind::kSparseTensor},
    {Kind::kTensor, 13, Kind::kEntry},
    {Kind::kSparseTensor, 1, Kind::kTensor},
    {Kind::kSparseTensor, 2, Kind::kTensor},
    {Kind::kFunction, 7, Kind::kNode},
    {Kind::kFunction, 9, Kind::kLeaf},
    {Kind::kFunction, 11, Kind::kAttribute},
    {Kind::kFunction, 12, Kind::kValueInfo},
    {Kind::kTraining, 1, Kind::kGraph},
    {Kind::kTraining, 2, Kind::kGraph},
    {Kind::kTraining, 3, Kind::kEntry},
    {Kind::kTraining, 4, Kind::kEntry},
    {Kind::kValueInfo, 2, Kind::kType},
    {Kind::kType, 1, Kind::kTensorType},
    {Kind::kType, 4, Kind::kSequenceType},
    {Kind::kType, 5, Kind::kMapType},
    {Kind::kType, 8, Kind::kTensorType},
    {Kind::kType, 9, Kind::kSequenceType},  // an optional looks the same
    {Kind::kTensorType, 2, Kind::kShape},
    {Kind::kSequenceType, 1, Kind::kType},
    {Kind::kMapType, 2, Kind::kType},
    {Kind::kShape, 1, Kind::kLeaf},
    {Kind::kAnnotation, 2, Kind::kEntry},
};

constexpr size_t kKinds = static_cast<size_t>(Kind::kLeaf) + 1;
constexpr size_t kFields = 26;
using ChildTable = std::array<std::array<Kind, kFields>, kKinds>;

constexpr ChildTable MakeChildTable() {
  ChildTable table{};
  for (const Child& row : kChildren) {
    table[static_cast<size_t>(row.parent)][row.field] = row.child;
  }
  return table;
}

Kind ChildOf(Kind parent, uint32_t field) {
  static constexpr ChildTable kTable = MakeChildTable();
  return field < kFields ? kTable[static_cast<size_t>(parent)][field]
                         : Kind::kNone;
}

bool IsDocString(Kind kind, uint32_t field) {
  switch (kind) {
    case Kind::kModel:
    case Kind::kNode:
      return field == 6;
    case Kind::kGraph:
      return field == 10;
    case Kind::kAttribute:
      return field == 13;
    case Kind::kTensor:
      return field == 12;
    case Kind::kFunction:
      return field == 8;
    case Kind::kValueInfo:
      return field == 3;
    default:
      return false;
  }
}

// Fields whose bytes are taken as a list of numbers.
bool IsTensorData(uint32_t field) {
  return (field >= 4 && field <= 7) || (field >= 9 && field <= 11);
}

// Names must stay, whatever their length, or two of them may become one.
bool IsOpaque(Kind kind, uint32_t field) {
  switch (kind) {
    case Kind::kModel:
      return field > 8 && field != 14;
    case Kind::kGraph:
      return field != 2;
    case Kind::kNode:
      return field > 7;
    case Kind::kAttribute:
      return field == 4 || field > 23;  // a string; what later versions add
    case Kind::kTensor:
      return field > 14;
    case Kind::kFunction:
      return field > 10;
    case Kind::kEntry:
      return field == 2;
    default:
      return false;
  }
}

// What a parsed message takes at most, its pointer in the parent included.
int64_t MessageBytes(Kind kind) {
  switch (kind) {
    case Kind::kGraph:
    case Kind::kNode:
    case Kind::kAttribute:
    case Kind::kTensor:
    case Kind::kFunction:
      return 400;
    default:
      return 100;
  }
}

// A string's object, where it is not inside the message.
constexpr int64_t kStringBytes = 48;
// A number of its own, or an unknown field.
constexpr int64_t kScalarBytes = 40;
// A packed byte becomes a number of eight bytes.
constexpr int64_t kBytesOfPackedByte = 8;

constexpr int64_t kSmallPayload = 1024;
// Lengths are written with so many bytes, whatever they are, since they become
// known only after what they count.
constexpr size_t kLengthBytes = 5;

class Cutter {
 public:
  explicit Cutter(std::string_view file) : file_(file) {}

  absl::Status Run() {
    absl::StatusOr<OwnFields> own = FindOwnFields(file_);
    if (!own.ok()) return own.status();
    own_ = *std::move(own);
    for (std::string_view record : own_.records) {
      result_.records.emplace_back(record);
    }
    // Between our own fields, everything is the model's.
    int64_t begin = 0;
    for (const ByteRange& range : own_.ranges) {
      absl::Status status = Copy(Kind::kModel, begin, range.begin, 0);
      if (!status.ok()) return status;
      begin = range.end;
    }
    return Copy(Kind::kModel, begin, static_cast<int64_t>(file_.size()), 0);
  }

  Skeleton TakeResult() {
    result_.external_data.assign(locations_.begin(), locations_.end());
    return std::move(result_);
  }

 private:
  absl::Status Copy(Kind kind, int64_t begin, int64_t end, int depth) {
    if (depth > kMaxWireDepth) {
      return absl::InvalidArgumentError(
          absl::StrCat("byte ", begin, ": messages nest too deep"));
    }
    const bool keeps_data =
        kind != Kind::kTensor || KeepsTensorData(begin, end);
    WireWalk walk(file_, begin, end);
    WireField field;
    while (walk.Next(field)) {
      absl::Status status = CopyField(kind, keeps_data, field, depth);
      if (!status.ok()) return status;
    }
    if (walk.status().ok() && !keeps_data) MarkAsLeftOut();
    return walk.status();
  }

  absl::Status CopyField(Kind kind, bool keeps_data, const WireField& field,
                         int depth) {
    if (kind == Kind::kTensor && !keeps_data && IsTensorData(field.number)) {
      LeaveOut(field);
      return absl::OkStatus();
    }
    const bool is_bytes = field.type == WireType::kBytes;
    if (is_bytes) {
      if (IsDocString(kind, field.number)) return absl::OkStatus();
      const Kind child = ChildOf(kind, field.number);
      if (child != Kind::kNone) return CopyChild(child, field, depth);
    }
    if (field.end - field.begin > kMaxOpaqueField &&
        IsOpaque(kind, field.number)) {
      LeaveOut(field);
      return absl::OkStatus();
    }
    if (kind == Kind::kEntry && is_bytes) NoteLocation(field);
    return CopyBytes(field);
  }

  absl::Status CopyChild(Kind child, const WireField& field, int depth) {
    if (child == Kind::kGraph && depth == 0) result_.has_graph = true;
    if (child == Kind::kEntry) entry_is_location_ = false;
    absl::Status status = Charge(MessageBytes(child), field);
    if (!status.ok()) return status;
    AppendVarint(uint64_t{field.number} << 3 | uint64_t{2}, result_.bytes);
    const size_t length_at = result_.bytes.size();
    result_.bytes.append(kLengthBytes, '\0');
    status = Copy(child, field.payload_begin, field.end, depth + 1);
    if (!status.ok()) return status;
    uint64_t length = result_.bytes.size() - length_at - kLengthBytes;
    for (size_t i = 0; i < kLengthBytes; ++i, length >>= 7) {
      const uint64_t more = i + 1 < kLengthBytes ? 0x80 : 0;
      result_.bytes[length_at + i] = static_cast<char>((length & 0x7f) | more);
    }
    return absl::OkStatus();
  }

  absl::Status CopyBytes(const WireField& field) {
    const int64_t size = field.end - field.begin;
    int64_t cost = kScalarBytes;
    if (field.type == WireType::kBytes) {
      cost = kStringBytes + size * kBytesOfPackedByte;
    } else if (field.type == WireType::kGroup) {
      cost = size * kScalarBytes;
    }
    if (absl::Status status = Charge(cost, field); !status.ok()) return status;
    result_.bytes.append(file_.substr(static_cast<size_t>(field.begin),
                                      static_cast<size_t>(size)));
    return absl::OkStatus();
  }

  absl::Status Charge(int64_t cost, const WireField& field) {
    parsed_bytes_ += cost;
    if (parsed_bytes_ <= kMaxParsedBytes) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "byte ", field.begin, ": the model's structure (without weights) ",
        "would take more than ", kMaxParsedBytes >> 30, " GiB of memory"));
  }

  // All of a tensor's data stays or none, so that no reader sees half of it.
  bool KeepsTensorData(int64_t begin, int64_t end) {
    WireWalk walk(file_, begin, end);
    WireField field;
    int64_t payload = 0;
    auto element = ElementType::kUndefined;
    while (walk.Next(field)) {
      if (IsTensorData(field.number)) payload += field.end - field.begin;
      if (field.number == 2 && field.type == WireType::kVarint) {
        element = static_cast<ElementType>(field.varint);
      }
    }
    if (payload <= kSmallPayload) return true;
    const bool counts =
        element == ElementType::kInt64 || element == ElementType::kInt32 ||
        element == ElementType::kUint64 || element == ElementType::kUint32;
    if (payload > (counts ? kMaxIntegerPayload : kMaxOtherPayload) ||
        payload > kMaxSumOfPayloads - payloads_) {
      return false;
    }
    payloads_ += payload;
    return true;
  }

  void LeaveOut(const WireField& field) {
    const ByteRange range = {field.payload_begin, field.end};
    // Unpacked fields come in millions: one range for a run of them.
    if (!result_.left_out.empty() &&
        result_.left_out.back().end == field.begin) {
      result_.left_out.back().end = range.end;
    } else {
      result_.left_out.push_back(range);
    }
  }

  void MarkAsLeftOut() {
    AppendVarint(14 << 3, result_.bytes);  // TensorProto.data_location
    AppendVarint(1, result_.bytes);        // EXTERNAL
  }

  // Entries of external_data: key "location", value a path. Other entries with
  // that key do no harm: the locations are for a warning only.
  void NoteLocation(const WireField& field) {
    const std::string_view text = Payload(file_, field);
    if (field.number == 1) entry_is_location_ = text == "location";
    if (field.number == 2 && entry_is_location_ && text.size() <= 4096 &&
        locations_.size() < 1000) {
      locations_.emplace(text);
    }
  }

  std::string_view file_;
  OwnFields own_;
  Skeleton result_;
  std::set<std::string, std::less<>> locations_;
  int64_t payloads_ = 0;      // of kept data above kSmallPayload
  int64_t parsed_bytes_ = 0;  // an estimate from above
  bool entry_is_location_ = false;
};

}  // namespace

absl::StatusOr<Skeleton> CutWeights(std::string_view file) {
  Cutter cutter(file);
  if (absl::Status status = cutter.Run(); !status.ok()) return status;
  return cutter.TakeResult();
}

}  // namespace memplan
