#ifndef MEMPLAN_ONNX_FRONTEND_NODE_CONTEXT_H_
#define MEMPLAN_ONNX_FRONTEND_NODE_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "onnx_frontend/model_graph.h"

namespace memplan {

// What a shape rule or an evaluator sees of one node: its attributes, what is
// known of its inputs, and a place for what it finds out of its outputs. Knows
// no protobuf.
//
// An absent input (the empty name, or fewer inputs than asked for) has type
// kUnknown, no value, and HasInput() false. SetOutput on an absent output is
// ignored. So rules need not check.
class NodeContext {
 public:
  // `graph` is written through SetOutput and SetValue alone.
  NodeContext(ModelGraph& graph, NodeIndex node) : graph_(graph), node_(node) {}

  const ModelNode& node() const {
    return graph_.nodes[static_cast<size_t>(node_)];
  }
  const std::string& op_type() const { return node().op_type; }
  int64_t opset() const { return node().opset; }

  // Attributes. The default is returned where the attribute is absent or of
  // another type.
  bool HasAttribute(std::string_view name) const;
  int64_t Int(std::string_view name, int64_t otherwise) const;
  float Float(std::string_view name, float otherwise) const;
  std::string String(std::string_view name, std::string_view otherwise) const;
  std::optional<std::vector<int64_t>> Ints(std::string_view name) const;
  std::optional<std::vector<float>> Floats(std::string_view name) const;
  std::optional<std::vector<std::string>> Strings(std::string_view name) const;
  const TensorAttribute* Tensor(
      std::string_view name) const;  // null where absent
  const memplan::Type* TypeAttribute(
      std::string_view name) const;  // null where absent
  std::optional<BodyIndex> Body(std::string_view name) const;

  // Inputs.
  size_t num_inputs() const { return node().inputs.size(); }
  bool HasInput(size_t i) const {
    return i < num_inputs() && node().inputs[i].has_value();
  }
  const Type& input(size_t i) const;
  // The tensor input's element type, kUndefined where it is not known.
  ElementType element(size_t i) const { return input(i).element; }
  // The tensor input's shape; null where not even its rank is known.
  const Shape* shape(size_t i) const;
  // The input's content, maybe partly known; null where nothing is. Floating
  // point only where all of it is known.
  const TensorValue* value(size_t i) const;
  // The same, and also floating-point content of which only a part is known;
  // for evaluators.
  const TensorValue* PartlyKnownValue(size_t i) const;
  // The input's content as numbers; unset where it is not fully known.
  std::optional<std::vector<int64_t>> IntsOf(size_t i) const;
  // What messages call it.
  std::string InputName(size_t i) const;

  // Outputs.
  size_t num_outputs() const { return node().outputs.size(); }
  bool HasOutput(size_t i) const {
    return i < num_outputs() && node().outputs[i].has_value();
  }
  void SetOutput(size_t i, Type type);
  void SetTensor(size_t i, ElementType element, std::optional<Shape> shape) {
    SetOutput(i, Type::Tensor(element, std::move(shape)));
  }
  void SetValue(size_t i, TensorValue value);  // sets the type as well
  const Type& output(size_t i) const;  // what was set so far in this visit
  const Type& declared_output(
      size_t i) const;  // what the model says, kUnknown where nothing
  // The output stays unknown for this reason: "shape depends on data". Without
  // it, the driver says which input was unknown.
  void SetUnknown(size_t i, std::string_view reason);

  // The same where the operator's definition leaves it to whoever made the
  // model: what is declared of the output is taken.
  void LeaveToModel(size_t i, std::string_view reason);

  // A dimension that only a run can tell (NonZero's count), in [0, at_most]: a
  // symbol of its own, named after the node and `what`; the same for each visit
  // of the node. Where `at_most` is no number (or symbolic), it has no range
  // and its value cannot be placed without --bound.
  Dim DataDependentDim(std::string_view what, const Dim& at_most);

  // The error for a node whose inputs cannot be: "node 'Conv_3' (Conv): ...".
  absl::Status Error(std::string_view message) const;

  const ModelGraph& graph() const { return graph_; }
  NodeIndex index() const { return node_; }

 private:
  const Attribute* Find(std::string_view name) const;
  const ModelValue* InputValue(size_t i) const;  // null where absent
  ModelValue* OutputValue(size_t i) const;       // null where absent
  std::string OutputLabel() const;

  ModelGraph& graph_;
  NodeIndex node_;
};

// The node's name, or where it has none its operator and position: "Conv_3".
std::string NodeLabel(const ModelGraph& graph, NodeIndex node);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_NODE_CONTEXT_H_
