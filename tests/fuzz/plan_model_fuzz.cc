// The whole road from any bytes to a plan. PlanModel checks its own result: an
// Internal error is a finding.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "absl/status/status.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto model = memplan::ReadModelFromBytes(
      std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.onnx");
  if (!model.ok()) return 0;
  memplan::PlanOptions options;
  options.solve.solver = "greedy";
  const auto plan = memplan::PlanModel(*model, options);
  if (absl::IsInternal(plan.status())) std::abort();
  return 0;
}
