// The whole road, each stage a function of the one before. Read this first.
#include "onnx_frontend/plan_model.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/expansion.h"
#include "onnx_frontend/lower_graph.h"
#include "onnx_frontend/onnxruntime_facts.h"
#include "onnx_frontend/onnxruntime_functions.h"
#include "onnx_frontend/onnxruntime_graph.h"
#include "onnx_frontend/plan_choices.h"
#include "planner/make_pattern.h"
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
  return AsOurFault(
      ReplayPlan(plan.graph, plan.schedule, plan.storage, plan.root_offsets));
}

absl::StatusOr<ModelGraph> Typed(absl::StatusOr<ModelGraph> graph,
                                 const PlanOptions& options, Plan& plan) {
  MEMPLAN_RETURN_IF_ERROR(graph.status());
  absl::StatusOr<std::map<std::string, int64_t>> dims =
      InferShapes(options.inputs, *graph);
  MEMPLAN_RETURN_IF_ERROR(dims.status());
  plan.dims = *std::move(dims);
  return graph;
}

// What ONNX Runtime makes of the model. Operators that make no sense once they
// are expanded are planned as they stand.
absl::StatusOr<ModelGraph> OnnxRuntimeGraph(const Model& model,
                                            const PlanOptions& options,
                                            Plan& plan) {
  absl::StatusOr<Expansions> expansions = OnnxRuntimeExpansions(model);
  MEMPLAN_RETURN_IF_ERROR(expansions.status());
  absl::StatusOr<ModelGraph> graph =
      Typed(BuildGraph(model, *expansions), options, plan);
  if (!graph.ok()) {
    expansions->clear();
    graph = Typed(BuildGraph(model, *expansions), options, plan);
  }
  MEMPLAN_RETURN_IF_ERROR(graph.status());
  absl::StatusOr<OnnxRuntimeFacts> facts =
      OnnxRuntimeFactsOf(model, *expansions);
  MEMPLAN_RETURN_IF_ERROR(facts.status());
  plan.onnxruntime = *std::move(facts);
  MakeOnnxRuntimeGraph(*graph, *plan.onnxruntime);
  return graph;
}

}  // namespace

absl::StatusOr<Plan> PlanModel(const Model& model, const PlanOptions& options) {
  absl::StatusOr<Plan> lowered = LowerModel(model, options);
  MEMPLAN_RETURN_IF_ERROR(lowered.status());
  return PlanLowered(options, *std::move(lowered));
}

absl::StatusOr<Plan> LowerModel(const Model& model,
                                const PlanOptions& options) {
  MEMPLAN_RETURN_IF_ERROR(CheckOptions(options));
  Plan plan;
  absl::StatusOr<ModelGraph> typed =
      options.runtime == RuntimeKind::kGeneric
          ? Typed(BuildGraph(model), options, plan)
          : OnnxRuntimeGraph(model, options, plan);
  MEMPLAN_RETURN_IF_ERROR(typed.status());
  plan.warnings = typed->warnings;
  absl::StatusOr<Graph> graph = LowerGraph(*typed);
  MEMPLAN_RETURN_IF_ERROR(graph.status());
  plan.graph = *std::move(graph);
  return plan;
}

absl::StatusOr<Plan> PlanLowered(const PlanOptions& given, Plan plan) {
  const PlanOptions options = Completed(given);
  MEMPLAN_RETURN_IF_ERROR(ChooseOrder(options, plan));
  absl::StatusOr<Timeline> timeline = MakeTimeline(plan.graph, plan.schedule);
  MEMPLAN_RETURN_IF_ERROR(timeline.status());
  plan.timeline = *std::move(timeline);
  MEMPLAN_RETURN_IF_ERROR(ChooseStorage(options, plan));
  absl::StatusOr<PlacementProblem> placement =
      BuildProblem(plan.graph, plan.storage, plan.lifespans, options.alignment);
  MEMPLAN_RETURN_IF_ERROR(placement.status());
  plan.placement = *std::move(placement);
  absl::StatusOr<SolveResult> solved =
      Solve(plan.placement.problem, options.solve);
  MEMPLAN_RETURN_IF_ERROR(solved.status());
  plan.solved = *std::move(solved);
  plan.root_offsets =
      RootOffsets(plan.graph, plan.placement, plan.solved.solution);
  MEMPLAN_RETURN_IF_ERROR(VerifyPlan(plan));
  plan.pattern =
      MakeMemoryPattern(plan.graph, plan.timeline, plan.lifespans, plan.storage,
                        plan.placement, plan.solved, options.alignment);
  plan.pattern.dims = plan.dims;
  plan.pattern.input_values = options.inputs.values;
  plan.pattern.bounds = options.inputs.bounds;
  return plan;
}

}  // namespace memplan
