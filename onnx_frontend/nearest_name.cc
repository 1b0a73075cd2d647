#include "onnx_frontend/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"

namespace memplan {
namespace {

// Levenshtein's distance, one row at a time.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j + 1] + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearestName(std::string_view name,
                        const std::vector<std::string>& names) {
  constexpr size_t kMaxLength = 256;  // the distance is quadratic in it
  std::string nearest;
  size_t fewest = 0;
  for (const std::string& candidate : names) {
    const size_t edits = EditDistance(name.substr(0, kMaxLength),
                                      candidate.substr(0, kMaxLength));
    if (nearest.empty() || edits < fewest) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view name,
                       const std::vector<std::string>& names) {
  const std::string nearest = NearestName(name, names);
  return nearest.empty() ? "" : absl::StrCat("; did you mean '", nearest, "'?");
}

}  // namespace memplan
