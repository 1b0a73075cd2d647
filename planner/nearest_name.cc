#include "planner/nearest_name.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace memplan {
namespace {

constexpr size_t kMaxCompared = 200;  // bytes: the distance is quadratic in it
constexpr int kEdit = 2;
constexpr int kCaseEdit = 1;

int SubstitutionCost(char a, char b) {
  if (a == b) return 0;
  const auto lower = [](char c) {
    return absl::ascii_tolower(static_cast<unsigned char>(c));
  };
  return lower(a) == lower(b) ? kCaseEdit : kEdit;
}

// Levenshtein's distance times kEdit, one row of the table at a time.
int Distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j) * kEdit;
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) * kEdit;
    for (size_t j = 1; j <= b.size(); ++j) {
      const int substituted = diagonal + SubstitutionCost(a[i - 1], b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + kEdit, row[j - 1] + kEdit});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> NearestName(std::string_view wrong,
                                       const std::vector<std::string>& names) {
  wrong = wrong.substr(0, kMaxCompared);
  std::optional<std::string> nearest;
  int least = 0;
  for (const std::string& name : names) {
    const auto compared = std::string_view(name).substr(0, kMaxCompared);
    const int distance = Distance(wrong, compared);
    const size_t letters = std::max(wrong.size(), compared.size());
    // Two edits in a short name are still likely a slip of the hand.
    const int limit = kEdit * std::max(2, static_cast<int>(letters) / 3);
    if (distance > limit || distance >= kEdit * static_cast<int>(letters)) {
      continue;
    }
    if (!nearest.has_value() || distance < least) {
      nearest = name;
      least = distance;
    }
  }
  return nearest;
}

std::string NameHint(std::string_view wrong,
                     const std::vector<std::string>& names) {
  constexpr size_t kMaxListed = 8;
  if (names.empty()) return "; there are none";
  const std::optional<std::string> nearest = NearestName(wrong, names);
  if (nearest.has_value()) {
    return absl::StrCat("; did you mean '", *nearest, "'?");
  }
  std::string hint = names.size() == 1 ? "; there is only " : "; there are: ";
  for (size_t i = 0; i < std::min(names.size(), kMaxListed); ++i) {
    absl::StrAppend(&hint, i == 0 ? "'" : ", '", names[i], "'");
  }
  if (names.size() > kMaxListed) {
    absl::StrAppend(&hint, ", and ", names.size() - kMaxListed, " more");
  }
  return hint;
}

}  // namespace memplan
