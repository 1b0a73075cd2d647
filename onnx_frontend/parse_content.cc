#include "onnx_frontend/parse_content.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/fold/number_format.h"
#include "planner/strings.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

absl::Status NotA(const std::string& text, std::string_view kind) {
  return UsageError(absl::StrCat("'", text, "' is no ", AsAbsl(kind)));
}

absl::Status OutOfRange(const std::string& text, ElementType element) {
  return UsageError(absl::StrCat("'", text, "' is out of range for ",
                                 AsAbsl(ElementTypeName(element))));
}

// Digits with a sign or not, and nothing else: SimpleAtoi takes spaces.
bool IsWhole(const std::string& text) {
  const size_t digits = !text.empty() && text[0] == '-' ? 1 : 0;
  return text.size() > digits &&
         text.find_first_not_of("0123456789", digits) == std::string::npos;
}

absl::StatusOr<Dim> ParseBool(const std::string& text) {
  if (text == "true" || text == "1") return Dim(1);
  if (text == "false" || text == "0") return Dim(0);
  return NotA(text, "boolean: true, false, 1 or 0");
}

absl::StatusOr<Dim> ParseInteger(ElementType element, const std::string& text) {
  if (!IsWhole(text)) return NotA(text, "integer");
  int64_t number;
  if (absl::SimpleAtoi(text, &number)) {
    const Dim fitting = IfItFits(element, number);
    if (fitting.is_unknown()) return OutOfRange(text, element);
    return fitting;
  }
  // The upper half of uint64 is beyond what shapes are computed in.
  uint64_t large;
  const bool is_uint64 = element == ElementType::kUint64;
  if (is_uint64 && absl::SimpleAtoi(text, &large)) return Dim::Unknown();
  return OutOfRange(text, element);
}

absl::StatusOr<double> ParseFloat(ElementType element,
                                  const std::string& text) {
  double number;
  if (!absl::SimpleAtod(text, &number)) return NotA(text, "number");
  const double rounded = RoundToType(element, number);
  // "inf" may be meant; digits that come out as an infinity are not.
  const bool has_digits = text.find_first_of("0123456789") != std::string::npos;
  if (std::isinf(rounded) && has_digits) return OutOfRange(text, element);
  return rounded;
}

}  // namespace

bool CanBeGiven(ElementType element) {
  return IsInteger(element) || element == ElementType::kBool ||
         HasFloatArithmetic(element);
}

absl::StatusOr<TensorValue> ParseContent(
    ElementType element, const std::vector<std::string>& texts) {
  TensorValue content;
  content.element = element;
  for (const std::string& text : texts) {
    if (content.is_float()) {
      const absl::StatusOr<double> number = ParseFloat(element, text);
      if (!number.ok()) return number.status();
      content.floats.push_back(*number);
      continue;
    }
    const absl::StatusOr<Dim> number = element == ElementType::kBool
                                           ? ParseBool(text)
                                           : ParseInteger(element, text);
    if (!number.ok()) return number.status();
    content.ints.push_back(*number);
  }
  return content;
}

}  // namespace memplan
