#include "onnx_frontend/dim.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/dim_expression.h"
#include "planner/checked_math.h"

namespace memplan {
namespace {

int Sign(int comparison) { return (comparison > 0) - (comparison < 0); }

int ComparePolynomials(const Polynomial& a, const Polynomial& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const int order = CompareMonomials(a[i].monomial, b[i].monomial);
    if (order != 0) return order;
    if (a[i].coefficient != b[i].coefficient) {
      return a[i].coefficient < b[i].coefficient ? -1 : 1;
    }
  }
  return static_cast<int>(a.size()) - static_cast<int>(b.size());
}

int CompareDims(const Dim& a, const Dim& b) {
  if (a.is_symbolic() && b.is_symbolic()) {
    return ComparePolynomials(DimAccess::Terms(a), DimAccess::Terms(b));
  }
  if (a.is_symbolic() != b.is_symbolic()) return a.is_symbolic() ? 1 : -1;
  return (a.number() > b.number()) - (a.number() < b.number());
}

int Degree(const Monomial& monomial) {
  int degree = 0;
  for (const Factor& factor : monomial) degree += factor.power;
  return degree;
}

// A single symbol may be named at any length: it is the model's, not ours.
bool WithinLimits(const Polynomial& terms) {
  if (terms.size() > kMaxTerms) return false;
  size_t length = 0;
  for (const Term& term : terms) {
    if (Degree(term.monomial) > kMaxDegree) return false;
    for (const Factor& factor : term.monomial) {
      length += factor.atom->name.size();
    }
  }
  return length <= kMaxFormula ||
         (terms.size() == 1 && Degree(terms[0].monomial) == 1);
}

std::string MonomialToString(const Monomial& monomial) {
  std::string text;
  for (const Factor& factor : monomial) {
    absl::StrAppend(&text, text.empty() ? "" : "*", factor.atom->name);
    if (factor.power > 1) absl::StrAppend(&text, "^", factor.power);
  }
  return text;
}

std::string PolynomialToString(const Polynomial& terms) {
  std::string text;
  for (const Term& term : terms) {
    const bool negative = term.coefficient < 0;
    if (text.empty()) {
      if (negative) text += '-';
    } else {
      text += negative ? " - " : " + ";
    }
    // Unsigned, since the lowest int64_t has no positive counterpart.
    const uint64_t magnitude =
        negative ? uint64_t{0} - static_cast<uint64_t>(term.coefficient)
                 : static_cast<uint64_t>(term.coefficient);
    if (term.monomial.empty()) {
      absl::StrAppend(&text, magnitude);
    } else {
      if (magnitude != 1) absl::StrAppend(&text, magnitude, "*");
      text += MonomialToString(term.monomial);
    }
  }
  return text;
}

void CollectSymbols(const Dim& dim, std::set<std::string>& names) {
  if (!dim.is_symbolic()) return;
  for (const Term& term : DimAccess::Terms(dim)) {
    for (const Factor& factor : term.monomial) {
      if (factor.atom->kind == Atom::Kind::kSymbol) {
        names.insert(factor.atom->name);
      } else {
        CollectSymbols(factor.atom->a, names);
        CollectSymbols(factor.atom->b, names);
      }
    }
  }
}

// As an operand of "/": sums and products in brackets where they need them.
std::string Operand(const Dim& dim, bool is_divisor) {
  std::string text = dim.ToString();
  if (!dim.is_symbolic()) return text;
  const Polynomial& terms = DimAccess::Terms(dim);
  const bool is_atom = terms.size() == 1 && terms[0].coefficient == 1 &&
                       Degree(terms[0].monomial) == 1;
  const bool bare = is_divisor ? is_atom : terms.size() == 1;
  return bare ? text : absl::StrCat("(", text, ")");
}

std::string Formula(Atom::Kind kind, const Dim& a, const Dim& b) {
  switch (kind) {
    case Atom::Kind::kFloorDiv:
      return absl::StrCat("floor(", Operand(a, false), "/", Operand(b, true),
                          ")");
    case Atom::Kind::kTruncDiv:
      return absl::StrCat("trunc(", Operand(a, false), "/", Operand(b, true),
                          ")");
    case Atom::Kind::kMin:
      return absl::StrCat("min(", a.ToString(), ", ", b.ToString(), ")");
    default:
      return absl::StrCat("max(", a.ToString(), ", ", b.ToString(), ")");
  }
}

bool OperationIsNonNegative(Atom::Kind kind, const Dim& a, const Dim& b) {
  return kind == Atom::Kind::kMax ? IsNonNegative(a) || IsNonNegative(b)
                                  : IsNonNegative(a) && IsNonNegative(b);
}

}  // namespace

int CompareAtoms(const Atom& a, const Atom& b) {
  if (&a == &b) return 0;
  if (const int order = a.name.compare(b.name); order != 0) return Sign(order);
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  if (a.kind == Atom::Kind::kSymbol) return 0;
  // A symbol's name may look like a formula, so the text alone does not decide.
  if (const int order = CompareDims(a.a, b.a); order != 0) return order;
  return CompareDims(a.b, b.b);
}

int CompareMonomials(const Monomial& a, const Monomial& b) {
  const int degree_a = Degree(a), degree_b = Degree(b);
  if (degree_a != degree_b) return degree_b - degree_a;
  // Equal degrees: neither can be a proper prefix of the other.
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const int order = CompareAtoms(*a[i].atom, *b[i].atom);
    if (order != 0) return order;
    if (a[i].power != b[i].power) return b[i].power - a[i].power;
  }
  return 0;
}

