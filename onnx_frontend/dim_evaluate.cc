#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "onnx_frontend/dim.h"
#include "onnx_frontend/dim_expression.h"
#include "planner/checked_math.h"

namespace memplan {
namespace {

using NumberOf = std::function<std::optional<int64_t>(std::string_view)>;
using Range = std::pair<int64_t, int64_t>;  // inclusive
using RangeOf = std::function<std::optional<Range>(std::string_view)>;
using DimOf = std::function<std::optional<Dim>(std::string_view)>;

Dim Apply(Atom::Kind kind, const Dim& a, const Dim& b) {
  switch (kind) {
    case Atom::Kind::kFloorDiv:
      return FloorDiv(a, b);
    case Atom::Kind::kTruncDiv:
      return TruncDiv(a, b);
    case Atom::Kind::kMin:
      return Min(a, b);
    default:
      return Max(a, b);
  }
}

std::optional<int64_t> EvaluateAtom(const Atom& atom, const NumberOf& lookup) {
  if (atom.kind == Atom::Kind::kSymbol) return lookup(atom.name);
  const auto a = atom.a.Evaluate(lookup), b = atom.b.Evaluate(lookup);
  if (!a || !b) return std::nullopt;
  return Apply(atom.kind, *a, *b).AsNumber();
}

std::optional<int64_t> EvaluateTerm(const Term& term, const NumberOf& lookup) {
  int64_t product = term.coefficient;
  for (const Factor& factor : term.monomial) {
    const auto value = EvaluateAtom(*factor.atom, lookup);
    if (!value) return std::nullopt;
    for (int i = 0; i < factor.power; ++i) {
      const auto next = CheckedMul(product, *value);
      if (!next) return std::nullopt;
      product = *next;
    }
  }
  return product;
}

std::optional<Range> AddRanges(const Range& a, const Range& b) {
  const auto low = CheckedAdd(a.first, b.first);
  const auto high = CheckedAdd(a.second, b.second);
  if (!low || !high) return std::nullopt;
  return Range(*low, *high);
}

// The hull of `operation` at the four corners.
template <typename Operation>
std::optional<Range> Corners(const Range& a, const Range& b,
                             Operation operation) {
  Range hull(INT64_MAX, INT64_MIN);
  for (int64_t x : {a.first, a.second}) {
    for (int64_t y : {b.first, b.second}) {
      const std::optional<int64_t> corner = operation(x, y);
      if (!corner) return std::nullopt;
      hull.first = std::min(hull.first, *corner);
      hull.second = std::max(hull.second, *corner);
    }
  }
  return hull;
}

std::optional<Range> RangeOfDim(const Dim& dim, const RangeOf& lookup);

std::optional<Range> RangeOfAtom(const Atom& atom, const RangeOf& lookup) {
  if (atom.kind == Atom::Kind::kSymbol) return lookup(atom.name);
  const auto a = RangeOfDim(atom.a, lookup);
  auto b = RangeOfDim(atom.b, lookup);
  if (!a || !b) return std::nullopt;
  if (atom.kind == Atom::Kind::kFloorDiv ||
      atom.kind == Atom::Kind::kTruncDiv) {
    // A divisor is never 0; one that may change its sign has no useful range.
    if (b->first < 0 || b->second < 1) return std::nullopt;
    b->first = std::max<int64_t>(b->first, 1);
  }
  return Corners(*a, *b, [&](int64_t x, int64_t y) {
    return Apply(atom.kind, x, y).AsNumber();
  });
}

std::optional<Range> RangeOfTerm(const Term& term, const RangeOf& lookup) {
  Range product(term.coefficient, term.coefficient);
  for (const Factor& factor : term.monomial) {
    const auto range = RangeOfAtom(*factor.atom, lookup);
    if (!range) return std::nullopt;
    for (int i = 0; i < factor.power; ++i) {
      const auto next = Corners(product, *range, CheckedMul);
      if (!next) return std::nullopt;
      product = *next;
    }
  }
  return product;
}

std::optional<Range> RangeOfDim(const Dim& dim, const RangeOf& lookup) {
  if (dim.is_unknown()) return std::nullopt;
  if (dim.is_number()) return Range(dim.number(), dim.number());
  Range sum(0, 0);
  for (const Term& term : DimAccess::Terms(dim)) {
    const auto product = RangeOfTerm(term, lookup);
    if (!product) return std::nullopt;
    const auto next = AddRanges(sum, *product);
    if (!next) return std::nullopt;
    sum = *next;
  }
  return sum;
}

Dim SubstituteAtom(const Factor& factor, const DimOf& lookup) {
  const Atom& atom = *factor.atom;
  if (atom.kind != Atom::Kind::kSymbol) {
    return Apply(atom.kind, atom.a.Substitute(lookup),
                 atom.b.Substitute(lookup));
  }
  if (auto replacement = lookup(atom.name)) return *std::move(replacement);
  return DimAccess::Make({Term{1, {Factor{factor.atom, 1}}}});
}

}  // namespace

std::optional<int64_t> Dim::Evaluate(const NumberOf& lookup) const {
  if (is_unknown()) return std::nullopt;
  if (is_number()) return number_;
  int64_t sum = 0;
  for (const Term& term : expression_->terms) {
    const auto product = EvaluateTerm(term, lookup);
    if (!product) return std::nullopt;
    const auto next = CheckedAdd(sum, *product);
    if (!next) return std::nullopt;
    sum = *next;
  }
  return sum;
}

std::optional<int64_t> Dim::UpperBound(const RangeOf& lookup) const {
  const auto range = RangeOfDim(*this, lookup);
  if (!range) return std::nullopt;
  return range->second;
}

Dim Dim::Substitute(const DimOf& lookup) const {
  if (!is_symbolic()) return *this;
  Dim sum(0);
  for (const Term& term : expression_->terms) {
    Dim product(term.coefficient);
    for (const Factor& factor : term.monomial) {
      const Dim value = SubstituteAtom(factor, lookup);
      for (int i = 0; i < factor.power; ++i) product = product * value;
    }
    sum = sum + product;
  }
  return sum;
}

}  // namespace memplan
