#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/crc32.h"
#include "planner/pattern_layout.h"
#include "planner/pattern_record.h"
#include "planner/pattern_view.h"
#include "planner/strings.h"

namespace memplan {
namespace {

absl::Status Damaged(std::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the record is damaged: ", AsAbsl(what)));
}

// Names are shared by patterns, so that a record may unfold to more than its
// own size; a hostile one to no more than this many times as much.
constexpr uint64_t kMaxUnfolding = 256;

class Decoder {
 public:
  explicit Decoder(std::string_view bytes)
      : bytes_(bytes),
        view_(bytes),
        rows_left_(bytes.size()),
        names_left_(bytes.size() * kMaxUnfolding) {}

  absl::StatusOr<PatternRecord> Run() {
    if (absl::Status status = CheckHeader(); !status.ok()) return status;
    const uint64_t rows = view_.Get64(layout::kPatternsOffset);
    const uint64_t count = view_.Get32(layout::kPatternCount);
    const uint64_t stride = view_.Get32(layout::kPatternSize);
    if (!TakeTable(rows, count, stride, layout::kPatternBytes)) {
      return Damaged("its patterns are out of bounds");
    }
    const uint64_t strings_at = view_.Get64(layout::kStringsOffset);
    const uint64_t strings_size = view_.Get64(layout::kStringsSize);
    if (!view_.HoldsTable(strings_at, strings_size, 1, 1)) {
      return Damaged("its names are out of bounds");
    }
    strings_ = bytes_.substr(strings_at, strings_size);
    if (strings_.size() < 2 ||
        strings_.substr(strings_.size() - 2) != std::string_view("\0", 2)) {
      return Damaged("its names do not end");
    }
    PatternRecord record;
    record.fingerprint = {view_.Get64(layout::kFingerprintHigh),
                          view_.Get64(layout::kFingerprintLow)};
    for (uint64_t i = 0; i < count; ++i) {
      absl::StatusOr<MemoryPattern> pattern = ReadPattern(rows + i * stride);
      if (!pattern.ok()) return pattern.status();
      record.patterns.push_back(*std::move(pattern));
    }
    return record;
  }

 private:
  absl::Status CheckHeader() const {
    if (!LooksLikeRecord(bytes_)) {
      return absl::InvalidArgumentError("not a memory pattern record");
    }
    if (bytes_.size() < layout::kHeaderBytes) return Damaged("it is cut off");
    if (view_.Get(layout::kVersion, 2) != layout::kMajor) {
      return absl::UnimplementedError(absl::StrCat(
          "the record has version ", view_.Get(layout::kVersion, 2), ".",
          view_.Get(layout::kVersion + 2, 2), "; this program reads version ",
          layout::kMajor, ": plan the model again"));
    }
    const uint64_t total = view_.Get64(layout::kTotalSize);
    if (total != bytes_.size()) {
      return Damaged(absl::StrCat("it says that it has ", total,
                                  " bytes, but has ", bytes_.size()));
    }
    uint32_t crc = Crc32(bytes_.substr(0, layout::kCrc));
    crc = Crc32(std::string_view("\0\0\0\0", 4), crc);
    crc = Crc32(bytes_.substr(layout::kCrc + 4), crc);
    if (crc != view_.Get32(layout::kCrc)) {
      return Damaged("its checksum is wrong");
    }
    if ((view_.Get32(layout::kFlags) & layout::kMustUnderstand) != 0) {
      return absl::UnimplementedError(
          "the record needs a newer version of this program");
    }
    return absl::OkStatus();
  }

  // Two strings follow from every offset that a device takes.
  bool ReadText(uint64_t offset, std::string& text) {
    return offset < strings_.size() - 1 && ReadString(offset, text);
  }

  bool ReadString(uint64_t offset, std::string& text) {
    if (offset >= strings_.size()) return false;
    const size_t end = strings_.find('\0', offset);
    if (end == std::string_view::npos || end - offset > names_left_) {
      return false;
    }
    names_left_ -= end - offset;
    text = strings_.substr(offset, end - offset);
    return true;
  }

  // A table that is in bounds. No two tables are the same bytes, or a small
  // record could unfold to a huge one.
  bool TakeTable(uint64_t offset, uint64_t count, uint64_t stride,
                 uint64_t least) {
    if (!view_.HoldsTable(offset, count, stride, least) ||
        count * stride > rows_left_) {
      return false;
    }
    rows_left_ -= count * stride;
    return true;
  }

