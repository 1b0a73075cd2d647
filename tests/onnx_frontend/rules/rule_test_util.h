#ifndef MEMPLAN_TESTS_ONNX_FRONTEND_RULES_RULE_TEST_UTIL_H_
#define MEMPLAN_TESTS_ONNX_FRONTEND_RULES_RULE_TEST_UTIL_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "onnx_frontend/node_context.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {

// A graph of one node, to run one rule (and evaluator) on:
//
//   OneNode("Concat", 13).Input(Float({2, 3})).Input(Float({4,
//   3})).Attr("axis", int64_t{0})
//       .Run().ToString() == "float32[6, 3]"
class OneNode {
 public:
  OneNode(std::string_view op_type, int64_t opset,
          std::string_view domain = "") {
    graph_.bodies.resize(1);
    graph_.nodes.resize(1);
    node().op_type = std::string(op_type);
    node().domain = std::string(domain);
    node().opset = opset;
    node().name = "n";
    Outputs(1);
  }

  OneNode& Input(Type type) {
    node().inputs.push_back(AddValue("in", std::move(type)));
    return *this;
  }
  // An input whose content is known.
  OneNode& Known(TensorValue content) {
    Input(Type::Tensor(content.element,
                       Shape(content.shape.begin(), content.shape.end())));
    graph_.values.back().value = std::move(content);
    return *this;
  }
  // A known int64 vector.
  OneNode& Ints(const std::vector<int64_t>& ints) {
    return Known(TensorValue::Vector(
        ElementType::kInt64, std::vector<Dim>(ints.begin(), ints.end())));
  }
  OneNode& Absent() {
    node().inputs.push_back(std::nullopt);
    return *this;
  }
  OneNode& Attr(std::string_view name, AttributeValue value) {
    node().attributes.push_back({std::string(name), std::move(value)});
    return *this;
  }
  // The number of outputs; 1 unless said.
  OneNode& Outputs(int count) {
    node().outputs.clear();
    for (int i = 0; i < count; ++i) {
      node().outputs.push_back(AddValue("out", Type()));
    }
    return *this;
  }

  // Runs the rule, then the evaluator; both where there are any.
  OneNode& Run() {
    NodeContext context(graph_, 0);
    const RuleRow* row = FindRule(node().domain, node().op_type, node().opset);
    status_ =
        row == nullptr ? absl::NotFoundError("no rule") : row->rule(context);
    if (!status_.ok()) return *this;
    const Evaluator evaluate = FindEvaluator(node().domain, node().op_type);
    if (evaluate != nullptr) evaluate(context);
    return *this;
  }

  const absl::Status& status() const { return status_; }
  const Type& Output(size_t i = 0) const { return OutputValue(i).type; }
  const std::optional<TensorValue>& Content(size_t i = 0) const {
    return OutputValue(i).value;
  }
  const std::string& UnknownReason(size_t i = 0) const {
    return OutputValue(i).unknown_reason;
  }
  // "float32[2, 3]"; for more than one output separated by "; ". An error gives
  // its message.
  std::string ToString() const {
    if (!status_.ok()) return std::string(status_.message());
    std::string text;
    for (size_t i = 0; i < graph_.nodes[0].outputs.size(); ++i) {
      if (i > 0) text += "; ";
      text += memplan::ToString(Output(i));
    }
    return text;
  }
  ModelGraph& graph() { return graph_; }

 private:
  ModelNode& node() { return graph_.nodes[0]; }
  ValueIndex AddValue(std::string_view prefix, Type type) {
    ModelValue value;
    value.name = std::string(prefix) + std::to_string(graph_.values.size());
    value.type = std::move(type);
    graph_.values.push_back(std::move(value));
    return static_cast<ValueIndex>(graph_.values.size() - 1);
  }
  const ModelValue& OutputValue(size_t i) const {
    return graph_.values[static_cast<size_t>(*graph_.nodes[0].outputs[i])];
  }

  ModelGraph graph_;
  absl::Status status_;
};

inline Type Float(Shape shape) {
  return Type::Tensor(ElementType::kFloat, std::move(shape));
}
inline Type Int64(Shape shape) {
  return Type::Tensor(ElementType::kInt64, std::move(shape));
}

}  // namespace memplan

#endif  // MEMPLAN_TESTS_ONNX_FRONTEND_RULES_RULE_TEST_UTIL_H_
