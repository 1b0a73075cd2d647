#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "planner/checked_math.h"
#include "planner/crc32.h"
#include "planner/pattern_layout.h"
#include "planner/pattern_record.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// Bytes in the making. Tables are appended and filled by position.
class Bytes {
 public:
  uint64_t size() const { return bytes_.size(); }
  std::string Take() { return std::move(bytes_); }
  std::string_view view() const { return bytes_; }

  // `count` zero bytes at the next multiple of eight; gives their start.
  uint64_t Append(uint64_t count) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const uint64_t start = bytes_.size();
    bytes_.resize(bytes_.size() + count);
    return start;
  }
  void Append(std::string_view text) { bytes_.append(text); }

  void Put(uint64_t at, uint64_t value, int width) {
    for (int i = 0; i < width; ++i, value >>= 8) {
      bytes_[at + static_cast<uint64_t>(i)] = static_cast<char>(value & 0xff);
    }
  }
  void Put32(uint64_t at, uint64_t value) { Put(at, value, 4); }
  void Put64(uint64_t at, uint64_t value) { Put(at, value, 8); }
  void Put64(uint64_t at, int64_t value) {
    Put(at, static_cast<uint64_t>(value), 8);
  }

 private:
  std::string bytes_;
};

// Each string once, ended by a zero byte.
class StringPool {
 public:
  uint32_t Add(std::string_view text) {
    const auto [it, is_new] =
        offsets_.try_emplace(std::string(text), pool_.size());
    if (is_new) pool_.append(text).push_back('\0');
    return static_cast<uint32_t>(it->second);
  }
  // A name in a scope: two strings, one after the other.
  uint32_t Add(std::string_view scope, std::string_view name) {
    std::string both(scope);
    both.push_back('\0');
    return Add(both.append(name));
  }
  // Two zero bytes at the end let a reader find two strings from any offset.
  std::string_view Finish() { return pool_.append(2, '\0'); }

 private:
  std::string pool_;
  absl::flat_hash_map<std::string, size_t> offsets_;
};

absl::Status Invalid(std::string_view what, std::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat(AsAbsl(what), ": '", absl::CHexEscape(AsAbsl(name)), "'"));
}

absl::Status CheckText(std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return absl::OkStatus();
  return Invalid("a record cannot hold a name with a zero byte", text);
}

absl::Status CheckTensor(const MemoryPattern& pattern,
                         const PatternTensor& tensor) {
  for (const std::string* text : {&tensor.name, &tensor.scope}) {
    if (absl::Status status = CheckText(*text); !status.ok()) return status;
  }
  const std::optional<int64_t> end = CheckedAdd(tensor.offset, tensor.size);
  if (tensor.offset < 0 || tensor.size < 0 || !end.has_value() ||
      *end > pattern.arena_size) {
    return Invalid("a tensor outside the arena", tensor.name);
  }
  const Lifespan& life = tensor.lifespan;
  if (life.begin < 0 || life.begin > life.end || life.end > pattern.num_steps) {
    return Invalid("a tensor with steps out of range", tensor.name);
  }
  if (tensor.shares_with.has_value() !=
          (tensor.sharing != SharingKind::kNone) ||
      (tensor.shares_with.has_value() &&
       (*tensor.shares_with < 0 ||
        static_cast<size_t>(*tensor.shares_with) >= pattern.tensors.size()))) {
    return Invalid("a tensor that shares with none", tensor.name);
  }
  return absl::OkStatus();
}

