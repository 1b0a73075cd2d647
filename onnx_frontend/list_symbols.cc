#include "onnx_frontend/list_symbols.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "planner/strings.h"

namespace memplan {

std::string DimOption(std::string_view symbol) {
  const bool is_plain = std::all_of(symbol.begin(), symbol.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_.:/-+").find(c) != std::string_view::npos;
  });
  std::string pair = absl::StrCat(AsAbsl(symbol), "=N");
  // For the shell: in quotes, each quote inside as '\''.
  if (!is_plain) {
    pair = absl::StrCat("'", absl::StrReplaceAll(pair, {{"'", "'\\''"}}), "'");
  }
  return absl::StrCat("--dim ", pair);
}

std::vector<SymbolUse> ListSymbols(const ModelGraph& graph) {
  std::map<std::string, SymbolUse> uses;
  for (const ModelValue& value : graph.values) {
    if (!value.type.has_shape()) continue;
    std::set<std::string> in_shape;
    for (size_t axis = 0; axis < value.type.shape->size(); ++axis) {
      for (const std::string& symbol : (*value.type.shape)[axis].Symbols()) {
        in_shape.insert(symbol);
        if (!value.is_graph_input) continue;
        uses[symbol].inputs.emplace_back(value.name,
                                         static_cast<int64_t>(axis));
      }
    }
    for (const std::string& symbol : in_shape) ++uses[symbol].num_values;
  }
  std::vector<SymbolUse> listed;
  for (auto& [symbol, use] : uses) {
    use.symbol = symbol;
    use.is_data_dependent = graph.symbol_ranges.contains(symbol) ||
                            graph.unbounded_symbols.contains(symbol);
    listed.push_back(use);
  }
  return listed;
}

}  // namespace memplan
