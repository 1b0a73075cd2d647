#ifndef MEMPLAN_TESTS_REFERENCE_RUN_H_
#define MEMPLAN_TESTS_REFERENCE_RUN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx_frontend/model_graph.h"
#include "tests/reference/executor.h"
#include "tests/reference/layout.h"
#include "tests/reference/memory.h"
#include "tests/reference/tensor.h"

namespace memplan::reference {

using Bytes = std::vector<uint8_t>;

inline Bytes BytesOf(const Tensor& tensor) {
  return Bytes(tensor.bytes, tensor.bytes + tensor.ByteSize());
}

// One run of a model: see Execute. Plain nodes are in executor.cc, those with
// bodies in control_flow.cc.
class Run {
 public:
  Run(const ModelGraph& model, const Layout& layout, uint64_t seed)
      : model_(model), layout_(layout), seed_(seed), memory_(model, layout) {}

  absl::StatusOr<Outputs> Execute();

 private:
  const ModelBody& body(BodyIndex b) const {
    return model_.bodies[static_cast<size_t>(b)];
  }
  const Lifespan& BodySteps(BodyIndex b) const {
    return layout_.timeline.body_steps[static_cast<size_t>(b)];
  }
  Tensor TensorOf(ValueIndex v) { return memory_.TensorOf(v); }
  Tensor TensorOf(const std::optional<ValueIndex>& v) {
    return v.has_value() ? memory_.TensorOf(*v) : Tensor{};
  }

  absl::Status CheckShapes() const;
  absl::Status CheckSources();
  void RunBody(BodyIndex b);
  void RunNode(NodeIndex n);
  void RunKernel(NodeIndex n);
  void RunIf(NodeIndex n);
  void RunLoop(NodeIndex n);
  void RunScan(NodeIndex n);

  void Advance(int64_t step);
  void BeginOutputs(const ModelNode& node);
  void Written(const std::optional<ValueIndex>& output);
  void CopyResult(ValueIndex from, const std::optional<ValueIndex>& to);
  void CarryOn(const std::vector<ValueIndex>& from,
               const std::vector<ValueIndex>& to);
  void Fail(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }

  const ModelGraph& model_;
  const Layout& layout_;
  const uint64_t seed_;
  Memory memory_;
  std::map<ValueIndex, Bytes> sources_;  // inputs and initializers, at first
  // Outputs of nodes around that no body has written yet.
  std::vector<ValueIndex> unwritten_;
  absl::Status status_;
};

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_RUN_H_
