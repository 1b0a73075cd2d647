#ifndef MEMPLAN_ONNX_FRONTEND_PLAN_MODEL_H_
#define MEMPLAN_ONNX_FRONTEND_PLAN_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/read_model.h"
#include "planner/graph.h"
#include "planner/make_pattern.h"
#include "planner/memory_pattern.h"
#include "planner/onnxruntime_rules.h"
#include "planner/order_memory.h"
#include "planner/problem.h"
#include "planner/solve.h"
#include "planner/storage.h"
#include "planner/timeline.h"

namespace memplan {

enum class OrderKind { kFile, kOnnxRuntime, kMemory };
enum class RuntimeKind { kGeneric, kOnnxRuntime };

struct PlanOptions {
  InputOptions inputs;
  OrderKind order = OrderKind::kFile;
  RuntimeKind runtime = RuntimeKind::kGeneric;
  StorageOptions storage;
  int64_t alignment = 64;  // bytes, a power of two
  SolveOptions solve;
};

// Everything that the stages found, for reports and for whoever looks further.
struct Plan {
  Graph graph;
  // For RuntimeKind::kOnnxRuntime; the graph is then what that runtime makes of
  // the model.
  std::optional<OnnxRuntimeFacts> onnxruntime;
  Schedule schedule;
  std::optional<OrderResult> order;  // how it was found, for OrderKind::kMemory
  Timeline timeline;
  std::vector<Lifespan> lifespans;    // by value
  std::vector<ValueStorage> storage;  // by value
  PlacementProblem placement;
  SolveResult solved;
  std::vector<std::optional<int64_t>>
      root_offsets;  // by value: of roots alone; see OffsetOf
  MemoryPattern pattern;
  std::map<std::string, int64_t> dims;  // the numbers of symbolic dimensions
  std::vector<std::string> warnings;

  // The offset of a value in the arena, in bytes; unset where it has none.
  std::optional<int64_t> Offset(ValueIndex value) const {
    return OffsetOf(storage, root_offsets, value);
  }
};

// The whole road. The plan is verified by both checks before it is returned; a
// plan that fails one is our own fault (Internal), never a result.
absl::StatusOr<Plan> PlanModel(const Model& model, const PlanOptions& options);

// The same road in two parts, for whoever compares plans of one model: its
// shapes are found once. The first fills in the graph, the runtime's facts,
// dims and warnings, and looks at options.inputs and options.runtime alone; the
// second does the rest.
absl::StatusOr<Plan> LowerModel(const Model& model, const PlanOptions& options);
absl::StatusOr<Plan> PlanLowered(const PlanOptions& options, Plan lowered);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_PLAN_MODEL_H_
