#ifndef MEMPLAN_PLANNER_GRAPH_H_
#define MEMPLAN_PLANNER_GRAPH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace memplan {

// Dense indices from 0 into Graph::values, ::nodes and ::bodies.
using ValueIndex = int32_t;
using NodeIndex = int32_t;
using BodyIndex = int32_t;

enum class ValueKind {
  kIntermediate,  // produced by a node, or what a body receives; lives in the
                  // arena
  kInput,         // of the main graph: the caller owns the bytes
  kOutput,        // of the main graph: the caller owns the bytes
  kInitializer,   // a constant, of the main graph or of a body
};

// An edge of the graph; users read "tensor".
struct Value {
  std::string name;
  std::string scope;  // "" in the main graph, else as in docs/design.md:
                      // "96.then_branch/8.else_branch"
  ValueKind kind = ValueKind::kIntermediate;
  bool is_graph_input = false;   // of the main graph; an output may be one, too
  bool is_graph_output = false;  // of the main graph
  std::string type;  // "float32", "sequence(tensor(int64))"; for people
  std::optional<std::vector<int64_t>>
      shape;                    // for people; unset where it is not known
  std::optional<int64_t> size;  // bytes, exact; unset: cannot be placed
  int element_bits = 0;         // 0 where it has no fixed width
  bool size_is_bound = false;  // the size is an upper bound, the shape likewise
  std::string unplaced_reason;  // why size is unset
  std::string unplaced_node;  // the node that first lost it; "" where none did

  friend bool operator==(const Value&, const Value&) = default;
};

enum class SharingKind {
  kNone,
  kView,     // the same bytes by the operator's meaning (Reshape, Squeeze,
             // Identity...)
  kInPlace,  // the output may overwrite the input's bytes
  kPart,     // the value is a contiguous part of the other's bytes (Concat's
             // inputs, Split's outputs)
};

// What an operator allows: `value` may live in the bytes of `base`. Whether it
// does depends on the schedule, the sizes and the rules of planner/storage.h.
struct ShareRule {
  ValueIndex value =
      0;  // an output of the node (for kPart also an input: Concat)
  ValueIndex base =
      0;  // an input of the node (for kPart of a Concat, its output)
  SharingKind kind = SharingKind::kView;
  int64_t part_offset = 0;  // bytes into the base, for kPart

  friend bool operator==(const ShareRule&, const ShareRule&) = default;
};

struct Node {
  std::string name;     // as in the model; may be empty
  std::string op_type;  // "Conv"
  int64_t file_index =
      0;  // position in its own graph's file order, Constant nodes counted
  int64_t file_slot = 0;  // position in its body's graph: its own, or that of
                          // the function's call that it stands for
  std::vector<ValueIndex>
      inputs;  // each slot that is not empty, in order; repeats are kept
  std::vector<ValueIndex> outputs;     // each slot that is not empty, in order
  std::vector<ShareRule> share_rules;  // preferred first
  std::vector<BodyIndex> bodies;       // an If has two, a Loop or Scan one
  bool keeps_order =
      false;  // side effects or randomness: stays in order among such nodes

  friend bool operator==(const Node&, const Node&) = default;
};

// What goes round a Loop or Scan: at the end of an iteration the bytes of
// `out`, a body output, are copied to `in`, a body input.
struct Carried {
  ValueIndex in = 0;
  ValueIndex out = 0;

  friend bool operator==(const Carried&, const Carried&) = default;
};

// A graph: bodies[0] is the main graph, the others are inside a node.
struct Body {
  std::string scope;
  std::vector<NodeIndex>
      nodes;  // in file order, stably sorted where the file is not
  std::vector<ValueIndex> inputs;   // for a body: its formal inputs, in order
  std::vector<ValueIndex> outputs;  // in order; repeats are kept
  std::vector<Carried> carried;     // Loop, Scan
  bool repeats = false;             // may run more than once: Loop, Scan

  friend bool operator==(const Body&, const Body&) = default;
};

// A model as the planner sees it: who produces and reads which bytes. Bodies
// are trees: each body but the first belongs to exactly one node. A body's node
// may read any value of its own body and of those that enclose it (a capture).
struct Graph {
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<Body> bodies;  // never empty

  friend bool operator==(const Graph&, const Graph&) = default;
};

// Says whether the indices are in range, each value has at most one producer,
// each body one owner, and each read comes after its producer in file order.
// O(size of the graph).
absl::Status CheckGraph(const Graph& graph);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_GRAPH_H_
