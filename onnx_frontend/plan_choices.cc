#include "onnx_frontend/plan_choices.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "planner/liveness.h"
#include "planner/onnxruntime_rules.h"
#include "planner/order_memory.h"
#include "planner/order_onnxruntime.h"

namespace memplan {
namespace {

// Proves most randomly wired cells of a hundred nodes, in about a second.
constexpr int64_t kOrderEffort = 1'000'000;  // search nodes

}  // namespace

PlanOptions Completed(PlanOptions options) {
  if (options.runtime == RuntimeKind::kOnnxRuntime) {
    options.order = OrderKind::kOnnxRuntime;
    options.alignment = kOnnxRuntimeAlignment;
    if (options.solve.solver == "auto") options.solve.solver = "replay";
  }
  // Parts must lie where the whole plan's alignment allows.
  options.storage.alignment = options.alignment;
  return options;
}

absl::Status ChooseOrder(const PlanOptions& options, Plan& plan) {
  if (absl::Status s = CheckGraph(plan.graph); !s.ok()) return s;
  if (options.order == OrderKind::kFile) {
    plan.schedule = FileOrder(plan.graph);
  } else if (options.order == OrderKind::kOnnxRuntime) {
    plan.schedule = OnnxRuntimeOrder(plan.graph);
  } else {
    OrderOptions order;
    order.effort = kOrderEffort;
    order.storage = options.storage;
    order.alignment = options.alignment;
    absl::StatusOr<OrderResult> result = OrderForMemory(plan.graph, order);
    if (!result.ok()) return result.status();
    plan.order = *std::move(result);
    plan.schedule = plan.order->schedule;
  }
  return absl::OkStatus();
}

absl::Status ChooseStorage(const PlanOptions& options, Plan& plan) {
  if (options.runtime == RuntimeKind::kGeneric) {
    plan.lifespans = ComputeLifespans(plan.graph, plan.timeline);
    plan.storage = AssignStorage(plan.graph, plan.timeline, plan.lifespans,
                                 options.storage);
    return absl::OkStatus();
  }
  if (!plan.onnxruntime) {
    return absl::InternalError("the model was lowered for another runtime");
  }
  OnnxRuntimeAllocation allocation =
      AllocateAsOnnxRuntime(plan.graph, plan.timeline, *plan.onnxruntime);
  plan.lifespans = std::move(allocation.lifespans);
  plan.storage = std::move(allocation.storage);
  for (size_t n = 0; n < plan.graph.nodes.size(); ++n) {
    std::vector<ShareRule>& rules = plan.graph.nodes[n].share_rules;
    const std::vector<ShareRule>& used = allocation.used_rules[n];
    rules.insert(rules.end(), used.begin(), used.end());
  }
  return absl::OkStatus();
}

}  // namespace memplan
