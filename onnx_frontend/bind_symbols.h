#ifndef MEMPLAN_ONNX_FRONTEND_BIND_SYMBOLS_H_
#define MEMPLAN_ONNX_FRONTEND_BIND_SYMBOLS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "onnx_frontend/model_graph.h"

namespace memplan {

// The symbols that a model's declared types are made of, and the numbers that
// the user gives them. A dimension named by a formula ("past + 1") follows from
// the names in it, where these have numbers; it may be given one itself.
class SymbolBindings {
 public:
  // O(size of the declared types).
  explicit SymbolBindings(const ModelGraph& graph);

  // A name or formula of the user's, for a dimension that the model leaves
  // open.
  void Add(const std::string& symbol);
  // Names and whole formulas, sorted.
  std::vector<std::string> Symbols() const;

  // `said_by` names the option, for a message about a conflict. Errors
  // (UsageError): the symbol has another number.
  absl::Status Bind(const std::string& symbol, int64_t number,
                    const std::string& said_by);
  // To be called once, after the last Bind. Errors (UsageError): a formula's
  // number is not what the names in it give, or less than 0.
  absl::Status Settle();

  // The type with what is known by now in place of its symbols.
  Type Apply(const Type& type) const;
  // What was bound, formulas included.
  std::map<std::string, int64_t> Numbers() const;

 private:
  struct Binding {
    int64_t number = 0;
    std::string said_by;
  };

  void AddSymbolsOf(const Type& whole);
  void AddFormula(const std::string& text);
  Dim WithNumbers(const Dim& formula) const;
  std::string WhoBound(const Dim& formula) const;
  absl::Status SettleFormula(const std::string& text, const Dim& formula);

  std::set<std::string> symbols_;                     // as the model has them
  std::map<std::string, Dim, std::less<>> formulas_;  // by their text
  std::map<std::string, Binding, std::less<>> bindings_;
  std::map<std::string, Dim, std::less<>> settled_;
};

// Names that stand for "some dimension" and not for one symbol: "", "?",
// "None", "unk__12".
bool IsPlaceholder(std::string_view symbol);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_BIND_SYMBOLS_H_
