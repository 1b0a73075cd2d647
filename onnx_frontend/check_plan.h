#ifndef MEMPLAN_ONNX_FRONTEND_CHECK_PLAN_H_
#define MEMPLAN_ONNX_FRONTEND_CHECK_PLAN_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/read_model.h"
#include "planner/pattern_record.h"

namespace memplan {

enum class CheckState {
  kGood,     // holds for this model
  kNoPlan,   // the model carries none
  kDamaged,  // carries one that cannot be read, or two
  kStale,    // made for another graph, or does not fit this one
};

struct CheckResult {
  CheckState state = CheckState::kGood;
  // What is wrong, one line each, for people; at most kMaxFindings.
  std::vector<std::string> findings;
  PatternRecord record;  // empty unless it could be read
};

inline constexpr size_t kMaxFindings = 20;

// What was said of the model when the pattern was made; `hints` where it is
// silent.
InputOptions InputsOf(const Model& model, const MemoryPattern& pattern,
                      InputOptions hints);

// Checks a record (raw bytes) against the model: intact, made for this graph,
// and, for each of its patterns, every tensor there with its size and lifespan,
// and no tensor's bytes overwritten before their last reader. Shapes and
// liveness are derived anew; nothing is believed that the record says.
// `hints`: what to say of the model where the pattern does not. Errors: those
// of PlanModel where the model itself is bad.
absl::StatusOr<CheckResult> CheckRecord(const Model& model,
                                        std::string_view record,
                                        const InputOptions& hints);

// The same for the record that the model carries.
absl::StatusOr<CheckResult> CheckEmbeddedPlan(const Model& model,
                                              const InputOptions& hints);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_CHECK_PLAN_H_
