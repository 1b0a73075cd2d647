#ifndef MEMPLAN_TESTS_REFERENCE_EXECUTOR_H_
#define MEMPLAN_TESTS_REFERENCE_EXECUTOR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/model_graph.h"
#include "tests/reference/layout.h"

namespace memplan::reference {

// The bytes of each graph output.
using Outputs = std::vector<std::vector<uint8_t>>;

// Runs a model in the bytes that `layout` gives each value, as an adversary of
// the plan would:
//
// - a block is filled with poison when its lifespan begins, when it ends, and
//   at each new iteration of the body that it is in;
// - a node's outputs are poisoned before it runs, but for those of elementwise
//   operators, views and parts that share bytes with its inputs;
// - a node with bodies may write its outputs at any time: they are poisoned at
//   each step until a body has written them;
// - a body's results are copied when it ends, one after the other; a Loop's and
//   a Scan's also to what the next iteration receives, where only those that
//   are themselves received are put aside first;
// - graph outputs are read where the caller has bytes for them, or at their own
//   place in the arena;
// - the bytes of graph inputs and initializers must be the same at the end.
//
// Each input's content is made from `seed` and its name; where the model knows
// it (an initializer with content, --input-value), it is that. Errors:
// Unimplemented for an operator without a kernel and a value of unknown shape;
// DataLoss where an input was overwritten.
absl::StatusOr<Outputs> Execute(const ModelGraph& model, const Layout& layout,
                                uint64_t seed);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_EXECUTOR_H_