absl::Status CheckPattern(const MemoryPattern& pattern) {
  if (pattern.arena_size < 0 || pattern.max_live_bytes < 0 ||
      pattern.lower_bound < 0 || pattern.alignment < 1 ||
      (pattern.alignment & (pattern.alignment - 1)) != 0 ||
      pattern.num_steps < 0 || pattern.num_steps > UINT32_MAX) {
    return absl::InvalidArgumentError("a pattern with numbers out of range");
  }
  if (pattern.tensors.size() >= layout::kLinkIndexMask) {
    return absl::InvalidArgumentError("too many tensors for a record");
  }
  for (const PatternTensor& tensor : pattern.tensors) {
    if (absl::Status status = CheckTensor(pattern, tensor); !status.ok()) {
      return status;
    }
  }
  for (const PatternInput& input : pattern.inputs) {
    if (absl::Status status = CheckText(input.name); !status.ok()) {
      return status;
    }
    for (const int64_t dim : input.shape) {
      if (dim < 0) return Invalid("an input of negative size", input.name);
    }
  }
  for (const auto& [name, value] : pattern.dims) {
    if (absl::Status status = CheckText(name); !status.ok()) return status;
  }
  for (const auto& [name, content] : pattern.input_values) {
    if (absl::Status status = CheckText(name); !status.ok()) return status;
    for (const std::string& element : content) {
      if (absl::Status s = CheckText(element); !s.ok()) return s;
    }
  }
  for (const auto& [name, bound] : pattern.bounds) {
    if (absl::Status status = CheckText(name); !status.ok()) return status;
  }
  return CheckText(pattern.solver);
}

void PutTensors(const MemoryPattern& pattern, uint64_t row, Bytes& out,
                StringPool& strings) {
  const bool wide = pattern.arena_size > UINT32_MAX;
  const int width = wide ? 8 : 4;
  const uint64_t stride =
      wide ? layout::kWideTensorBytes : layout::kNarrowTensorBytes;
  uint64_t at = out.Append(stride * pattern.tensors.size());
  out.Put64(row + layout::kTensorsOffset, at);
  out.Put32(row + layout::kTensorCount, pattern.tensors.size());
  out.Put32(row + layout::kTensorSize, stride);
  for (const PatternTensor& tensor : pattern.tensors) {
    out.Put(at, static_cast<uint64_t>(tensor.offset), width);
    out.Put(at + static_cast<uint64_t>(width),
            static_cast<uint64_t>(tensor.size), width);
    const uint64_t rest = at + 2 * static_cast<uint64_t>(width);
    uint32_t link = static_cast<uint32_t>(tensor.sharing)
                    << layout::kLinkKindShift;
    if (tensor.size_is_bound) link |= layout::kLinkBoundFlag;
    if (tensor.shares_with.has_value()) {
      link |= static_cast<uint32_t>(*tensor.shares_with) + 1;
    }
    out.Put32(rest + layout::kTensorBegin,
              static_cast<uint64_t>(tensor.lifespan.begin));
    out.Put32(rest + layout::kTensorEnd,
              static_cast<uint64_t>(tensor.lifespan.end));
    out.Put32(rest + layout::kTensorName,
              strings.Add(tensor.scope, tensor.name));
    out.Put32(rest + layout::kTensorLink, link);
    at += stride;
  }
}

// The tensors' numbers, sorted by scope and name, for a search by halves.
void PutIndex(const MemoryPattern& pattern, uint64_t row, Bytes& out) {
  const std::vector<PatternTensor>& tensors = pattern.tensors;
  std::vector<uint32_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(tensors[a].scope, tensors[a].name, a) <
           std::tie(tensors[b].scope, tensors[b].name, b);
  });
  uint64_t at = out.Append(4 * order.size());
  out.Put64(row + layout::kIndexOffset, at);
  for (const uint32_t tensor : order) {
    out.Put32(at, tensor);
    at += 4;
  }
}

void PutInputs(const MemoryPattern& pattern, uint64_t row, Bytes& out,
               StringPool& strings) {
  uint64_t at = out.Append(layout::kInputBytes * pattern.inputs.size());
  out.Put64(row + layout::kInputsOffset, at);
  out.Put32(row + layout::kInputCount, pattern.inputs.size());
  out.Put32(row + layout::kInputSize, layout::kInputBytes);
  for (const PatternInput& input : pattern.inputs) {
    uint64_t range = out.Append(layout::kRangeBytes * input.shape.size());
    out.Put32(at + layout::kInputName, strings.Add(input.name));
    out.Put32(at + layout::kInputRank, input.shape.size());
    out.Put64(at + layout::kInputShape, range);
    at += layout::kInputBytes;
    for (const int64_t dim : input.shape) {
      out.Put64(range, dim);
      out.Put64(range + 8, dim);
      range += layout::kRangeBytes;
    }
  }
}

// A row of the table of what was said.
struct DimRow {
  std::string_view name;
  layout::DimKind kind;
  int64_t value;
};

