#ifndef MEMPLAN_PLANNER_TIMELINE_H_
#define MEMPLAN_PLANNER_TIMELINE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "planner/graph.h"
#include "planner/problem.h"

namespace memplan {

// In which order each body runs its nodes: orders[body] is a permutation of
// graph.bodies[body].nodes. A schedule is data: any function may make one.
struct Schedule {
  std::vector<std::vector<NodeIndex>> orders;

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// The order of the file (design: the default).
Schedule FileOrder(const Graph& graph);

// Every node and body as a range of steps. A node without bodies takes one
// step. A node with bodies takes the first step of its range to begin and the
// last one to end; its bodies lie between, one after the other:
//
//   step    0     1    2     3      4      5     6
//           Relu  If   [then: Add]  [else: Mul]  If ends  Exp
//
// Bodies may be empty: they then take an empty range.
struct Timeline {
  std::vector<Lifespan> node_steps;  // by node
  std::vector<Lifespan> body_steps;  // by body; bodies[0] has [0, num_steps)
  std::vector<NodeIndex> order;      // all nodes by their first step
  int64_t num_steps = 0;

  friend bool operator==(const Timeline&, const Timeline&) = default;
};

// Lays the schedule out. Errors: InvalidArgument where an order is no
// permutation of its body's nodes, or a node would run before the producer of
// what it reads (captures of its bodies included). O(size of the graph); no
// recursion, however deep bodies nest.
absl::StatusOr<Timeline> MakeTimeline(const Graph& graph,
                                      const Schedule& schedule);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_TIMELINE_H_
