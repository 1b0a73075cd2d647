#ifndef MEMPLAN_PLANNER_PATTERN_VIEW_H_
#define MEMPLAN_PLANNER_PATTERN_VIEW_H_

#include <cstdint>
#include <string_view>

namespace memplan {

// Numbers out of the record. Positions were checked before.
class PatternView {
 public:
  explicit PatternView(std::string_view bytes) : bytes_(bytes) {}

  uint64_t Get(uint64_t at, int width) const {
    uint64_t value = 0;
    for (int i = width - 1; i >= 0; --i) {
      value = value << 8 |
              static_cast<uint8_t>(bytes_[at + static_cast<uint64_t>(i)]);
    }
    return value;
  }
  uint32_t Get32(uint64_t at) const {
    return static_cast<uint32_t>(Get(at, 4));
  }
  uint64_t Get64(uint64_t at) const { return Get(at, 8); }

  // A byte count or the like; false where it is past int64_t.
  bool GetSize(uint64_t at, int64_t& value) const {
    value = static_cast<int64_t>(Get64(at));
    return value >= 0;
  }

  // A table of `count` rows of `stride` >= `least` bytes at `offset`.
  bool HoldsTable(uint64_t offset, uint64_t count, uint64_t stride,
                  uint64_t least) const {
    if (stride < least || offset % 8 != 0 || offset > bytes_.size()) {
      return false;
    }
    return count <= (bytes_.size() - offset) / stride;
  }

 private:
  std::string_view bytes_;
};

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_PATTERN_VIEW_H_
