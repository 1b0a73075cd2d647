#include "tools/list_dims.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/model_graph.h"
#include "planner/numbers_text.h"
#include "planner/printable.h"

namespace memplan {
namespace {

std::string Places(const SymbolUse& use) {
  if (use.is_data_dependent) return "depends on data";
  std::string places;
  for (const auto& [input, axis] : use.inputs) {
    absl::StrAppend(&places, places.empty() ? "" : ", ", Printable(input), "[",
                    axis, "]");
  }
  return places;
}

}  // namespace

absl::StatusOr<std::vector<SymbolUse>> FindSymbols(const Model& model,
                                                   const InputOptions& inputs) {
  absl::StatusOr<ModelGraph> graph = BuildGraph(model);
  if (!graph.ok()) return graph.status();
  const absl::Status status = InferShapes(inputs, *graph).status();
  if (!status.ok()) return status;
  return ListSymbols(*graph);
}

std::string SymbolsText(const std::vector<SymbolUse>& uses) {
  if (uses.empty()) return "every dimension is known\n";
  size_t width = 0;
  for (const SymbolUse& use : uses) {
    width = std::max(width, Printable(use.symbol).size());
  }
  std::string text;
  std::string options;
  for (const SymbolUse& use : uses) {
    absl::StrAppendFormat(
        &text, "%-*s  %s; %s\n", static_cast<int>(width), Printable(use.symbol),
        Places(use),
        Counted(use.num_values, "tensor") +
            (use.num_values == 1 ? " depends on it" : " depend on it"));
    if (!use.is_data_dependent) {
      absl::StrAppend(&options, " ", Printable(DimOption(use.symbol)));
    }
  }
  if (!options.empty()) absl::StrAppend(&text, "\nplan with", options, "\n");
  return text;
}

Json SymbolsToJson(const std::vector<SymbolUse>& uses) {
  Json symbols = Json::array();
  for (const SymbolUse& use : uses) {
    Json inputs = Json::array();
    for (const auto& [input, axis] : use.inputs) {
      inputs.push_back({{"input", input}, {"axis", axis}});
    }
    Json json;
    json["symbol"] = use.symbol;
    json["inputs"] = std::move(inputs);
    json["values"] = use.num_values;
    json["data_dependent"] = use.is_data_dependent;
    symbols.push_back(std::move(json));
  }
  Json json;
  json["schema_version"] = kJsonSchemaVersion;
  json["symbols"] = std::move(symbols);
  return json;
}

}  // namespace memplan
