#include "planner/order_memory.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "planner/graph_index.h"
#include "planner/liveness.h"
#include "planner/order_problem.h"
#include "planner/order_search.h"

namespace memplan {
namespace {

absl::StatusOr<int64_t> LiveBytesOf(const Graph& graph,
                                    const Schedule& schedule,
                                    const OrderOptions& options) {
  const absl::StatusOr<Timeline> timeline = MakeTimeline(graph, schedule);
  if (!timeline.ok()) return timeline.status();
  const std::vector<Lifespan> lifespans = ComputeLifespans(graph, *timeline);
  const absl::StatusOr<PlacementProblem> placement = BuildProblem(
      graph, AssignStorage(graph, *timeline, lifespans, options.storage),
      lifespans, options.alignment);
  if (!placement.ok()) return placement.status();
  if (absl::Status s = CheckProblem(placement->problem); !s.ok()) return s;
  return MaxLiveBytes(placement->problem);
}

// Bodies from the innermost out: what a body needs counts at its node's step.
std::vector<size_t> InnermostFirst(const GraphIndex& index) {
  std::vector<size_t> bodies(index.depth.size());
  for (size_t b = 0; b < bodies.size(); ++b) bodies[b] = b;
  std::stable_sort(bodies.begin(), bodies.end(), [&](size_t a, size_t b) {
    return index.depth[a] > index.depth[b];
  });
  return bodies;
}

}  // namespace

absl::StatusOr<OrderResult> OrderForMemory(const Graph& graph,
                                           const OrderOptions& options) {
  const GraphIndex index = IndexGraph(graph);
  std::vector<OrderProblem> problems =
      MakeOrderProblems(graph, options.storage, options.alignment);
  std::vector<int64_t> inside(graph.bodies.size());  // by body
  Schedule found = FileOrder(graph);
  int64_t effort = options.effort;
  bool proved = options.storage.in_place != InPlaceMode::kAggressive;
  for (size_t b : InnermostFirst(index)) {
    OrderProblem& problem = problems[b];
    for (OrderProblem::Step& step : problem.steps) {
      for (BodyIndex inner :
           graph.nodes[static_cast<size_t>(step.node)].bodies) {
        step.inside = std::max(step.inside, inside[static_cast<size_t>(inner)]);
      }
    }
    const FoundOrder order = SearchOrder(problem, effort);
    inside[b] = order.peak;
    proved = proved && order.proved;
    for (size_t i = 0; i < order.order.size(); ++i) {
      found.orders[b][i] =
          problem.steps[static_cast<size_t>(order.order[i])].node;
    }
  }

  OrderResult result;
  result.search_nodes = options.effort - std::max<int64_t>(effort, 0);
  result.schedule = FileOrder(graph);
  const auto of_file = LiveBytesOf(graph, result.schedule, options);
  if (!of_file.ok()) return of_file.status();
  const auto of_found = LiveBytesOf(graph, found, options);
  if (!of_found.ok()) return of_found.status();
  result.file_max_live_bytes = *of_file;
  result.max_live_bytes = std::min(*of_file, *of_found);
  if (*of_found < *of_file) result.schedule = std::move(found);
  // The proof is about the puzzle; it holds if the plan agrees with it.
  result.proved_minimal = proved && result.max_live_bytes == inside[0];
  return result;
}

}  // namespace memplan
