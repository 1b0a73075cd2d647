#ifndef MEMPLAN_ONNX_FRONTEND_DIM_H_
#define MEMPLAN_ONNX_FRONTEND_DIM_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan {

// One dimension, or one element of a shape computation: a number, an expression
// over named symbols ("batch", "2*seq + 1"), or unknown. An unknown is never a
// number: not 0, not 1. Elements may be negative (a Reshape's -1), dimensions
// not.
//
// Expressions are polynomials with integer coefficients in a canonical form, so
// that equal ones compare equal; a quotient that does not come out even is a
// symbol of its own, named by its formula: "floor((seq + 1)/2)". Arithmetic
// with an unknown gives an unknown, with the exception of 0 * x; so does
// arithmetic that overflows int64_t, and expressions past a size limit.
//
// Symbols stand for dimensions: they are never negative, and whatever is
// divided by is never zero.
class Dim {
 public:
  Dim() = default;  // unknown
  Dim(int64_t value)
      : state_(State::kNumber),
        number_(value) {}  // NOLINT: numbers are dimensions

  static Dim Unknown() { return Dim(); }
  static Dim Symbol(std::string_view name);

  bool is_number() const { return state_ == State::kNumber; }
  bool is_symbolic() const { return state_ == State::kExpression; }
  bool is_unknown() const { return state_ == State::kUnknown; }

  int64_t number() const { return number_; }  // only where is_number()
  std::optional<int64_t> AsNumber() const;

  // "3", "2*seq + 1", "?".
  std::string ToString() const;

  // The symbols that it is made of, sorted by name, each once; those inside
  // quotients included.
  std::vector<std::string> Symbols() const;

  // The value where each symbol has the number that `lookup` gives; unset where
  // one has none, or the result overflows.
  std::optional<int64_t> Evaluate(
      const std::function<std::optional<int64_t>(std::string_view)>& lookup)
      const;

  // The largest value where each symbol lies in the range that `lookup` gives
  // (inclusive); unset where one has none. Interval arithmetic: may overstate,
  // never understates.
  std::optional<int64_t> UpperBound(
      const std::function<std::optional<std::pair<int64_t, int64_t>>(
          std::string_view)>& lookup) const;

  // Replaces symbols: `lookup` gives the new dimension, or unset to keep the
  // symbol.
  Dim Substitute(
      const std::function<std::optional<Dim>(std::string_view)>& lookup) const;

  // Same number or same expression. Two unknowns are not the same.
  bool Equals(const Dim& other) const;
  // Equals, or both unknown: for comparing structs, not for reasoning.
  friend bool operator==(const Dim& a, const Dim& b) {
    return (a.is_unknown() && b.is_unknown()) || a.Equals(b);
  }

  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);

  struct Expression;  // dim.cc

 private:
  enum class State : uint8_t { kUnknown, kNumber, kExpression };
  explicit Dim(std::shared_ptr<const Expression> expression);

  State state_ = State::kUnknown;
  int64_t number_ = 0;
  std::shared_ptr<const Expression> expression_;
  friend struct DimAccess;  // dim.cc
};

// Quotients: rounding down, up, and toward zero (ONNX's Div on integers).
// Division by the number 0 gives unknown. (6*n)/3 is 2*n; what does not come
// out even is a symbol by formula.
Dim FloorDiv(const Dim& a, const Dim& b);
Dim CeilDiv(const Dim& a, const Dim& b);
Dim TruncDiv(const Dim& a, const Dim& b);
// The remainder with the sign of the divisor (Python, ONNX's Mod with fmod=0).
Dim FloorMod(const Dim& a, const Dim& b);
// The remainder with the sign of the dividend (C, ONNX's Mod with fmod=1).
Dim TruncMod(const Dim& a, const Dim& b);
// Known where both are numbers or one is never the smaller; else a symbol by
// formula.
Dim Min(const Dim& a, const Dim& b);
Dim Max(const Dim& a, const Dim& b);
// Whether it is at least 0 whatever its symbols are. False where that is not
// certain.
bool IsNonNegative(const Dim& dim);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_DIM_H_
