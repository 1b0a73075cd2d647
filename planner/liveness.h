#ifndef MEMPLAN_PLANNER_LIVENESS_H_
#define MEMPLAN_PLANNER_LIVENESS_H_

#include <optional>
#include <vector>

#include "planner/graph.h"
#include "planner/problem.h"
#include "planner/timeline.h"

namespace memplan {

// The steps during which each value must keep its own content, sharing left
// aside. By value.
//
// Rules (docs/design.md, section 4):
// - begin: the first step of the node that produces it (a control-flow node's
// outputs may be written from its
//   begin); 0 for inputs and initializers of the main graph; a body's own begin
//   for what the body receives;
// - end: one past the last step that reads it; a read by a node inside a body
// that is below the
//   value's own scope lasts to the end of the outermost such node; a node with
//   bodies reads its inputs to its own end;
// - an output that nobody reads lives for its producer's steps; a graph output
// to the end; a body's output to
//   the body's end; what a repeating body receives, through the whole body.
std::vector<Lifespan> ComputeLifespans(const Graph& graph,
                                       const Timeline& timeline);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_LIVENESS_H_
