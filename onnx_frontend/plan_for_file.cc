#include "onnx_frontend/plan_for_file.h"

#include <utility>

namespace memplan {
namespace {

// What is told of the search, about the order that the file has in the end.
void TakeOrder(const Plan& searched, Plan& plan) {
  plan.order = searched.order;
  if (!plan.order) return;
  plan.order->schedule = plan.schedule;
  if (plan.order->max_live_bytes == plan.pattern.max_live_bytes) return;
  plan.order->max_live_bytes = plan.pattern.max_live_bytes;
  plan.order->proved_minimal = false;
}

}  // namespace

absl::StatusOr<PlanForFile> FitFileToPlan(const Model& model,
                                          const PlanOptions& given, Plan plan) {
  if (given.order == OrderKind::kFile ||
      given.runtime != RuntimeKind::kGeneric) {
    return PlanForFile{model, {}, std::move(plan)};
  }
  FileOrders orders = OrdersForFile(model, plan.graph, plan.schedule);
  if (orders.empty() && plan.schedule == FileOrder(plan.graph)) {
    return PlanForFile{model, {}, std::move(plan)};
  }
  PlanOptions options = given;
  options.order = OrderKind::kFile;
  PlanForFile result{WithNodesInOrder(model, orders), std::move(orders), {}};
  absl::StatusOr<Plan> again = PlanModel(result.model, options);
  if (!again.ok()) return again.status();
  if (plan.order &&
      again->pattern.max_live_bytes > plan.order->file_max_live_bytes) {
    again = PlanModel(model, options);
    if (!again.ok()) return again.status();
    result.model = model;
    result.orders.clear();
  }
  result.plan = *std::move(again);
  TakeOrder(plan, result.plan);
  return result;
}

}  // namespace memplan