Polynomial TermsOf(const Dim& dim) {
  if (dim.is_symbolic()) return DimAccess::Terms(dim);
  if (dim.number() == 0) return {};
  return {Term{dim.number(), {}}};
}

Dim FromTerms(Polynomial terms) {
  std::sort(terms.begin(), terms.end(), [](const Term& x, const Term& y) {
    return CompareMonomials(x.monomial, y.monomial) < 0;
  });
  Polynomial joined;
  for (Term& term : terms) {
    if (joined.empty() ||
        CompareMonomials(joined.back().monomial, term.monomial) != 0) {
      joined.push_back(std::move(term));
      continue;
    }
    const auto sum = CheckedAdd(joined.back().coefficient, term.coefficient);
    if (!sum) return Dim::Unknown();
    joined.back().coefficient = *sum;
  }
  std::erase_if(joined, [](const Term& term) { return term.coefficient == 0; });
  if (joined.empty()) return Dim(0);
  if (joined.front().monomial.empty()) return Dim(joined.front().coefficient);
  if (!WithinLimits(joined)) return Dim::Unknown();
  return DimAccess::Make(std::move(joined));
}

Monomial MultiplyMonomials(const Monomial& a, const Monomial& b) {
  Monomial product;
  product.reserve(a.size() + b.size());
  auto i = a.begin(), j = b.begin();
  while (i != a.end() && j != b.end()) {
    const int order = CompareAtoms(*i->atom, *j->atom);
    product.push_back(order <= 0 ? *i : *j);
    if (order == 0) product.back().power += j->power;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  product.insert(product.end(), i, a.end());
  product.insert(product.end(), j, b.end());
  return product;
}

Dim MakeAtom(Atom::Kind kind, Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  auto atom = std::make_shared<Atom>();
  atom->kind = kind;
  atom->name = Formula(kind, a, b);
  if (atom->name.size() > kMaxFormula) return Dim::Unknown();
  atom->non_negative = OperationIsNonNegative(kind, a, b);
  atom->a = std::move(a);
  atom->b = std::move(b);
  return DimAccess::Make({Term{1, {Factor{std::move(atom), 1}}}});
}

Dim::Dim(std::shared_ptr<const Expression> expression)
    : state_(State::kExpression), expression_(std::move(expression)) {}

Dim Dim::Symbol(std::string_view name) {
  if (name.empty()) return Unknown();
  auto atom = std::make_shared<Atom>();
  atom->name = std::string(name);
  return DimAccess::Make({Term{1, {Factor{std::move(atom), 1}}}});
}

std::optional<int64_t> Dim::AsNumber() const {
  if (!is_number()) return std::nullopt;
  return number_;
}

std::string Dim::ToString() const {
  switch (state_) {
    case State::kUnknown:
      return "?";
    case State::kNumber:
      return absl::StrCat(number_);
    default:
      return PolynomialToString(expression_->terms);
  }
}

std::vector<std::string> Dim::Symbols() const {
  std::set<std::string> names;
  CollectSymbols(*this, names);
  return std::vector<std::string>(names.begin(), names.end());
}

bool Dim::Equals(const Dim& other) const {
  if (state_ != other.state_ || is_unknown()) return false;
  if (is_number()) return number_ == other.number_;
  return expression_ == other.expression_ ||
         ComparePolynomials(expression_->terms, other.expression_->terms) == 0;
}

Dim operator+(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  if (a.is_number() && b.is_number()) {
    const auto sum = CheckedAdd(a.number(), b.number());
    return sum ? Dim(*sum) : Dim::Unknown();
  }
  Polynomial terms = TermsOf(a);
  const Polynomial more = TermsOf(b);
  terms.insert(terms.end(), more.begin(), more.end());
  return FromTerms(std::move(terms));
}

Dim operator-(const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number()) {
    int64_t difference;
    const bool overflow =
        __builtin_sub_overflow(a.number(), b.number(), &difference);
    return overflow ? Dim::Unknown() : Dim(difference);
  }
  return a + Dim(-1) * b;
}

Dim operator*(const Dim& a, const Dim& b) {
  const bool is_zero =
      (a.is_number() && a.number() == 0) || (b.is_number() && b.number() == 0);
  if (is_zero) return Dim(0);
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  if (a.is_number() && b.is_number()) {
    const auto product = CheckedMul(a.number(), b.number());
    return product ? Dim(*product) : Dim::Unknown();
  }
  if (a.is_number() && a.number() == 1) return b;
  if (b.is_number() && b.number() == 1) return a;
  const Polynomial left = TermsOf(a), right = TermsOf(b);
  Polynomial terms;
  terms.reserve(left.size() * right.size());
  for (const Term& x : left) {
    for (const Term& y : right) {
      const auto coefficient = CheckedMul(x.coefficient, y.coefficient);
      if (!coefficient) return Dim::Unknown();
      terms.push_back(
          Term{*coefficient, MultiplyMonomials(x.monomial, y.monomial)});
    }
  }
  return FromTerms(std::move(terms));
}

bool IsNonNegative(const Dim& dim) {
  if (dim.is_unknown()) return false;
  if (dim.is_number()) return dim.number() >= 0;
  for (const Term& term : DimAccess::Terms(dim)) {
    if (term.coefficient < 0) return false;
    for (const Factor& factor : term.monomial) {
      if (!factor.atom->non_negative && factor.power % 2 != 0) return false;
    }
  }
  return true;
}

}  // namespace memplan
