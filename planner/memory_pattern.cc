#include "planner/memory_pattern.h"

namespace memplan {

std::optional<int64_t> MemoryPattern::Find(std::string_view scope,
                                           std::string_view name,
                                           int64_t size) const {
  for (const PatternTensor& tensor : tensors) {
    if (tensor.name != name || tensor.scope != scope) continue;
    if (tensor.size != size) return std::nullopt;
    return tensor.offset;
  }
  return std::nullopt;
}

}  // namespace memplan
