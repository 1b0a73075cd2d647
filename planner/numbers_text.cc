#include "planner/numbers_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace memplan {
namespace {

// Three digits that matter: 9.99, 99.9, 999.
std::string ThreeDigits(double number) {
  const int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  return absl::StrFormat("%.*f", decimals, number);
}

}  // namespace

std::string Grouped(int64_t number) {
  std::string text = absl::StrCat(number);
  const size_t first = text[0] == '-' ? 1 : 0;
  for (size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string HumanBytes(int64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  double amount = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}) {
    if (amount < 1023.5) break;
    amount /= 1024;
    unit = next;
  }
  return absl::StrCat(ThreeDigits(amount), " ", unit);
}

std::string Counted(int64_t count, const std::string& noun) {
  return absl::StrCat(Grouped(count), " ", noun, count == 1 ? "" : "s");
}

std::string Times(int64_t number, int64_t base) {
  return ThreeDigits(static_cast<double>(number) / static_cast<double>(base));
}

}  // namespace memplan