  absl::StatusOr<MemoryPattern> ReadPattern(uint64_t row) {
    MemoryPattern pattern;
    const uint32_t flags = view_.Get32(row + layout::kPatternFlags);
    pattern.optimal = (flags & layout::kOptimalFlag) != 0;
    if (!view_.GetSize(row + layout::kArenaSize, pattern.arena_size) ||
        !view_.GetSize(row + layout::kAlignment, pattern.alignment) ||
        !view_.GetSize(row + layout::kMaxLiveBytes, pattern.max_live_bytes) ||
        !view_.GetSize(row + layout::kLowerBound, pattern.lower_bound) ||
        !view_.GetSize(row + layout::kNumSteps, pattern.num_steps) ||
        pattern.num_steps > UINT32_MAX || pattern.alignment == 0 ||
        (pattern.alignment & (pattern.alignment - 1)) != 0) {
      return Damaged("a pattern's numbers are out of range");
    }
    if (!ReadText(view_.Get32(row + layout::kSolver), pattern.solver)) {
      return Damaged("a name is out of bounds");
    }
    absl::Status status =
        ReadTensors(row, (flags & layout::kWideFlag) != 0, pattern);
    if (status.ok()) status = CheckIndex(row, pattern);
    if (status.ok()) status = CheckSharing(pattern);
    if (status.ok()) status = ReadInputs(row, pattern);
    if (status.ok()) status = ReadDims(row, pattern);
    if (!status.ok()) return status;
    return pattern;
  }

  absl::Status ReadTensors(uint64_t row, bool wide, MemoryPattern& pattern) {
    const uint64_t stride = view_.Get32(row + layout::kTensorSize);
    const uint64_t count = view_.Get32(row + layout::kTensorCount);
    uint64_t at = view_.Get64(row + layout::kTensorsOffset);
    if (!TakeTable(
            at, count, stride,
            wide ? layout::kWideTensorBytes : layout::kNarrowTensorBytes)) {
      return Damaged("its tensors are out of bounds");
    }
    pattern.tensors.reserve(count);
    for (uint64_t i = 0; i < count; ++i, at += stride) {
      PatternTensor tensor;
      if (absl::Status status = ReadTensor(at, wide, pattern, tensor);
          !status.ok()) {
        return status;
      }
      pattern.tensors.push_back(std::move(tensor));
    }
    return absl::OkStatus();
  }

  absl::Status ReadTensor(uint64_t at, bool wide, const MemoryPattern& pattern,
                          PatternTensor& tensor) {
    const int width = wide ? 8 : 4;
    const uint64_t rest = at + 2 * static_cast<uint64_t>(width);
    tensor.offset = static_cast<int64_t>(view_.Get(at, width));
    tensor.size = static_cast<int64_t>(
        view_.Get(at + static_cast<uint64_t>(width), width));
    tensor.lifespan = {view_.Get32(rest + layout::kTensorBegin),
                       view_.Get32(rest + layout::kTensorEnd)};
    const uint32_t name = view_.Get32(rest + layout::kTensorName);
    if (!ReadText(name, tensor.scope) ||
        !ReadString(name + tensor.scope.size() + 1, tensor.name)) {
      return Damaged("a name is out of bounds");
    }
    const uint32_t link = view_.Get32(rest + layout::kTensorLink);
    const uint32_t kind = link >> layout::kLinkKindShift;
    const uint32_t other = link & layout::kLinkIndexMask;
    tensor.size_is_bound = (link & layout::kLinkBoundFlag) != 0;
    if (kind > static_cast<uint32_t>(SharingKind::kPart)) {
      return Damaged("an unknown kind of sharing");
    }
    tensor.sharing = static_cast<SharingKind>(kind);
    if (other != 0) tensor.shares_with = static_cast<int32_t>(other - 1);
    const std::optional<int64_t> end = CheckedAdd(tensor.offset, tensor.size);
    if (tensor.offset < 0 || tensor.size < 0 || !end.has_value() ||
        *end > pattern.arena_size ||
        tensor.lifespan.begin > tensor.lifespan.end ||
        tensor.lifespan.end > pattern.num_steps ||
        (other != 0) != (tensor.sharing != SharingKind::kNone)) {
      return Damaged(
          absl::StrCat("tensor '", tensor.name, "' is out of bounds"));
    }
    return absl::OkStatus();
  }

