#include "tools/input_specs.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "planner/strings.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t number = 0;
  // SimpleAtoi takes spaces and a plus sign; a shape should hold neither.
  if (text.find_first_not_of("-0123456789") != std::string_view::npos ||
      !absl::SimpleAtoi(AsAbsl(text), &number)) {
    return std::nullopt;
  }
  return number;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.push_back(Trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// The text inside "[...]" or "(...)", else all of it.
std::string_view WithoutBrackets(std::string_view text) {
  text = Trim(text);
  if (text.size() >= 2 && ((text.front() == '[' && text.back() == ']') ||
                           (text.front() == '(' && text.back() == ')'))) {
    return Trim(text.substr(1, text.size() - 2));
  }
  return text;
}

// "1x3x224" holds nothing but numbers, so that a symbol may hold an x.
bool IsSplitByX(std::string_view text) {
  if (text.find('x') == std::string_view::npos) return false;
  const std::vector<std::string_view> parts = Split(text, 'x');
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return ParseNumber(part).has_value();
  });
}

// The dimensions of a shape; unset where it is none.
std::optional<std::vector<std::string>> ParseDims(std::string_view text) {
  const bool bracketed = WithoutBrackets(text).size() != Trim(text).size();
  text = WithoutBrackets(text);
  std::vector<std::string> dims;
  if (text.empty()) {
    if (!bracketed) return std::nullopt;  // a scalar is "[]"
    return dims;
  }
  for (std::string_view part : Split(text, IsSplitByX(text) ? 'x' : ',')) {
    if (part.empty()) return std::nullopt;
    const std::optional<int64_t> number = ParseNumber(part);
    if (number.has_value() && *number < -1) return std::nullopt;
    dims.emplace_back(part == "?" ? "-1" : part);
  }
  return dims;
}

bool AllNumbers(const std::vector<std::string>& dims) {
  return std::all_of(dims.begin(), dims.end(), [](const std::string& dim) {
    return ParseNumber(dim).has_value();
  });
}

absl::Status Expected(std::string_view text, std::string_view form) {
  return UsageError(
      absl::StrCat("'", AsAbsl(text), "': expected ", AsAbsl(form)));
}

// The elements behind `split`, at which the name ends.
absl::StatusOr<NamedContent> ParseList(std::string_view text, size_t split,
                                       std::string_view form) {
  if (split == std::string_view::npos || split == 0) {
    return Expected(text, form);
  }
  NamedContent result;
  result.name = std::string(text.substr(0, split));
  const std::string_view list = WithoutBrackets(text.substr(split + 1));
  if (list.empty()) {
    if (Trim(text.substr(split + 1)).empty()) return Expected(text, form);
    return result;
  }
  for (std::string_view part : Split(list, IsSplitByX(list) ? 'x' : ',')) {
    if (part.empty()) return Expected(text, form);
    result.elements.emplace_back(part);
  }
  return result;
}

// "a:1,3;b:[2,2] c:1" in pieces by what separates inputs for sure, ';' and
// space, outside brackets.
std::vector<std::string> SplitInputs(std::string_view text) {
  std::vector<std::string> pieces(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    const bool space = kSpaces.find(c) != std::string_view::npos;
    if (depth > 0 ? space : (space || c == ';')) {
      if (depth <= 0) pieces.emplace_back();
      continue;
    }
    pieces.back().push_back(c);
  }
  return pieces;
}

// "a:1x3, b:2x2" leaves a comma at the end of its first piece.
std::string_view WithoutCommas(std::string_view piece) {
  if (!piece.empty() && piece.front() == ',') piece.remove_prefix(1);
  if (!piece.empty() && piece.back() == ',') piece.remove_suffix(1);
  return piece;
}

// "a:1x3,b:2x2" in inputs: a comma begins a new one where a colon comes before
// the next comma.
std::vector<std::string> SplitAtNames(std::string_view text) {
  std::vector<std::string> inputs;
  if (text.empty()) return inputs;
  int depth = 0;
  for (std::string_view part : Split(text, ',')) {
    const bool is_name = depth == 0 && part.find(':') != std::string_view::npos;
    if (inputs.empty() || is_name) {
      inputs.emplace_back(part);
    } else {
      absl::StrAppend(&inputs.back(), ",", AsAbsl(part));
    }
    for (const char c : part) {
      if (c == '[' || c == '(') ++depth;
      if (c == ']' || c == ')') --depth;
    }
  }
  return inputs;
}

}  // namespace

