#ifndef MEMPLAN_ONNX_FRONTEND_LIST_SYMBOLS_H_
#define MEMPLAN_ONNX_FRONTEND_LIST_SYMBOLS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/model_graph.h"

namespace memplan {

// A symbol that needs a number before everything can be placed, or that only a
// run can tell.
struct SymbolUse {
  std::string symbol;
  // Where the graph's inputs have it, alone or in an expression: input and
  // axis.
  std::vector<std::pair<std::string, int64_t>> inputs;
  int64_t num_values = 0;          // how many values' shapes depend on it
  bool is_data_dependent = false;  // of some node's making: --bound, not --dim

  friend bool operator==(const SymbolUse&, const SymbolUse&) = default;
};

// How messages ask for a number: "--dim batch=N", "--dim 'my dim=N'".
std::string DimOption(std::string_view symbol);

// The symbols that are left in the types of an inferred graph, by name. O(size
// of the shapes).
std::vector<SymbolUse> ListSymbols(const ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_LIST_SYMBOLS_H_
