#ifndef MEMPLAN_ONNX_FRONTEND_DIM_EXPRESSION_H_
#define MEMPLAN_ONNX_FRONTEND_DIM_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx_frontend/dim.h"

// How dim.h's expressions are kept; for the dim*.cc files alone.
namespace memplan {

// What a polynomial is made of: a named symbol, or an operation on expressions
// that is no polynomial and so stands for itself.
struct Atom {
  enum class Kind { kSymbol, kFloorDiv, kTruncDiv, kMin, kMax };

  Kind kind = Kind::kSymbol;
  std::string name;  // the symbol, or the formula
  Dim a, b;          // what the operation is applied to
  bool non_negative = true;
};

struct Factor {
  std::shared_ptr<const Atom> atom;
  int power = 1;
};
using Monomial = std::vector<Factor>;  // by atom; empty: the constant

struct Term {
  int64_t coefficient = 0;  // never 0
  Monomial monomial;
};
// In graded lexicographic order, the leading term first and the constant last.
// The order agrees with multiplication, which exact division relies on.
using Polynomial = std::vector<Term>;

struct Dim::Expression {
  Polynomial terms;  // not a mere number: that is Dim::State::kNumber
};

// Larger expressions become unknown. The formula's length bounds whatever is
// nested in it, and with that the work of evaluating it.
inline constexpr size_t kMaxTerms = 32;
inline constexpr int kMaxDegree = 8;
inline constexpr size_t kMaxFormula = 1024;

struct DimAccess {
  static Dim Make(Polynomial terms) {
    auto expression = std::make_shared<Dim::Expression>();
    expression->terms = std::move(terms);
    return Dim(std::move(expression));
  }
  // Only where is_symbolic().
  static const Polynomial& Terms(const Dim& dim) {
    return dim.expression_->terms;
  }
};

// Negative, 0 or positive: total orders that depend on the formulas alone.
int CompareAtoms(const Atom& a, const Atom& b);
int CompareMonomials(const Monomial& a, const Monomial& b);

// The terms of a number or an expression; not of an unknown.
Polynomial TermsOf(const Dim& dim);
// Sorts, joins like terms, and drops zeros. Unknown where a coefficient
// overflows or a limit is passed.
Dim FromTerms(Polynomial terms);
// a * b for monomials.
Monomial MultiplyMonomials(const Monomial& a, const Monomial& b);

// The operation as a symbol of its own; unknown where its formula is too long.
Dim MakeAtom(Atom::Kind kind, Dim a, Dim b);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_DIM_EXPRESSION_H_
