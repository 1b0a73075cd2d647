#include "onnx_frontend/check_plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/bind_symbols.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/compare_pattern.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/plan_model.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

// What the plan must have been made with, as far as it shows at once.
PlanOptions OptionsOf(const Model& model, const MemoryPattern& pattern,
                      const InputOptions& hints) {
  PlanOptions options;
  options.inputs = InputsOf(model, pattern, hints);
  options.alignment = options.storage.alignment = pattern.alignment;
  options.solve.solver = "none";  // the places are the pattern's
  return options;
}

// Inputs and outputs are placed only where the user says so.
void NotePlacedEnds(const MemoryPattern& pattern, const Graph& graph,
                    StorageOptions& storage) {
  std::map<std::string_view, const Value*> ends;
  for (const Value& value : graph.values) {
    if (value.is_graph_input || value.is_graph_output) {
      ends[value.name] = &value;
    }
  }
  for (const PatternTensor& tensor : pattern.tensors) {
    const auto it = tensor.scope.empty() ? ends.find(tensor.name) : ends.end();
    if (it == ends.end()) continue;
    storage.place_inputs |= it->second->is_graph_input;
    storage.place_outputs |= it->second->is_graph_output;
  }
}

// A way to plan that the pattern does not name, but that decides when values
// live and which of them need a place.
struct Way {
  OrderKind order = OrderKind::kFile;
  RuntimeKind runtime = RuntimeKind::kGeneric;
  InPlaceMode in_place = InPlaceMode::kSafe;
};

// The likely ones first. Modes that share less are listed only where another
// order comes of them: what they place the others place, too, or need not.
constexpr Way kWays[] = {
    {},
    {.in_place = InPlaceMode::kAggressive},
    {.order = OrderKind::kOnnxRuntime},
    {.order = OrderKind::kOnnxRuntime, .in_place = InPlaceMode::kAggressive},
    {.runtime = RuntimeKind::kOnnxRuntime},
    {.order = OrderKind::kMemory},
    {.order = OrderKind::kMemory, .in_place = InPlaceMode::kAggressive},
    {.order = OrderKind::kMemory, .in_place = InPlaceMode::kViews},
    {.order = OrderKind::kMemory, .in_place = InPlaceMode::kOff},
};

// Lifespans follow from the order, and only a searched one from what shares.
bool HaveSameLifespans(const Way& a, const Way& b) {
  return a.order == b.order && a.runtime == b.runtime &&
         a.order != OrderKind::kMemory;
}

// Compares the pattern with plans made each way until there is no finding; the
// findings of the first way where there always are. One about the graph no
// other way mends but that of a runtime which makes a graph of its own.
absl::StatusOr<std::vector<std::string>> CheckPattern(
    const Model& model, const MemoryPattern& pattern, bool same_graph,
    const InputOptions& hints) {
  PlanOptions options = OptionsOf(model, pattern, hints);
  absl::StatusOr<Plan> lowered = LowerModel(model, options);
  if (!lowered.ok()) return lowered.status();
  NotePlacedEnds(pattern, lowered->graph, options.storage);
  std::optional<std::vector<std::string>> first;
  const Way* failed = nullptr;  // the last one whose lifespans were others
  std::optional<RuntimeKind> other_graph;
  for (const Way& way : kWays) {
    if (other_graph == way.runtime) continue;
    if (failed != nullptr && HaveSameLifespans(way, *failed)) continue;
    // The search would find another order of another graph.
    if (!same_graph && way.order == OrderKind::kMemory) continue;
    options.order = way.order;
    options.storage.in_place = way.in_place;
    if (options.runtime != way.runtime) {
      options.runtime = way.runtime;
      lowered = LowerModel(model, options);
      if (!lowered.ok()) return lowered.status();
    }
    const absl::StatusOr<Plan> plan = PlanLowered(options, *lowered);
    if (!plan.ok()) return plan.status();
    PatternFindings found = ComparePattern(pattern, *plan);
    if (found.lines.empty()) return std::move(found.lines);
    if (found.in_graph) other_graph = way.runtime;
    if (found.in_lifespans) failed = &way;
    if (!first.has_value()) first = std::move(found.lines);
  }
  return *std::move(first);
}

