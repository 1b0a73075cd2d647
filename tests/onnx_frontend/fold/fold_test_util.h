#ifndef MEMPLAN_TESTS_ONNX_FRONTEND_FOLD_FOLD_TEST_UTIL_H_
#define MEMPLAN_TESTS_ONNX_FRONTEND_FOLD_FOLD_TEST_UTIL_H_

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_frontend/node_context.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {

inline TensorValue IntContent(std::vector<int64_t> shape, std::vector<Dim> ints,
                              ElementType element = ElementType::kInt64) {
  TensorValue content;
  content.element = element;
  content.shape = std::move(shape);
  content.ints = std::move(ints);
  return content;
}
inline TensorValue FloatContent(std::vector<int64_t> shape,
                                std::vector<double> floats,
                                ElementType element = ElementType::kFloat) {
  TensorValue content;
  content.element = element;
  content.shape = std::move(shape);
  content.floats = std::move(floats);
  return content;
}

// "int64[2]{1, 2*n}"; "nothing" where nothing is known.
inline std::string Print(const std::optional<TensorValue>& content) {
  if (!content) return "nothing";
  std::ostringstream text;
  text << ElementTypeName(content->element) << "[";
  const char* comma = "";
  for (int64_t size : content->shape) {
    text << comma << size;
    comma = ", ";
  }
  text << "]{";
  comma = "";
  for (const Dim& value : content->ints) {
    text << comma << value.ToString();
    if (content->denominator != 1) text << " / " << content->denominator;
    comma = ", ";
  }
  for (double value : content->floats) {
    text << comma << value;
    comma = ", ";
  }
  text << "}";
  return text.str();
}

// A graph of one node, to run one evaluator on. The output types are what a
// shape rule would have found.
//
//   Fold("Add", 14).In(IntContent({}, {1})).In(...).Out(Int64({})).Result()
class Fold {
 public:
  explicit Fold(std::string_view op_type, int64_t opset = 17) {
    graph_.bodies.resize(1);
    graph_.nodes.resize(1);
    node().op_type = std::string(op_type);
    node().opset = opset;
  }
  Fold& In(TensorValue content) {
    Unknown(Type::Tensor(content.element,
                         Shape(content.shape.begin(), content.shape.end())));
    graph_.values.back().value = std::move(content);
    return *this;
  }
  Fold& Ints(std::vector<Dim> ints) {
    return In(TensorValue::Vector(ElementType::kInt64, std::move(ints)));
  }
  Fold& Int(Dim value) {
    return In(TensorValue::Scalar(ElementType::kInt64, std::move(value)));
  }
  Fold& Floats(std::vector<double> floats) {
    const auto size = static_cast<int64_t>(floats.size());
    return In(FloatContent({size}, std::move(floats)));
  }
  Fold& Unknown(Type type) {
    node().inputs.push_back(AddValue(std::move(type)));
    return *this;
  }
  Fold& Absent() {
    node().inputs.push_back(std::nullopt);
    return *this;
  }
  Fold& Attr(std::string_view name, AttributeValue value) {
    node().attributes.push_back({std::string(name), std::move(value)});
    return *this;
  }
  Fold& Out(ElementType element, Shape shape) {
    node().outputs.push_back(AddValue(Type::Tensor(element, std::move(shape))));
    return *this;
  }
  Fold& OutInts(Shape shape) {
    return Out(ElementType::kInt64, std::move(shape));
  }
  Fold& OutFloats(Shape shape) {
    return Out(ElementType::kFloat, std::move(shape));
  }

  // Runs the evaluator; an output of unknown type is added where none was said.
  Fold& Run() {
    if (node().outputs.empty()) node().outputs.push_back(AddValue(Type()));
    const Evaluator evaluate = FindEvaluator("", node().op_type);
    if (evaluate == nullptr) return *this;
    NodeContext context(graph_, 0);
    evaluate(context);
    return *this;
  }
  const std::optional<TensorValue>& Content(size_t i = 0) const {
    const auto value = static_cast<size_t>(*graph_.nodes[0].outputs[i]);
    return graph_.values[value].value;
  }
  std::string Result() { return Print(Run().Content()); }

 private:
  ModelNode& node() { return graph_.nodes[0]; }
  ValueIndex AddValue(Type type) {
    ModelValue value;
    value.name = "v" + std::to_string(graph_.values.size());
    value.type = std::move(type);
    graph_.values.push_back(std::move(value));
    return static_cast<ValueIndex>(graph_.values.size() - 1);
  }

  ModelGraph graph_;
};

}  // namespace memplan

#endif  // MEMPLAN_TESTS_ONNX_FRONTEND_FOLD_FOLD_TEST_UTIL_H_
