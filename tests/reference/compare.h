#ifndef MEMPLAN_TESTS_REFERENCE_COMPARE_H_
#define MEMPLAN_TESTS_REFERENCE_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "onnx_frontend/model_graph.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/reference/layout.h"

namespace memplan::reference {

// The model with its types, as PlanModel sees it.
absl::StatusOr<ModelGraph> TypedGraph(const Model& model,
                                      const InputOptions& inputs);

// Runs the model without reuse, then in `layout`, and compares all outputs.
// Error DataLoss: they differ.
absl::Status CompareRuns(const ModelGraph& model, const Graph& graph,
                         const Layout& layout, uint64_t seed);

// The same for the plan that these options give.
absl::Status CompareRuns(const Model& model, const PlanOptions& options,
                         uint64_t seed);

// Every order with every way to share; the solver is left open.
std::vector<PlanOptions> SharingModes();
std::string Describe(const PlanOptions& options);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_COMPARE_H_
