// By recursive descent; a Dim that is unknown stands for "no formula":
//
//   sum     = product { ("+" | "-") product }
//   product = factor { ("*" | "//") factor }
//   factor  = number | name | "(" sum ")" | "floor(" product "/" factor ")"
#include "onnx_frontend/dim_formula.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "onnx_frontend/dim_expression.h"
#include "planner/strings.h"

namespace memplan {
namespace {

constexpr int kMaxBrackets = 32;

bool IsNameStart(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c) || c == '.'; }

class Parser {
 public:
  Parser(std::string_view text, TightMinus minus)
      : text_(text), minus_(minus) {}

  Dim Parse() {
    const Dim result = Sum();
    SkipSpaces();
    return at_ == text_.size() ? result : Dim::Unknown();
  }

 private:
  Dim Sum();
  Dim Product();
  Dim Factor();
  Dim InBrackets();
  Dim Floor();

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(std::string_view sign) {
    SkipSpaces();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }
  bool TakeMinus();
  std::string_view TakeWhile(bool (*belongs)(char)) {
    const size_t begin = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  TightMinus minus_;
  size_t at_ = 0;
  int open_brackets_ = 0;
};

bool Parser::TakeMinus() {
  if (!Take("-")) return false;
  const bool is_spaced =
      at_ >= 2 && text_[at_ - 2] == ' ' && text_.substr(at_, 1) == " ";
  if (is_spaced || minus_ == TightMinus::kSubtracts) return true;
  --at_;
  return false;
}

Dim Parser::Sum() {
  Dim sum = Product();
  while (!sum.is_unknown()) {
    if (Take("+")) {
      sum = sum + Product();
    } else if (TakeMinus()) {
      sum = sum - Product();
    } else {
      break;
    }
  }
  return sum;
}

Dim Parser::Product() {
  Dim product = Factor();
  while (!product.is_unknown()) {
    if (Take("*")) {
      const Dim factor = Factor();  // 0 * unknown would be 0
      product = factor.is_unknown() ? factor : product * factor;
    } else if (Take("//")) {
      product = FloorDiv(product, Factor());
    } else {
      break;
    }
  }
  return product;
}

Dim Parser::Factor() {
  SkipSpaces();
  if (Take("(")) return InBrackets();
  if (at_ == text_.size()) return Dim::Unknown();
  if (IsDigit(text_[at_])) {
    int64_t number;
    const bool fits = absl::SimpleAtoi(AsAbsl(TakeWhile(IsDigit)), &number);
    return fits ? Dim(number) : Dim::Unknown();
  }
  if (!IsNameStart(text_[at_])) return Dim::Unknown();
  const std::string_view name = TakeWhile(IsNamePart);
  if (name == "floor" && Take("(")) return Floor();
  return Dim::Symbol(name);
}

Dim Parser::InBrackets() {
  if (++open_brackets_ > kMaxBrackets) return Dim::Unknown();
  const Dim inside = Sum();
  --open_brackets_;
  return Take(")") ? inside : Dim::Unknown();
}

Dim Parser::Floor() {
  if (++open_brackets_ > kMaxBrackets) return Dim::Unknown();
  const Dim dividend = Product();
  if (!Take("/")) return Dim::Unknown();
  const Dim divisor = Factor();
  --open_brackets_;
  return Take(")") ? FloorDiv(dividend, divisor) : Dim::Unknown();
}

}  // namespace

std::optional<Dim> ParseDimFormula(std::string_view text, TightMinus minus) {
  if (text.size() > kMaxFormula) return std::nullopt;
  const Dim formula = Parser(text, minus).Parse();
  if (!formula.is_symbolic()) return std::nullopt;
  if (formula.Equals(Dim::Symbol(text))) return std::nullopt;
  return formula;
}

}  // namespace memplan
