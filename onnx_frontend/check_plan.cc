#include "onnx_frontend/check_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/plan_model.h"
#include "planner/labels.h"
#include "planner/usage_error.h"
#include "planner/verify.h"

namespace memplan {
namespace {

// Compares one pattern with a plan that was made anew. Offsets and sharing are
// the pattern's, all else is the model's.
class PatternCheck {
 public:
  PatternCheck(const MemoryPattern& pattern, const Plan& plan)
      : pattern_(pattern), plan_(plan), values_(pattern.tensors.size()) {}

  std::vector<std::string> Run() {
    FindValues();
    FindMissing();
    CompareLifespans();
    if (findings_.empty()) CheckPlaces();
    return std::move(findings_);
  }

 private:
  const Value& value(ValueIndex v) const {
    return plan_.graph.values[static_cast<size_t>(v)];
  }

  template <typename... Parts>
  void Find(const Parts&... parts) {
    findings_.push_back(absl::StrCat(parts...));
  }

  static std::string Label(const PatternTensor& tensor) {
    const std::string name = absl::StrCat("tensor '", tensor.name, "'");
    return tensor.scope.empty() ? name
                                : absl::StrCat(name, " in ", tensor.scope);
  }

  void FindValues() {
    std::map<std::pair<std::string_view, std::string_view>, ValueIndex> known;
    for (size_t v = 0; v < plan_.graph.values.size(); ++v) {
      const Value& value = plan_.graph.values[v];
      known.try_emplace({value.scope, value.name}, static_cast<ValueIndex>(v));
    }
    tensor_of_.resize(plan_.graph.values.size());
    for (size_t i = 0; i < pattern_.tensors.size(); ++i) {
      const PatternTensor& tensor = pattern_.tensors[i];
      const auto it = known.find({tensor.scope, tensor.name});
      if (it == known.end()) {
        Find(Label(tensor), " is in the plan, but not in the model");
        continue;
      }
      std::optional<size_t>& owner =
          tensor_of_[static_cast<size_t>(it->second)];
      if (owner.has_value()) {
        Find(Label(tensor), " is in the plan twice");
        continue;
      }
      owner = i;
      values_[i] = it->second;
      CompareSize(tensor, value(it->second));
    }
  }

  void CompareSize(const PatternTensor& tensor, const Value& value) {
    if (!value.size.has_value()) {
      Find(Label(tensor), " has ", tensor.size,
           " bytes in the plan, but its size is not known any more: ",
           value.unplaced_reason);
    } else if (*value.size != tensor.size) {
      Find(Label(tensor), " has ", *value.size, " bytes, but ", tensor.size,
           " in the plan");
    } else if (tensor.sharing != SharingKind::kPart &&
               tensor.offset % pattern_.alignment != 0) {
      Find(Label(tensor), " lies at byte ", tensor.offset,
           ", which is no multiple of ", pattern_.alignment);
    }
  }

  void FindMissing() {
    for (size_t v = 0; v < plan_.storage.size(); ++v) {
      if (!plan_.storage[v].placed || tensor_of_[v].has_value()) continue;
      Find(ValueLabel(plan_.graph, static_cast<ValueIndex>(v)),
           " needs a place, but is not in the plan");
    }
  }

  void CompareLifespans() {
    if (pattern_.num_steps != plan_.timeline.num_steps) {
      Find("the model takes ", plan_.timeline.num_steps, " steps, the plan ",
           pattern_.num_steps);
    }
    for (size_t i = 0; i < values_.size(); ++i) {
      if (!values_[i].has_value()) continue;
      const PatternTensor& tensor = pattern_.tensors[i];
      const Lifespan& life = plan_.lifespans[static_cast<size_t>(*values_[i])];
      if (life == tensor.lifespan) continue;
      Find(Label(tensor), " is needed in steps [", life.begin, ", ", life.end,
           "), but by the plan in [", tensor.lifespan.begin, ", ",
           tensor.lifespan.end, ")");
    }
  }

