// Quotients, remainders, minima and maxima of dimensions. What can be brought
// to a polynomial is; the rest becomes an atom in a form that is the same for
// equal quotients as far as is cheap: parts that come out even are taken out
// ("floor((2*n + 3)/2)" is "n + 1"), common factors are cancelled, and a
// quotient of a quotient becomes one ("floor(floor(n/2)/2)" is "floor(n/4)"),
// so a chain of strided convolutions does not nest.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "onnx_frontend/dim.h"
#include "onnx_frontend/dim_expression.h"
#include "planner/checked_math.h"

namespace memplan {
namespace {

constexpr int64_t kLowest = INT64_MIN;

struct NumberQuotient {
  int64_t quotient;  // rounded down
  int64_t rest;      // in [0, b)
};

NumberQuotient DivideNumbers(int64_t a, int64_t b) {  // b > 0
  const int64_t rest = ((a % b) + b) % b;
  return {a / b - (a % b < 0 ? 1 : 0), rest};
}

bool IsNumber(const Dim& dim, int64_t number) {
  return dim.is_number() && dim.number() == number;
}

Dim Negate(const Dim& dim) { return Dim(0) - dim; }

// a / b where each of b's factors is in a.
std::optional<Monomial> DivideMonomials(const Monomial& a, const Monomial& b) {
  Monomial quotient;
  size_t j = 0;
  for (const Factor& factor : a) {
    int power = factor.power;
    if (j < b.size() && CompareAtoms(*factor.atom, *b[j].atom) == 0) {
      power -= b[j++].power;
    }
    if (power < 0) return std::nullopt;
    if (power > 0) quotient.push_back(Factor{factor.atom, power});
  }
  if (j < b.size()) return std::nullopt;
  return quotient;
}

std::optional<Term> DivideTerms(const Term& a, const Term& b) {
  if (b.coefficient == -1 && a.coefficient == kLowest) return std::nullopt;
  if (a.coefficient % b.coefficient != 0) return std::nullopt;
  auto monomial = DivideMonomials(a.monomial, b.monomial);
  if (!monomial) return std::nullopt;
  return Term{a.coefficient / b.coefficient, *std::move(monomial)};
}

// a / b where it comes out even: long division by the leading term.
std::optional<Dim> ExactQuotient(const Dim& a, const Dim& b) {
  const Polynomial divisor = TermsOf(b);
  Polynomial quotient;
  Dim rest = a;
  while (!IsNumber(rest, 0)) {
    if (rest.is_unknown() || quotient.size() == kMaxTerms) return std::nullopt;
    const Polynomial terms = TermsOf(rest);
    auto term = DivideTerms(terms.front(), divisor.front());
    if (!term) return std::nullopt;
    quotient.push_back(*term);
    rest = rest - FromTerms({*std::move(term)}) * b;
  }
  Dim result = FromTerms(std::move(quotient));
  if (result.is_unknown()) return std::nullopt;
  return result;
}

// The quotient of a number that is `atom` with coefficient 1 among `terms`:
// its position, or none.
std::optional<size_t> FindQuotientTerm(const Polynomial& terms) {
  for (size_t i = 0; i < terms.size(); ++i) {
    const Monomial& monomial = terms[i].monomial;
    if (terms[i].coefficient == 1 && monomial.size() == 1 &&
        monomial[0].power == 1 &&
        monomial[0].atom->kind == Atom::Kind::kFloorDiv &&
        monomial[0].atom->b.is_number()) {
      return i;
    }
  }
  return std::nullopt;
}

Dim FloorDivByNumber(const Dim& a, int64_t b);

// floor((floor(x/d) + t)/b) = floor((x + d*t)/(d*b)) for integers t.
std::optional<Dim> FlattenQuotient(const Polynomial& numerator, int64_t b) {
  const auto position = FindQuotientTerm(numerator);
  if (!position) return std::nullopt;
  const Atom& inner = *numerator[*position].monomial[0].atom;
  Polynomial others = numerator;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(*position));
  const auto divisor = CheckedMul(inner.b.number(), b);
  if (!divisor) return std::nullopt;
  const Dim flat = inner.a + inner.b * FromTerms(std::move(others));
  if (flat.is_unknown()) return std::nullopt;
  return FloorDivByNumber(flat, *divisor);
}

// For expressions `a` and b > 1.
Dim FloorDivByNumber(const Dim& a, int64_t b) {
  if (a.is_number()) return Dim(DivideNumbers(a.number(), b).quotient);
  Polynomial even, rest;
  int64_t common = b;
  for (const Term& term : TermsOf(a)) {
    const NumberQuotient parts = DivideNumbers(term.coefficient, b);
    even.push_back(Term{parts.quotient, term.monomial});
    if (parts.rest == 0) continue;
    rest.push_back(Term{parts.rest, term.monomial});
    if (!term.monomial.empty()) common = std::gcd(common, parts.rest);
  }
  Dim whole = FromTerms(std::move(even));
  if (common == b) return whole;  // at most a number below b is left
  if (common > 1) {
    for (Term& term : rest) term.coefficient /= common;
    return whole + FloorDivByNumber(FromTerms(std::move(rest)), b / common);
  }
  if (auto flat = FlattenQuotient(rest, b)) return whole + *flat;
  return whole + MakeAtom(Atom::Kind::kFloorDiv, FromTerms(std::move(rest)), b);
}

// The largest term that divides all of both.
Term CommonTerm(const Dim& a, const Dim& b) {
  Polynomial terms = TermsOf(a);
  const Polynomial more = TermsOf(b);
  terms.insert(terms.end(), more.begin(), more.end());
  Term common{0, terms.front().monomial};
  for (const Term& term : terms) {
    if (term.coefficient == kLowest) return Term{1, {}};
    common.coefficient = std::gcd(common.coefficient, term.coefficient);
    Monomial shared;
    for (const Factor& factor : common.monomial) {
      for (const Factor& other : term.monomial) {
        if (CompareAtoms(*factor.atom, *other.atom) != 0) continue;
        shared.push_back(
            Factor{factor.atom, std::min(factor.power, other.power)});
      }
    }
    common.monomial = std::move(shared);
  }
  return common;
}

// For a quotient of expressions that does not come out even.
Dim InexactQuotient(Atom::Kind kind, const Dim& a, const Dim& b) {
  const Dim common = FromTerms({CommonTerm(a, b)});
  const auto numerator = ExactQuotient(a, common);
  const auto divisor = ExactQuotient(b, common);
  if (!numerator || !divisor) return MakeAtom(kind, a, b);
  return MakeAtom(kind, *numerator, *divisor);
}

bool HasNegativeLead(const Dim& dim) {
  return dim.is_number() ? dim.number() < 0
                         : TermsOf(dim).front().coefficient < 0;
}

// What all three quotients have in common; unset where they differ.
std::optional<Dim> EasyQuotient(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown() || IsNumber(b, 0)) return Dim::Unknown();
  if (IsNumber(b, 1)) return a;
  if (IsNumber(b, -1)) return Negate(a);
  if (a.is_number() && b.is_number()) return std::nullopt;
  return ExactQuotient(a, b);
}