absl::StatusOr<NamedShape> ParseInputShape(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    const auto dims = ParseDims(text);
    if (dims.has_value() && AllNumbers(*dims)) return NamedShape{"", *dims};
  } else if (colon > 0) {
    const auto dims = ParseDims(text.substr(colon + 1));
    if (dims.has_value()) {
      return NamedShape{std::string(text.substr(0, colon)), *dims};
    }
  }
  return Expected(text,
                  "NAME:1,3,224,224 (or NAME:1x3x224x224, NAME:[1,3,224,224]; "
                  "a scalar is NAME:[])");
}

absl::StatusOr<std::vector<NamedShape>> ParseInputShapes(
    std::string_view text) {
  std::vector<NamedShape> shapes;
  for (const std::string& piece : SplitInputs(text)) {
    for (const std::string& input : SplitAtNames(WithoutCommas(piece))) {
      absl::StatusOr<NamedShape> shape = ParseInputShape(input);
      if (!shape.ok()) return shape.status();
      shapes.push_back(*std::move(shape));
    }
  }
  if (shapes.empty()) return Expected(text, "NAME:1x3x224x224,NAME:1x8");
  return shapes;
}

absl::StatusOr<NamedNumber> ParseDim(std::string_view text) {
  size_t split = text.rfind('=');
  if (split == std::string_view::npos) split = text.rfind(':');
  if (split != std::string_view::npos && split > 0) {
    const auto number = ParseNumber(Trim(text.substr(split + 1)));
    if (number.has_value() && *number >= 0) {
      return NamedNumber(Trim(text.substr(0, split)), *number);
    }
  }
  return Expected(text, "NAME=NUMBER, such as batch=8");
}

absl::StatusOr<NamedContent> ParseInputValue(std::string_view text) {
  return ParseList(text, text.rfind(':'),
                   "NAME:CONTENT, such as shape:1,-1,8 or scales:1,0.5");
}

absl::StatusOr<NamedNumbers> ParseBound(std::string_view text) {
  size_t split = text.rfind('=');
  if (split == std::string_view::npos) split = text.rfind(':');
  constexpr std::string_view kForm = "TENSOR=SHAPE, such as boxes=100,4";
  const absl::StatusOr<NamedContent> list = ParseList(text, split, kForm);
  if (!list.ok()) return list.status();
  NamedNumbers bound;
  bound.name = list->name;
  for (const std::string& element : list->elements) {
    const std::optional<int64_t> dim = ParseNumber(element);
    if (!dim.has_value() || *dim < 0) return Expected(text, kForm);
    bound.numbers.push_back(*dim);
  }
  return bound;
}

absl::StatusOr<int64_t> ParseBytes(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  const size_t letters = trimmed.find_first_not_of("0123456789.");
  const std::string unit = absl::AsciiStrToLower(AsAbsl(
      letters == std::string_view::npos ? "" : Trim(trimmed.substr(letters))));
  static constexpr struct {
    std::string_view unit;
    double bytes;
  } kUnits[] = {{"", 1},           {"b", 1},
                {"k", 1024},       {"kib", 1024},
                {"kb", 1e3},       {"m", 1048576},
                {"mib", 1048576},  {"mb", 1e6},
                {"g", 1073741824}, {"gib", 1073741824},
                {"gb", 1e9}};
  for (const auto& row : kUnits) {
    if (row.unit != unit) continue;
    const std::string_view number = trimmed.substr(0, letters);
    if (row.bytes == 1) {
      const auto bytes = ParseNumber(number);
      if (bytes.has_value()) return *bytes;
      break;
    }
    double amount = 0;
    if (!absl::SimpleAtod(AsAbsl(number), &amount)) break;
    const double bytes = std::floor(amount * row.bytes);
    if (bytes >= 0 && bytes < 9e18) return static_cast<int64_t>(bytes);
    break;
  }
  return Expected(text, "bytes, such as 65536, 64KiB or 1.5MiB");
}

}  // namespace memplan
