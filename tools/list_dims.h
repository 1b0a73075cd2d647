#ifndef MEMPLAN_TOOLS_LIST_DIMS_H_
#define MEMPLAN_TOOLS_LIST_DIMS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/list_symbols.h"
#include "onnx_frontend/read_model.h"
#include "tools/json_report.h"

namespace memplan {

// The symbols that the model leaves open with these inputs.
absl::StatusOr<std::vector<SymbolUse>> FindSymbols(const Model& model,
                                                   const InputOptions& inputs);

std::string SymbolsText(const std::vector<SymbolUse>& uses);
Json SymbolsToJson(const std::vector<SymbolUse>& uses);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_LIST_DIMS_H_
