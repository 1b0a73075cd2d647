#include "tests/reference/compare.h"

#include "absl/strings/str_cat.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/infer_shapes.h"
#include "planner/timeline.h"
#include "tests/reference/executor.h"

namespace memplan::reference {

absl::StatusOr<ModelGraph> TypedGraph(const Model& model,
                                      const InputOptions& inputs) {
  absl::StatusOr<ModelGraph> graph = BuildGraph(model);
  if (!graph.ok()) return graph.status();
  const auto dims = InferShapes(inputs, *graph);
  if (!dims.ok()) return dims.status();
  return graph;
}

absl::Status CompareRuns(const ModelGraph& model, const Graph& graph,
                         const Layout& layout, uint64_t seed) {
  const Schedule schedule = FileOrder(graph);
  const auto timeline = MakeTimeline(graph, schedule);
  if (!timeline.ok()) return timeline.status();
  const auto expected =
      Execute(model, NoReuse(graph, schedule, *timeline), seed);
  if (!expected.ok()) return expected.status();
  const auto actual = Execute(model, layout, seed);
  if (!actual.ok()) return actual.status();
  for (size_t i = 0; i < expected->size(); ++i) {
    if ((*actual)[i] == (*expected)[i]) continue;
    const auto v = static_cast<size_t>(graph.bodies[0].outputs[i]);
    return absl::DataLossError(
        absl::StrCat("output '", graph.values[v].name, "' differs"));
  }
  return absl::OkStatus();
}

absl::Status CompareRuns(const Model& model, const PlanOptions& options,
                         uint64_t seed) {
  const auto typed = TypedGraph(model, options.inputs);
  if (!typed.ok()) return typed.status();
  const auto plan = PlanModel(model, options);
  if (!plan.ok()) return plan.status();
  return CompareRuns(*typed, plan->graph, LayoutOf(*plan), seed);
}

std::vector<PlanOptions> SharingModes() {
  std::vector<PlanOptions> modes;
  for (const OrderKind order :
       {OrderKind::kFile, OrderKind::kOnnxRuntime, OrderKind::kMemory}) {
    for (const InPlaceMode in_place :
         {InPlaceMode::kOff, InPlaceMode::kViews, InPlaceMode::kSafe,
          InPlaceMode::kAggressive}) {
      PlanOptions options;
      options.order = order;
      options.storage.in_place = in_place;
      // Every other mode has all in the arena, with parts at any byte.
      const bool all_placed = modes.size() % 2 == 1;
      options.storage.place_inputs = all_placed;
      options.storage.place_outputs = all_placed;
      options.alignment = all_placed ? 4 : 64;
      options.storage.alignment = options.alignment;
      modes.push_back(options);
    }
  }
  return modes;
}

std::string Describe(const PlanOptions& options) {
  return absl::StrCat("order ", static_cast<int>(options.order), ", in-place ",
                      static_cast<int>(options.storage.in_place),
                      ", alignment ", options.alignment, ", solver ",
                      options.solve.solver);
}

}  // namespace memplan::reference
