#ifndef MEMPLAN_TESTS_REFERENCE_COMPARE_H_
#define MEMPLAN_TESTS_REFERENCE_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/model_graph.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/reference/executor.h"
#include "tests/reference/layout.h"

namespace memplan::reference {

// A model and what it gives when each value has bytes of its own.
struct Reference {
  ModelGraph model;  // with its types, as PlanModel sees it
  uint64_t seed = 0;
  Outputs outputs;
};

absl::StatusOr<Reference> RunWithoutReuse(const Model& model,
                                          const InputOptions& inputs,
                                          uint64_t seed);

// Runs the same in `layout`. Error DataLoss: an output differs, or an input was
// overwritten.
absl::Status Compare(const Reference& reference, const Layout& layout);

// Every order with every way to share; the solver is left open.
std::vector<PlanOptions> SharingModes();
std::string Describe(const PlanOptions& options);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_COMPARE_H_