  // All tensors are known here, with their sizes.
  void CheckPlaces() {
    std::vector<ValueStorage> storage = plan_.storage;
    std::vector<std::optional<int64_t>> offsets(storage.size());
    for (size_t i = 0; i < pattern_.tensors.size(); ++i) {
      const size_t root = RootOf(i);
      const PatternTensor& tensor = pattern_.tensors[i];
      ValueStorage& own = storage[static_cast<size_t>(*values_[i])];
      own.root = *values_[root];
      own.offset_in_root = tensor.offset - pattern_.tensors[root].offset;
      own.sharing = tensor.sharing;
      own.shares_with = tensor.shares_with.has_value()
                            ? *values_[static_cast<size_t>(*tensor.shares_with)]
                            : *values_[i];
      own.placed = true;
      if (root == i) offsets[static_cast<size_t>(own.root)] = tensor.offset;
      if (own.sharing != SharingKind::kPart && own.offset_in_root != 0 &&
          pattern_.tensors[static_cast<size_t>(*tensor.shares_with)].offset !=
              tensor.offset) {
        Find(Label(tensor), " does not lie where the one that it shares with");
      }
    }
    if (!findings_.empty()) return;
    const absl::Status replayed =
        ReplayPlan(plan_.graph, plan_.schedule, storage, offsets);
    if (!replayed.ok()) return Find(replayed.message());
    CheckOverlaps(storage, offsets);
  }

  // Chains end: DecodeRecord has seen to it.
  size_t RootOf(size_t tensor) const {
    while (pattern_.tensors[tensor].shares_with.has_value()) {
      tensor = static_cast<size_t>(*pattern_.tensors[tensor].shares_with);
    }
    return tensor;
  }

  void CheckOverlaps(const std::vector<ValueStorage>& storage,
                     const std::vector<std::optional<int64_t>>& offsets) {
    const absl::StatusOr<PlacementProblem> placement =
        BuildProblem(plan_.graph, storage, plan_.lifespans, pattern_.alignment);
    if (!placement.ok()) return Find(placement.status().message());
    Solution solution;
    solution.arena_size = pattern_.arena_size;
    for (const ValueIndex root : placement->buffer_roots) {
      solution.offsets.push_back(*offsets[static_cast<size_t>(root)]);
    }
    const absl::Status verified = VerifySolution(placement->problem, solution);
    if (!verified.ok()) Find(verified.message());
  }

  const MemoryPattern& pattern_;
  const Plan& plan_;
  std::vector<std::optional<ValueIndex>> values_;  // by tensor
  std::vector<std::optional<size_t>> tensor_of_;   // by value
  std::vector<std::string> findings_;
};

// What the plan must have been made with, as far as it shows.
PlanOptions OptionsOf(const MemoryPattern& pattern, const InputOptions& hints) {
  PlanOptions options;
  options.inputs = hints;
  for (const PatternInput& input : pattern.inputs) {
    std::vector<std::string>& shape = options.inputs.shapes[input.name];
    shape.clear();
    for (const int64_t dim : input.shape) shape.push_back(absl::StrCat(dim));
  }
  options.alignment = options.storage.alignment = pattern.alignment;
  options.solve.solver = "none";  // the places are the pattern's
  SharingKind most = SharingKind::kNone;
  for (const PatternTensor& tensor : pattern.tensors) {
    most = std::max(most, tensor.sharing);
  }
  if (most == SharingKind::kView) {
    options.storage.in_place = InPlaceMode::kViews;
  } else if (most == SharingKind::kPart) {
    options.storage.in_place = InPlaceMode::kAggressive;
  }
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

// The plan with the order that the pattern was made for: the first that gives
// no finding, or else the file's.
absl::StatusOr<std::vector<std::string>> CheckPattern(
    const Model& model, const MemoryPattern& pattern,
    const InputOptions& hints) {
  PlanOptions options = OptionsOf(pattern, hints);
  std::vector<std::string> in_file_order;
  for (const OrderKind order :
       {OrderKind::kFile, OrderKind::kOnnxRuntime, OrderKind::kMemory}) {
    options.order = order;
    absl::StatusOr<Plan> plan = PlanModel(model, options);
    if (!plan.ok()) return plan.status();
    if (order == OrderKind::kFile) {
      NotePlacedEnds(pattern, plan->graph, options.storage);
      if (options.storage.place_inputs || options.storage.place_outputs) {
        plan = PlanModel(model, options);
        if (!plan.ok()) return plan.status();
      }
    }
    std::vector<std::string> findings = PatternCheck(pattern, *plan).Run();
    if (findings.empty()) return findings;
    if (order == OrderKind::kFile) in_file_order = std::move(findings);
  }
  return in_file_order;
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
        CheckPattern(model, pattern, hints);
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
