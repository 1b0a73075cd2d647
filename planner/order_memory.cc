#include "planner/order_memory.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "planner/graph_index.h"
#include "planner/liveness.h"
#include "planner/order_onnxruntime.h"
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

// What the search came to.
struct Search {
  Schedule schedule;
  int64_t peak = 0;  // of the puzzle
  bool proved = false;
  int64_t search_nodes = 0;
};

// Positions in each body's file order.
std::vector<std::vector<int32_t>> PositionsOf(const Graph& graph,
                                              const Schedule& schedule) {
  std::vector<int32_t> position(graph.nodes.size());
  for (const Body& body : graph.bodies) {
    for (size_t i = 0; i < body.nodes.size(); ++i) {
      position[static_cast<size_t>(body.nodes[i])] = static_cast<int32_t>(i);
    }
  }
  std::vector<std::vector<int32_t>> positions(graph.bodies.size());
  for (size_t b = 0; b < positions.size(); ++b) {
    for (const NodeIndex n : schedule.orders[b]) {
      positions[b].push_back(position[static_cast<size_t>(n)]);
    }
  }
  return positions;
}

Search SearchBodies(const Graph& graph, const Schedule& other,
                    const OrderOptions& options) {
  std::vector<OrderProblem> problems =
      MakeOrderProblems(graph, options.storage, options.alignment);
  const auto others = PositionsOf(graph, other);
  std::vector<int64_t> inside(graph.bodies.size());  // by body
  Search search;
  search.schedule = FileOrder(graph);
  search.proved = options.storage.in_place != InPlaceMode::kAggressive;
  int64_t effort = options.effort;
  for (size_t b : InnermostFirst(IndexGraph(graph))) {
    OrderProblem& problem = problems[b];
    for (OrderProblem::Step& step : problem.steps) {
      for (BodyIndex inner :
           graph.nodes[static_cast<size_t>(step.node)].bodies) {
        step.inside = std::max(step.inside, inside[static_cast<size_t>(inner)]);
      }
    }
    const FoundOrder order = SearchOrder(problem, others[b], effort);
    inside[b] = order.peak;
    search.proved = search.proved && order.proved;
    for (size_t i = 0; i < order.order.size(); ++i) {
      search.schedule.orders[b][i] =
          problem.steps[static_cast<size_t>(order.order[i])].node;
    }
  }
  search.peak = inside[0];
  search.search_nodes = options.effort - std::max<int64_t>(effort, 0);
  return search;
}

}  // namespace

absl::StatusOr<OrderResult> OrderForMemory(const Graph& graph,
                                           const OrderOptions& options) {
  // Good where a file lists first what is needed last.
  const Schedule depth_first =
      OnnxRuntimeOrder(graph, KeptOrder::kAmongKeepers);
  const Search search = SearchBodies(graph, depth_first, options);
  OrderResult result;
  result.search_nodes = search.search_nodes;
  result.schedule = FileOrder(graph);
  const auto of_file = LiveBytesOf(graph, result.schedule, options);
  if (!of_file.ok()) return of_file.status();
  result.file_max_live_bytes = result.max_live_bytes = *of_file;
  for (const Schedule* schedule : {&search.schedule, &depth_first}) {
    const auto live_bytes = LiveBytesOf(graph, *schedule, options);
    if (!live_bytes.ok()) return live_bytes.status();
    if (*live_bytes >= result.max_live_bytes) continue;
    result.max_live_bytes = *live_bytes;
    result.schedule = *schedule;
  }
  // The proof is about the puzzle; it holds if the plan agrees with it.
  result.proved_minimal = search.proved && result.max_live_bytes == search.peak;
  return result;
}

}  // namespace memplan
