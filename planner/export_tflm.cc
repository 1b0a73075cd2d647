#include "planner/export_tflm.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace memplan {
namespace {

constexpr int32_t kVersion = 1;
constexpr int32_t kSubgraph = 0;
constexpr int32_t kUnplaced = -1;

void AppendInt32(int32_t value, std::string& out) {
  auto rest = static_cast<uint32_t>(value);
  for (int i = 0; i < 4; ++i, rest >>= 8) {
    out.push_back(static_cast<char>(rest & 0xff));
  }
}

}  // namespace

absl::StatusOr<std::string> ExportTflm(
    const MemoryPattern& pattern, const std::vector<std::string>& tensors) {
  absl::flat_hash_map<std::string, int64_t> offsets;
  for (const PatternTensor& tensor : pattern.tensors) {
    if (tensor.scope.empty()) offsets[tensor.name] = tensor.offset;
  }
  if (tensors.size() > INT32_MAX) {
    return absl::InvalidArgumentError("too many tensors for TFLM's record");
  }
  std::string record;
  AppendInt32(kVersion, record);
  AppendInt32(kSubgraph, record);
  AppendInt32(static_cast<int32_t>(tensors.size()), record);
  for (const std::string& name : tensors) {
    const auto it = offsets.find(name);
    if (it == offsets.end()) {
      AppendInt32(kUnplaced, record);
      continue;
    }
    if (it->second > INT32_MAX) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor '", name, "': offset ", it->second,
                       " does not fit TFLM's record, which has 32 bits"));
    }
    AppendInt32(static_cast<int32_t>(it->second), record);
  }
  return record;
}

std::vector<std::string> MainGraphNames(const Graph& graph) {
  std::vector<std::string> names;
  for (const Value& value : graph.values) {
    if (value.scope.empty()) names.push_back(value.name);
  }
  return names;
}

}  // namespace memplan
