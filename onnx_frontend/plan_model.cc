// The whole road, each stage a function of the one before. Read this first.
#include "onnx_frontend/plan_model.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/lower_graph.h"
#include "planner/liveness.h"
#include "planner/usage_error.h"
#include "planner/verify.h"

#define MEMPLAN_RETURN_IF_ERROR(expression)                     \
  if (const absl::Status status = (expression); !status.ok()) { \
    return status;                                              \
  }

namespace memplan {
namespace {

absl::Status CheckOptions(const PlanOptions& options) {
  const int64_t alignment = options.alignment;
  if (alignment >= 1 && (alignment & (alignment - 1)) == 0) {
    return absl::OkStatus();
  }
  return UsageError(absl::StrCat("--alignment ", alignment,
                                 ": an alignment is a power of two"));
}

// A plan that fails a check is ours to mend: the model is not at fault.
absl::Status AsOurFault(const absl::Status& failed) {
  if (failed.ok()) return failed;
  return absl::InternalError(absl::StrCat(
      "the plan failed its check, and is not given out: ", failed.message()));
}

absl::Status VerifyPlan(const Plan& plan) {
  const absl::Status verified =
      VerifySolution(plan.placement.problem, plan.solved.solution);
  if (!verified.ok()) return AsOurFault(verified);
  std::vector<std::optional<int64_t>> root_offsets(plan.graph.values.size());
  for (size_t i = 0; i < plan.placement.buffer_roots.size(); ++i) {
    root_offsets[static_cast<size_t>(plan.placement.buffer_roots[i])] =
        plan.solved.solution.offsets[i];
  }
  return AsOurFault(
      ReplayPlan(plan.graph, plan.schedule, plan.storage, root_offsets));
}

}  // namespace

std::optional<int64_t> Plan::Offset(ValueIndex value) const {
  const ValueStorage& where = storage[static_cast<size_t>(value)];
  if (!where.placed) return std::nullopt;
  const auto& roots = placement.buffer_roots;
  const auto it = std::lower_bound(roots.begin(), roots.end(), where.root);
  if (it == roots.end() || *it != where.root) return std::nullopt;
  return solved.solution.offsets[static_cast<size_t>(it - roots.begin())] +
         where.offset_in_root;
}

MemoryPattern MakePattern(const Plan& plan, const PlanOptions& options) {
  MemoryPattern pattern;
  pattern.arena_size = plan.solved.solution.arena_size;
  pattern.alignment = options.alignment;
  pattern.max_live_bytes = MaxLiveBytes(plan.placement.problem);
  pattern.lower_bound = plan.solved.lower_bound;
  pattern.optimal = plan.solved.optimal;
  pattern.solver = plan.solved.solver;
  pattern.num_steps = plan.timeline.num_steps;
  pattern.dims = plan.dims;
  for (ValueIndex input : plan.graph.bodies[0].inputs) {
    const Value& value = plan.graph.values[static_cast<size_t>(input)];
    if (value.kind == ValueKind::kInitializer || !value.shape.has_value()) {
      continue;
    }
    pattern.inputs.push_back({value.name, *value.shape});
  }
  std::vector<ValueIndex> placed;
  for (size_t i = 0; i < plan.graph.values.size(); ++i) {
    if (plan.storage[i].placed) placed.push_back(static_cast<ValueIndex>(i));
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [&](ValueIndex a, ValueIndex b) {
                     return plan.lifespans[static_cast<size_t>(a)].begin <
                            plan.lifespans[static_cast<size_t>(b)].begin;
                   });
  std::vector<int32_t> position(plan.graph.values.size(), 0);
  for (size_t i = 0; i < placed.size(); ++i) {
    position[static_cast<size_t>(placed[i])] = static_cast<int32_t>(i);
  }
  for (ValueIndex index : placed) {
    const Value& value = plan.graph.values[static_cast<size_t>(index)];
    const ValueStorage& where = plan.storage[static_cast<size_t>(index)];
    PatternTensor tensor;
    tensor.name = value.name;
    tensor.scope = value.scope;
    tensor.size = *value.size;
    tensor.offset = *plan.Offset(index);
    tensor.lifespan = plan.lifespans[static_cast<size_t>(index)];
    tensor.sharing = where.sharing;
    if (where.sharing != SharingKind::kNone) {
      tensor.shares_with = position[static_cast<size_t>(where.shares_with)];
    }
    tensor.size_is_bound = value.size_is_bound;
    pattern.tensors.push_back(std::move(tensor));
  }
  return pattern;
}

absl::StatusOr<Plan> PlanModel(const Model& model, const PlanOptions& options) {
  MEMPLAN_RETURN_IF_ERROR(CheckOptions(options));
  Plan plan;
  absl::StatusOr<ModelGraph> typed = BuildGraph(model);
  MEMPLAN_RETURN_IF_ERROR(typed.status());
  absl::StatusOr<std::map<std::string, int64_t>> dims =
      InferShapes(options.inputs, *typed);
  MEMPLAN_RETURN_IF_ERROR(dims.status());
  plan.dims = *std::move(dims);
  plan.warnings = typed->warnings;
  absl::StatusOr<Graph> graph = LowerGraph(*typed);
  MEMPLAN_RETURN_IF_ERROR(graph.status());
  plan.graph = *std::move(graph);
  plan.schedule = FileOrder(plan.graph);
  absl::StatusOr<Timeline> timeline = MakeTimeline(plan.graph, plan.schedule);
  MEMPLAN_RETURN_IF_ERROR(timeline.status());
  plan.timeline = *std::move(timeline);
  plan.lifespans = ComputeLifespans(plan.graph, plan.timeline);
  plan.storage =
      AssignStorage(plan.graph, plan.timeline, plan.lifespans, options.storage);
  absl::StatusOr<PlacementProblem> placement =
      BuildProblem(plan.graph, plan.storage, plan.lifespans, options.alignment);
  MEMPLAN_RETURN_IF_ERROR(placement.status());
  plan.placement = *std::move(placement);
  absl::StatusOr<SolveResult> solved =
      Solve(plan.placement.problem, options.solve);
  MEMPLAN_RETURN_IF_ERROR(solved.status());
  plan.solved = *std::move(solved);
  MEMPLAN_RETURN_IF_ERROR(VerifyPlan(plan));
  plan.pattern = MakePattern(plan, options);
  return plan;
}

}  // namespace memplan
