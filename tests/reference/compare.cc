#include "tests/reference/compare.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/lower_graph.h"
#include "planner/timeline.h"

namespace memplan::reference {

absl::StatusOr<Reference> RunWithoutReuse(const Model& model,
                                          const InputOptions& inputs,
                                          uint64_t seed) {
  absl::StatusOr<ModelGraph> typed = BuildGraph(model);
  if (!typed.ok()) return typed.status();
  const auto dims = InferShapes(inputs, *typed);
  if (!dims.ok()) return dims.status();
  const auto graph = LowerGraph(*typed);
  if (!graph.ok()) return graph.status();
  const Schedule schedule = FileOrder(*graph);
  const auto timeline = MakeTimeline(*graph, schedule);
  if (!timeline.ok()) return timeline.status();
  auto outputs = Execute(*typed, NoReuse(*graph, schedule, *timeline), seed);
  if (!outputs.ok()) return outputs.status();
  return Reference{*std::move(typed), seed, *std::move(outputs)};
}

absl::Status Compare(const Reference& reference, const Layout& layout) {
  const auto outputs = Execute(reference.model, layout, reference.seed);
  if (!outputs.ok()) return outputs.status();
  for (size_t i = 0; i < outputs->size(); ++i) {
    if ((*outputs)[i] == reference.outputs[i]) continue;
    const ValueIndex v = reference.model.bodies[0].outputs[i];
    return absl::DataLossError(absl::StrCat(
        "output '", reference.model.values[static_cast<size_t>(v)].name,
        "' differs"));
  }
  return absl::OkStatus();
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
