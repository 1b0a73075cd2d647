#include "onnx_frontend/compare_pattern.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "planner/labels.h"
#include "planner/sharing_roots.h"
#include "planner/verify.h"

namespace memplan {
namespace {

class PatternCheck {
 public:
  PatternCheck(const MemoryPattern& pattern, const Plan& plan)
      : pattern_(pattern), plan_(plan), values_(pattern.tensors.size()) {}

  PatternFindings Run() {
    FindValues();
    CompareSteps();
    const bool in_graph = !findings_.empty();
    FindMissing();
    const size_t before = findings_.size();
    CompareLifespans();
    const bool in_lifespans = findings_.size() > before;
    if (findings_.empty()) CheckPlaces();
    return {std::move(findings_), in_graph, in_lifespans};
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

  // As many in every order.
  void CompareSteps() {
    if (pattern_.num_steps != plan_.timeline.num_steps) {
      Find("the model takes ", plan_.timeline.num_steps, " steps, the plan ",
           pattern_.num_steps);
    }
  }

  void CompareLifespans() {
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
    const std::vector<size_t> roots = Roots();
    for (size_t i = 0; i < pattern_.tensors.size(); ++i) {
      const size_t root = roots[i];
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

  // By tensor, the one in whose storage it lies.
  std::vector<size_t> Roots() const {
    const std::vector<int32_t> ends = SharingRoots(pattern_);
    std::vector<size_t> roots(ends.begin(), ends.end());
    for (size_t& root : roots) root = TakenOver(root).value_or(root);
    return roots;
  }

  // ONNX Runtime gives a dead buffer to a later value, which shares with none
  // for all that the pattern says, but lies at the same offset.
  std::optional<size_t> TakenOver(size_t tensor) const {
    const ValueStorage& own =
        plan_.storage[static_cast<size_t>(*values_[tensor])];
    if (own.sharing != SharingKind::kNone) return std::nullopt;
    const std::optional<size_t> root =
        tensor_of_[static_cast<size_t>(own.root)];
    const bool lies_there =
        root.has_value() &&
        pattern_.tensors[*root].offset == pattern_.tensors[tensor].offset;
    return lies_there ? root : std::nullopt;
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

}  // namespace

PatternFindings ComparePattern(const MemoryPattern& pattern, const Plan& plan) {
  return PatternCheck(pattern, plan).Run();
}

}  // namespace memplan