void AddFindings(std::vector<std::string> found, CheckResult& result) {
  for (std::string& finding : found) {
    if (result.findings.size() == kMaxFindings) {
      result.findings.back() = "and more";
      return;
    }
    result.findings.push_back(std::move(finding));
  }
}

std::string ShapesOf(const MemoryPattern& pattern) {
  std::string text;
  for (const PatternInput& input : pattern.inputs) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", input.name, ":");
    for (size_t d = 0; d < input.shape.size(); ++d) {
      absl::StrAppend(&text, d == 0 ? "" : ",", input.shape[d]);
    }
  }
  return text;
}

}  // namespace

InputOptions InputsOf(const Model& model, const MemoryPattern& pattern,
                      InputOptions hints) {
  const absl::StatusOr<ModelGraph> graph = BuildGraph(model);
  if (graph.ok()) {
    // Not the symbols that a shape on the command line gave to an unknown
    // dimension: the pattern has its number.
    for (const std::string& symbol : SymbolBindings(*graph).Symbols()) {
      const auto bound = pattern.dims.find(symbol);
      if (bound != pattern.dims.end()) hints.dims[symbol] = bound->second;
    }
  }
  for (const PatternInput& input : pattern.inputs) {
    std::vector<std::string>& shape = hints.shapes[input.name];
    shape.clear();
    for (const int64_t dim : input.shape) shape.push_back(absl::StrCat(dim));
  }
  for (const auto& [name, content] : pattern.input_values) {
    hints.values[name] = content;
  }
  for (const auto& [name, bound] : pattern.bounds) hints.bounds[name] = bound;
  return hints;
}

absl::StatusOr<CheckResult> CheckRecord(const Model& model,
                                        std::string_view bytes,
                                        const InputOptions& hints) {
  CheckResult result;
  absl::StatusOr<PatternRecord> record = DecodeRecord(bytes);
  if (!record.ok()) {
    result.state = CheckState::kDamaged;
    result.findings.emplace_back(record.status().message());
    return result;
  }
  result.record = *std::move(record);
  const Fingerprint now = FingerprintModel(model);
  const bool same_graph = now == result.record.fingerprint;
  if (!same_graph) {
    result.findings.push_back(
        absl::StrCat("the model changed since it was planned: its graph has "
                     "the fingerprint ",
                     ToString(now), ", the plan is for ",
                     ToString(result.record.fingerprint)));
  }
  if (result.record.patterns.empty()) {
    result.findings.emplace_back("the plan holds no pattern");
  }
  for (const MemoryPattern& pattern : result.record.patterns) {
    absl::StatusOr<std::vector<std::string>> found =
        CheckPattern(model, pattern, same_graph, hints);
    if (!found.ok()) {
      // Shapes that the model does not take any more, or a bad model.
      if (same_graph && !IsUsageError(found.status())) return found.status();
      found = std::vector<std::string>{absl::StrCat(
          "with ", ShapesOf(pattern), ": ", found.status().message())};
    }
    AddFindings(*std::move(found), result);
  }
  result.state =
      result.findings.empty() ? CheckState::kGood : CheckState::kStale;
  return result;
}

absl::StatusOr<CheckResult> CheckEmbeddedPlan(const Model& model,
                                              const InputOptions& hints) {
  CheckResult result;
  if (model.embedded_records.empty()) {
    result.state = CheckState::kNoPlan;
    result.findings.emplace_back("the model carries no plan");
    return result;
  }
  if (model.embedded_records.size() > 1) {
    result.state = CheckState::kDamaged;
    result.findings.push_back(
        absl::StrCat("the model carries ", model.embedded_records.size(),
                     " plans where there may be one: embed it again"));
    return result;
  }
  std::string bytes;
  if (!absl::Base64Unescape(model.embedded_records[0], &bytes)) {
    result.state = CheckState::kDamaged;
    result.findings.emplace_back("the plan is not base64");
    return result;
  }
  return CheckRecord(model, bytes, hints);
}

}  // namespace memplan