  // The index is for devices: it must list each tensor once, sorted.
  absl::Status CheckIndex(uint64_t row, const MemoryPattern& pattern) {
    const uint64_t count = pattern.tensors.size();
    const uint64_t index = view_.Get64(row + layout::kIndexOffset);
    if (!TakeTable(index, count, 4, 4)) {
      return Damaged("its index is out of bounds");
    }
    std::vector<bool> seen(count);
    const PatternTensor* before = nullptr;
    for (uint64_t i = 0; i < count; ++i) {
      const uint32_t number = view_.Get32(index + 4 * i);
      if (number >= count || seen[number]) {
        return Damaged("its index does not list each tensor once");
      }
      seen[number] = true;
      const PatternTensor& tensor = pattern.tensors[number];
      if (before != nullptr && std::tie(before->scope, before->name) >
                                   std::tie(tensor.scope, tensor.name)) {
        return Damaged("its index is not sorted");
      }
      before = &tensor;
    }
    return absl::OkStatus();
  }

  // Every chain of tensors that share must end. Walked once over all.
  static absl::Status CheckSharing(const MemoryPattern& pattern) {
    const size_t count = pattern.tensors.size();
    std::vector<uint32_t> walked(count, 0);  // by which walk, from 1
    for (size_t start = 0; start < count; ++start) {
      const auto walk = static_cast<uint32_t>(start + 1);
      size_t at = start;
      while (walked[at] == 0) {
        walked[at] = walk;
        const std::optional<int32_t> next = pattern.tensors[at].shares_with;
        if (!next.has_value()) break;
        if (static_cast<size_t>(*next) >= count) {
          return Damaged("a tensor shares with none");
        }
        at = static_cast<size_t>(*next);
        if (walked[at] == walk) return Damaged("tensors share in a circle");
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadInputs(uint64_t row, MemoryPattern& pattern) {
    const uint64_t stride = view_.Get32(row + layout::kInputSize);
    const uint64_t count = view_.Get32(row + layout::kInputCount);
    uint64_t at = view_.Get64(row + layout::kInputsOffset);
    if (!TakeTable(at, count, stride, layout::kInputBytes)) {
      return Damaged("its inputs are out of bounds");
    }
    for (uint64_t i = 0; i < count; ++i, at += stride) {
      PatternInput input;
      const uint64_t rank = view_.Get32(at + layout::kInputRank);
      uint64_t range = view_.Get64(at + layout::kInputShape);
      if (!ReadText(view_.Get32(at + layout::kInputName), input.name) ||
          !TakeTable(range, rank, layout::kRangeBytes, layout::kRangeBytes)) {
        return Damaged("an input is out of bounds");
      }
      for (uint64_t d = 0; d < rank; ++d, range += layout::kRangeBytes) {
        int64_t low, high;
        if (!view_.GetSize(range, low) || !view_.GetSize(range + 8, high) ||
            low > high) {
          return Damaged(absl::StrCat("the shape of input '", input.name, "'"));
        }
        if (low != high) {
          return absl::UnimplementedError(
              "a pattern for ranges of shapes: it needs a newer version");
        }
        input.shape.push_back(low);
      }
      pattern.inputs.push_back(std::move(input));
    }
    return absl::OkStatus();
  }

  absl::Status ReadDims(uint64_t row, MemoryPattern& pattern) {
    const uint64_t stride = view_.Get32(row + layout::kDimSize);
    const uint64_t count = view_.Get32(row + layout::kDimCount);
    uint64_t at = view_.Get64(row + layout::kDimsOffset);
    if (!TakeTable(at, count, stride, layout::kDimBytes)) {
      return Damaged("its dimensions are out of bounds");
    }
    for (uint64_t i = 0; i < count; ++i, at += stride) {
      std::string name;
      if (!ReadText(view_.Get32(at + layout::kDimName), name)) {
        return Damaged("a name is out of bounds");
      }
      const uint64_t value = view_.Get64(at + layout::kDimValue);
      switch (
          static_cast<layout::DimKind>(view_.Get32(at + layout::kDimKind))) {
        case layout::DimKind::kSymbol:
          pattern.dims[name] = static_cast<int64_t>(value);
          break;
        case layout::DimKind::kContent:
          if (!ReadText(value, pattern.input_values[name].emplace_back())) {
            return Damaged("a name is out of bounds");
          }
          break;
        case layout::DimKind::kBound:
          pattern.bounds[name].push_back(static_cast<int64_t>(value));
          break;
        default:  // of a newer version, for people
          break;
      }
    }
    return absl::OkStatus();
  }

  std::string_view bytes_;
  PatternView view_;
  std::string_view strings_;
  uint64_t rows_left_;   // bytes that tables may still take
  uint64_t names_left_;  // bytes that copies of names may still take
};

}  // namespace

absl::StatusOr<PatternRecord> DecodeRecord(std::string_view bytes) {
  return Decoder(bytes).Run();
}

}  // namespace memplan
