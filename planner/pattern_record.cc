#include "planner/pattern_record.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "planner/pattern_layout.h"
#include "planner/strings.h"

namespace memplan {

std::string ToString(const Fingerprint& fingerprint) {
  return absl::StrFormat("%016x%016x", fingerprint.high, fingerprint.low);
}

void AddPattern(MemoryPattern pattern, PatternRecord& record) {
  for (MemoryPattern& old : record.patterns) {
    if (old.inputs == pattern.inputs) {
      old = std::move(pattern);
      return;
    }
  }
  record.patterns.push_back(std::move(pattern));
}

absl::StatusOr<PatternRecord> DecodeBase64Record(std::string_view base64) {
  std::string bytes;
  if (!absl::Base64Unescape(AsAbsl(base64), &bytes)) {
    return absl::DataLossError("the record is not base64");
  }
  return DecodeRecord(bytes);
}

bool LooksLikeRecord(std::string_view bytes) {
  return bytes.substr(0, layout::kMagic.size()) == layout::kMagic;
}

}  // namespace memplan
