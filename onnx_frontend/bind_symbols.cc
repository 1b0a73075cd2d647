#include "onnx_frontend/bind_symbols.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/dim_formula.h"
#include "planner/strings.h"
#include "planner/usage_error.h"

namespace memplan {

SymbolBindings::SymbolBindings(const ModelGraph& graph) {
  for (const ModelValue& value : graph.values) AddSymbolsOf(value.declared);
  for (const std::string& symbol : symbols_) AddFormula(symbol);
}

// Also those of what a sequence or an optional holds.
void SymbolBindings::AddSymbolsOf(const Type& whole) {
  for (const Type* type = &whole; type != nullptr; type = type->inner.get()) {
    if (!type->shape.has_value()) continue;
    for (const Dim& dim : *type->shape) {
      for (std::string& symbol : dim.Symbols()) {
        symbols_.insert(std::move(symbol));
      }
    }
  }
}

void SymbolBindings::Add(const std::string& symbol) {
  if (symbols_.insert(symbol).second) AddFormula(symbol);
}

// A tight minus ("seq-1") is taken for one where the names beside it are
// symbols by themselves, too.
void SymbolBindings::AddFormula(const std::string& text) {
  std::optional<Dim> formula =
      ParseDimFormula(text, TightMinus::kIsPartOfAName);
  const bool is_tight = !formula.has_value();
  if (is_tight) formula = ParseDimFormula(text, TightMinus::kSubtracts);
  if (!formula.has_value()) return;
  for (const std::string& name : formula->Symbols()) {
    if (IsPlaceholder(name) || (is_tight && symbols_.count(name) == 0)) return;
  }
  formulas_[text] = *std::move(formula);
}

std::vector<std::string> SymbolBindings::Symbols() const {
  std::set<std::string> all = symbols_;
  for (const auto& [text, formula] : formulas_) {
    for (std::string& name : formula.Symbols()) all.insert(std::move(name));
  }
  return {all.begin(), all.end()};
}

absl::Status SymbolBindings::Bind(const std::string& symbol, int64_t number,
                                  const std::string& said_by) {
  const auto [it, is_new] =
      bindings_.try_emplace(symbol, Binding{number, said_by});
  if (is_new || it->second.number == number) return absl::OkStatus();
  return UsageError(absl::StrCat("dimension '", symbol, "' is ",
                                 it->second.number, " by ", it->second.said_by,
                                 ", and ", number, " by ", said_by));
}

Dim SymbolBindings::WithNumbers(const Dim& formula) const {
  return formula.Substitute(
      [this](std::string_view name) -> std::optional<Dim> {
        const auto it = bindings_.find(name);
        if (it == bindings_.end()) return std::nullopt;
        return Dim(it->second.number);
      });
}

// "--dim past=2 and --dim seq=1".
std::string SymbolBindings::WhoBound(const Dim& formula) const {
  std::string who;
  for (const std::string& name : formula.Symbols()) {
    const auto it = bindings_.find(name);
    if (it == bindings_.end()) continue;
    absl::StrAppend(&who, who.empty() ? "" : " and ", it->second.said_by);
  }
  return who;
}

absl::Status SymbolBindings::SettleFormula(const std::string& text,
                                           const Dim& formula) {
  const Dim value = WithNumbers(formula);
  if (!value.is_number()) {
    // What cannot be computed stays a symbol of its own.
    if (!value.is_unknown()) settled_.try_emplace(text, value);
    return absl::OkStatus();
  }
  const std::string who = WhoBound(formula);
  if (value.number() < 0) {
    return UsageError(absl::StrCat("dimension '", text, "' comes to ",
                                   value.number(), " by ", who));
  }
  settled_.try_emplace(text, value);
  return bindings_.count(text) > 0 ? Bind(text, value.number(), who)
                                   : absl::OkStatus();
}

absl::Status SymbolBindings::Settle() {
  for (const auto& [symbol, binding] : bindings_) {
    settled_[symbol] = Dim(binding.number);
  }
  for (const auto& [text, formula] : formulas_) {
    const absl::Status status = SettleFormula(text, formula);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

Type SymbolBindings::Apply(const Type& type) const {
  Type result = type;
  if (result.inner != nullptr) {
    result.inner = std::make_shared<Type>(Apply(*result.inner));
  }
  if (!result.shape.has_value()) return result;
  for (Dim& dim : *result.shape) {
    if (!dim.is_symbolic()) continue;
    dim = dim.Substitute([&](std::string_view name) -> std::optional<Dim> {
      const auto it = settled_.find(name);
      if (it == settled_.end()) return std::nullopt;
      return it->second;
    });
  }
  return result;
}

std::map<std::string, int64_t> SymbolBindings::Numbers() const {
  std::map<std::string, int64_t> numbers;
  for (const auto& [symbol, binding] : bindings_) {
    numbers[symbol] = binding.number;
  }
  return numbers;
}

bool IsPlaceholder(std::string_view symbol) {
  return symbol.empty() || symbol == "?" || symbol == "None" ||
         symbol == "-1" || absl::StartsWith(AsAbsl(symbol), "unk__");
}

}  // namespace memplan