Dim Remainder(const Dim& a, const Dim& b, const Dim& quotient) {
  if (quotient.is_unknown()) return Dim::Unknown();  // b may be 0
  return a - b * quotient;
}

// The minimum or maximum that `dim` is, if it is nothing else.
const Atom* AsExtreme(const Dim& dim) {
  if (!dim.is_symbolic()) return nullptr;
  const Polynomial& terms = DimAccess::Terms(dim);
  const bool is_atom = terms.size() == 1 && terms[0].coefficient == 1 &&
                       terms[0].monomial.size() == 1 &&
                       terms[0].monomial[0].power == 1;
  if (!is_atom) return nullptr;
  const Atom* atom = terms[0].monomial[0].atom.get();
  const bool is_extreme =
      atom->kind == Atom::Kind::kMin || atom->kind == Atom::Kind::kMax;
  return is_extreme ? atom : nullptr;
}

// max(a, min(a, c)) is a, and max(a, max(a, c)) is max(a, c); the same for min.
std::optional<Dim> Absorbed(Atom::Kind kind, const Dim& a, const Dim& b) {
  const Atom* inner = AsExtreme(b);
  if (inner == nullptr) return std::nullopt;
  if (!inner->a.Equals(a) && !inner->b.Equals(a)) return std::nullopt;
  return inner->kind == kind ? b : a;
}

Dim Extreme(Atom::Kind kind, const Dim& a, const Dim& b) {
  const Dim difference = a - b;
  if (difference.is_unknown()) return Dim::Unknown();
  const bool wants_larger = kind == Atom::Kind::kMax;
  if (IsNonNegative(difference)) return wants_larger ? a : b;
  if (IsNonNegative(Negate(difference))) return wants_larger ? b : a;
  if (auto absorbed = Absorbed(kind, a, b)) return *absorbed;
  if (auto absorbed = Absorbed(kind, b, a)) return *absorbed;
  // The order of the operands makes no difference to the formula.
  return HasNegativeLead(difference) ? MakeAtom(kind, b, a)
                                     : MakeAtom(kind, a, b);
}

}  // namespace

Dim FloorDiv(const Dim& a, const Dim& b) {
  if (auto easy = EasyQuotient(a, b)) return *easy;
  if (HasNegativeLead(b)) {
    const Dim minus_a = Negate(a), minus_b = Negate(b);
    if (minus_a.is_unknown() || minus_b.is_unknown()) return Dim::Unknown();
    return FloorDiv(minus_a, minus_b);
  }
  if (b.is_number()) return FloorDivByNumber(a, b.number());
  return InexactQuotient(Atom::Kind::kFloorDiv, a, b);
}

Dim CeilDiv(const Dim& a, const Dim& b) {
  if (auto easy = EasyQuotient(a, b)) return *easy;
  // The form that a rounded-down quotient has, so that equal ones are equal.
  if (a.is_symbolic() && IsNonNegative(b)) return FloorDiv(a + b - 1, b);
  return Negate(FloorDiv(Negate(a), b));
}

Dim TruncDiv(const Dim& a, const Dim& b) {
  if (auto easy = EasyQuotient(a, b)) return *easy;
  if (a.is_number() && b.is_number()) return Dim(a.number() / b.number());
  if (IsNonNegative(a) && IsNonNegative(b)) return FloorDiv(a, b);
  return InexactQuotient(Atom::Kind::kTruncDiv, a, b);
}

Dim FloorMod(const Dim& a, const Dim& b) {
  return Remainder(a, b, FloorDiv(a, b));
}

Dim TruncMod(const Dim& a, const Dim& b) {
  return Remainder(a, b, TruncDiv(a, b));
}

Dim Min(const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number()) return std::min(a.number(), b.number());
  return Extreme(Atom::Kind::kMin, a, b);
}

Dim Max(const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number()) return std::max(a.number(), b.number());
  return Extreme(Atom::Kind::kMax, a, b);
}

}  // namespace memplan
