#include "planner/sharing_roots.h"

#include <cstddef>
#include <optional>

namespace memplan {

std::vector<int32_t> SharingRoots(const MemoryPattern& pattern) {
  constexpr int32_t kUnknown = -1;
  const auto count = static_cast<int32_t>(pattern.tensors.size());
  std::vector<int32_t> roots(pattern.tensors.size(), kUnknown);
  std::vector<int32_t> chain;
  for (int32_t tensor = 0; tensor < count; ++tensor) {
    int32_t at = tensor;
    while (roots[static_cast<size_t>(at)] == kUnknown) {
      chain.push_back(at);
      roots[static_cast<size_t>(at)] = at;  // what a circle comes back to
      const std::optional<int32_t> next =
          pattern.tensors[static_cast<size_t>(at)].shares_with;
      if (!next || *next < 0 || *next >= count) break;
      at = *next;
    }
    const int32_t root = roots[static_cast<size_t>(at)];
    for (const int32_t member : chain)
      roots[static_cast<size_t>(member)] = root;
    chain.clear();
  }
  return roots;
}

}  // namespace memplan