std::vector<DimRow> DimRows(const MemoryPattern& pattern, StringPool& strings) {
  std::vector<DimRow> rows;
  for (const auto& [name, value] : pattern.dims) {
    rows.push_back({name, layout::DimKind::kSymbol, value});
  }
  for (const auto& [name, content] : pattern.input_values) {
    for (const std::string& element : content) {
      rows.push_back({name, layout::DimKind::kContent, strings.Add(element)});
    }
  }
  for (const auto& [name, bound] : pattern.bounds) {
    for (const int64_t dim : bound) {
      rows.push_back({name, layout::DimKind::kBound, dim});
    }
  }
  return rows;
}

void PutDims(const MemoryPattern& pattern, uint64_t row, Bytes& out,
             StringPool& strings) {
  const std::vector<DimRow> dims = DimRows(pattern, strings);
  uint64_t at = out.Append(layout::kDimBytes * dims.size());
  out.Put64(row + layout::kDimsOffset, at);
  out.Put32(row + layout::kDimCount, dims.size());
  out.Put32(row + layout::kDimSize, layout::kDimBytes);
  for (const DimRow& dim : dims) {
    out.Put32(at + layout::kDimName, strings.Add(dim.name));
    out.Put32(at + layout::kDimKind, static_cast<uint32_t>(dim.kind));
    out.Put64(at + layout::kDimValue, dim.value);
    at += layout::kDimBytes;
  }
}

void PutPattern(const MemoryPattern& pattern, uint64_t row, Bytes& out,
                StringPool& strings) {
  uint32_t flags = 0;
  if (pattern.optimal) flags |= layout::kOptimalFlag;
  if (pattern.arena_size > UINT32_MAX) flags |= layout::kWideFlag;
  out.Put64(row + layout::kArenaSize, pattern.arena_size);
  out.Put64(row + layout::kAlignment, pattern.alignment);
  out.Put64(row + layout::kMaxLiveBytes, pattern.max_live_bytes);
  out.Put64(row + layout::kLowerBound, pattern.lower_bound);
  out.Put64(row + layout::kNumSteps, pattern.num_steps);
  out.Put32(row + layout::kPatternFlags, flags);
  out.Put32(row + layout::kSolver, strings.Add(pattern.solver));
  PutTensors(pattern, row, out, strings);
  PutIndex(pattern, row, out);
  PutInputs(pattern, row, out, strings);
  PutDims(pattern, row, out, strings);
}

}  // namespace

absl::StatusOr<std::string> EncodeRecord(const PatternRecord& record) {
  for (const MemoryPattern& pattern : record.patterns) {
    if (absl::Status status = CheckPattern(pattern); !status.ok()) {
      return status;
    }
  }
  Bytes out;
  StringPool strings;
  out.Append(layout::kHeaderBytes);
  const uint64_t rows =
      out.Append(layout::kPatternBytes * record.patterns.size());
  for (size_t i = 0; i < record.patterns.size(); ++i) {
    PutPattern(record.patterns[i], rows + i * layout::kPatternBytes, out,
               strings);
  }
  const std::string_view pool = strings.Finish();
  if (pool.size() > UINT32_MAX) {
    return absl::InvalidArgumentError("names of more than 4 GiB");
  }
  out.Append(0);
  const uint64_t strings_at = out.size();
  out.Append(pool);
  out.Append(0);
  out.Put(0, 0x4e414c504d454d, 8);  // "MEMPLAN\0"
  out.Put(layout::kVersion, layout::kMajor, 2);
  out.Put(layout::kVersion + 2, layout::kMinor, 2);
  out.Put32(layout::kHeaderSize, layout::kHeaderBytes);
  out.Put64(layout::kTotalSize, out.size());
  out.Put64(layout::kFingerprintLow, record.fingerprint.low);
  out.Put64(layout::kFingerprintHigh, record.fingerprint.high);
  out.Put32(layout::kPatternCount, record.patterns.size());
  out.Put32(layout::kPatternSize, layout::kPatternBytes);
  out.Put64(layout::kPatternsOffset, rows);
  out.Put64(layout::kStringsOffset, strings_at);
  out.Put64(layout::kStringsSize, uint64_t{pool.size()});
  out.Put32(layout::kCrc, Crc32(out.view()));
  return out.Take();
}

}  // namespace memplan
