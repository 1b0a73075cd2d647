// The whole road from any bytes to a plan, and from its record back. PlanModel
// checks its own result: an Internal error is a finding. So is a check that
// does not accept the plan just made.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "absl/status/status.h"
#include "onnx_frontend/check_plan.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "planner/pattern_record.h"

namespace memplan {
namespace {

// Every combination comes up, since a fuzzer tries inputs of any size.
PlanOptions OptionsFor(size_t size) {
  PlanOptions options;
  options.solve.solver = "greedy";
  options.storage.in_place = static_cast<InPlaceMode>(size % 4);
  options.storage.place_inputs = size / 4 % 2 == 1;
  options.storage.place_outputs = size / 8 % 2 == 1;
  options.order = static_cast<OrderKind>(size / 16 % 3);
  options.runtime =
      size / 48 % 4 == 3 ? RuntimeKind::kOnnxRuntime : RuntimeKind::kGeneric;
  return options;
}

void CheckOwnRecord(const Model& model, const Plan& plan) {
  PatternRecord record;
  record.fingerprint = FingerprintModel(model);
  AddPattern(plan.pattern, record);
  const auto bytes = EncodeRecord(record);
  if (!bytes.ok()) return;  // names with zero bytes
  const auto result = CheckRecord(model, *bytes, {});
  if (result.ok() && result->state == CheckState::kGood) return;
  if (!result.ok()) {
    std::cerr << result.status() << "\n";
  } else {
    for (const auto& finding : result->findings) std::cerr << finding << "\n";
  }
  std::abort();
}

}  // namespace
}  // namespace memplan

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto model = memplan::ReadModelFromBytes(
      std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.onnx");
  if (!model.ok()) return 0;
  const auto plan = memplan::PlanModel(*model, memplan::OptionsFor(size));
  if (absl::IsInternal(plan.status())) {
    std::cerr << plan.status() << "\n";
    std::abort();
  }
  if (plan.ok()) memplan::CheckOwnRecord(*model, *plan);
  return 0;
}
