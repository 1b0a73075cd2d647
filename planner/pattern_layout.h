#ifndef MEMPLAN_PLANNER_PATTERN_LAYOUT_H_
#define MEMPLAN_PLANNER_PATTERN_LAYOUT_H_

#include <cstdint>
#include <string_view>

namespace memplan {

// The record's layout, as docs/file_formats.md has it: where each number is,
// in bytes from the start of its table's row. What runtime/memory_pattern.h
// reads, pattern_record.cc writes; tests hold the two together.
namespace layout {

inline constexpr std::string_view kMagic("MEMPLAN\0", 8);
inline constexpr uint16_t kMajor = 1;
inline constexpr uint16_t kMinor = 0;
// A reader refuses a record with a flag below this mask that it does not know.
inline constexpr uint32_t kMustUnderstand = 0xffff;

// The header.
inline constexpr uint64_t kVersion = 8;  // u16 major, u16 minor
inline constexpr uint64_t kHeaderSize = 12;
inline constexpr uint64_t kTotalSize = 16;
inline constexpr uint64_t kCrc = 24;
inline constexpr uint64_t kFlags = 28;
inline constexpr uint64_t kFingerprintLow = 32;
inline constexpr uint64_t kFingerprintHigh = 40;
inline constexpr uint64_t kPatternCount = 48;
inline constexpr uint64_t kPatternSize = 52;
inline constexpr uint64_t kPatternsOffset = 56;
inline constexpr uint64_t kStringsOffset = 64;
inline constexpr uint64_t kStringsSize = 72;
inline constexpr uint64_t kHeaderBytes = 80;

// A pattern.
inline constexpr uint64_t kArenaSize = 0;
inline constexpr uint64_t kAlignment = 8;
inline constexpr uint64_t kMaxLiveBytes = 16;
inline constexpr uint64_t kLowerBound = 24;
inline constexpr uint64_t kNumSteps = 32;
inline constexpr uint64_t kPatternFlags = 40;
inline constexpr uint64_t kSolver = 44;
inline constexpr uint64_t kTensorsOffset = 48;
inline constexpr uint64_t kTensorCount = 56;
inline constexpr uint64_t kTensorSize = 60;
inline constexpr uint64_t kIndexOffset = 64;
inline constexpr uint64_t kInputsOffset = 72;
inline constexpr uint64_t kInputCount = 80;
inline constexpr uint64_t kInputSize = 84;
inline constexpr uint64_t kDimsOffset = 88;
inline constexpr uint64_t kDimCount = 96;
inline constexpr uint64_t kDimSize = 100;
inline constexpr uint64_t kPatternBytes = 112;

inline constexpr uint32_t kOptimalFlag = 1;
inline constexpr uint32_t kWideFlag = 2;  // offsets and sizes have 64 bits

// A tensor: offset and size (u32 or u64), then these u32, from their end.
inline constexpr uint64_t kNarrowTensorBytes = 24;
inline constexpr uint64_t kWideTensorBytes = 32;
inline constexpr uint64_t kTensorBegin = 0;
inline constexpr uint64_t kTensorEnd = 4;
inline constexpr uint64_t kTensorName = 8;
inline constexpr uint64_t kTensorLink = 12;
// The link: index of the tensor that it shares with plus one, flags, kind.
inline constexpr uint32_t kLinkIndexMask = 0x0fffffff;
inline constexpr uint32_t kLinkBoundFlag = 0x10000000;
inline constexpr int kLinkKindShift = 29;

// An input, and the range of each of its dimensions.
inline constexpr uint64_t kInputName = 0;
inline constexpr uint64_t kInputRank = 4;
inline constexpr uint64_t kInputShape = 8;
inline constexpr uint64_t kInputBytes = 16;
inline constexpr uint64_t kRangeBytes = 16;  // i64 lowest, i64 highest

// Something said of the model: a symbolic dimension with its value, an element
// of an input's content (a string), a dimension of a bound.
inline constexpr uint64_t kDimName = 0;
inline constexpr uint64_t kDimKind = 4;
inline constexpr uint64_t kDimValue = 8;
inline constexpr uint64_t kDimBytes = 16;
enum class DimKind : uint32_t { kSymbol, kContent, kBound };

}  // namespace layout
}  // namespace memplan

#endif  // MEMPLAN_PLANNER_PATTERN_LAYOUT_H_
