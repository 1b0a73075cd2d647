#ifndef MEMPLAN_ONNX_FRONTEND_CONTROL_FLOW_H_
#define MEMPLAN_ONNX_FRONTEND_CONTROL_FLOW_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/inference.h"
#include "onnx_frontend/node_context.h"

// The workings of InferControlFlow, for its own files alone.
namespace memplan {

// What flows along one edge into or out of a body.
struct Flow {
  Type type;
  std::optional<TensorValue> content;

  friend bool operator==(const Flow&, const Flow&) = default;
};

// One node with bodies, while its types are inferred.
class ControlFlow {
 public:
  ControlFlow(Inference& inference, NodeIndex node)
      : inference_(inference), context_(inference.graph, node) {}

  absl::Status If();
  absl::Status Loop();
  absl::Status Scan();
  absl::Status ScanBatched();  // opset 8
  absl::Status SequenceMap();

 private:
  ModelGraph& graph() { return inference_.graph; }
  ModelBody& body(BodyIndex index) {
    return graph().bodies[static_cast<size_t>(index)];
  }
  ModelValue& value(ValueIndex index) {
    return graph().values[static_cast<size_t>(index)];
  }
  Flow InputFlow(size_t i) const;
  Flow BodyOutput(BodyIndex index, size_t i);
  size_t NumBodyOutputs(BodyIndex index) { return body(index).outputs.size(); }
  void SetBodyInput(BodyIndex index, size_t i, const Flow& flow);
  void SetOutput(size_t i, Flow flow);
  absl::StatusOr<bool> MapEachElement(BodyIndex index);
  absl::StatusOr<BodyIndex> RequireBody(std::string_view attribute);
  void VisitLeniently(BodyIndex index);
  bool Generalize(const Flow& next, Flow& carried, size_t slot);
  absl::Status Settle(BodyIndex index, size_t first_input, size_t first_output,
                      std::vector<Flow>& carried);
  std::optional<int64_t> TripCount();
  bool RunsToTheEnd(BodyIndex index);
  void SetScalarInput(BodyIndex index, size_t i, ElementType element,
                      std::optional<TensorValue> content);
  void SetLoopState(BodyIndex index, std::optional<TensorValue> iteration,
                    std::optional<TensorValue> condition);
  int64_t TripsToTell(BodyIndex index, std::optional<int64_t> trips,
                      bool runs_to_the_end);
  absl::StatusOr<bool> Simulate(BodyIndex index, std::optional<int64_t> trips,
                                int64_t most, const std::vector<Flow>& initial);
  Shape Stacked(const Shape& slice, int64_t axis, const Dim& count) const;

  Inference& inference_;
  NodeContext context_;
};

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_CONTROL_FLOW_H_
