#include "onnx_frontend/infer_shapes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/apply_inputs.h"
#include "onnx_frontend/inference.h"
#include "onnx_frontend/list_symbols.h"
#include "onnx_frontend/merge_types.h"
#include "onnx_frontend/node_context.h"
#include "onnx_frontend/onnxruntime_inference.h"
#include "onnx_frontend/parse_content.h"
#include "onnx_frontend/rule_table.h"
#include "onnx_frontend/schema_rule.h"
#include "planner/nearest_name.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

ModelValue& ValueAt(Inference& inference, ValueIndex value) {
  return inference.graph.values[static_cast<size_t>(value)];
}

void ForgetOutputs(Inference& inference, NodeIndex node) {
  for (const auto& output :
       inference.graph.nodes[static_cast<size_t>(node)].outputs) {
    if (!output.has_value()) continue;
    ModelValue& value = ValueAt(inference, *output);
    value.type = Type();
    value.value.reset();
    value.type_is_declared = false;
    value.unknown_reason.clear();
    value.unknown_node.clear();
    value.unknown_operator = false;
    inference.content_source[static_cast<size_t>(*output)] = *output;
  }
}

// Our own rule, else the library's; a node that neither knows keeps its outputs
// unknown, with that reason.
absl::Status ApplyRule(Inference& inference, NodeIndex index) {
  NodeContext context(inference.graph, index);
  const ModelNode& node = context.node();
  const RuleRow* row = FindRule(node.domain, node.op_type, node.opset);
  if (!node.bodies.empty()) InferForeignBodies(inference, index);
  std::optional<HiddenContents> hidden;
  if (inference.as_onnxruntime) hidden.emplace(inference.graph, index);
  if (row != nullptr) return row->rule(context);
  const std::optional<absl::Status> library = ApplySchemaRule(context);
  if (library.has_value()) return *library;
  const std::string reason = absl::StrCat(
      "operator ", node.domain.empty() ? "" : absl::StrCat(node.domain, "."),
      node.op_type, " (opset ", node.opset,
      ") is not known, and the model declares no shape");
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    context.SetUnknown(i, reason);
    if (!node.outputs[i].has_value()) continue;
    ValueAt(inference, *node.outputs[i]).unknown_operator = true;
  }
  return absl::OkStatus();
}

// What the user says bounds what only a run can tell.
absl::Status ApplyBound(Inference& inference, ModelValue& value) {
  const auto bound = inference.bounds.find(value.name);
  if (bound == inference.bounds.end() || !value.scope.empty()) {
    return absl::OkStatus();
  }
  Shape shape = value.type.shape.value_or(Shape(bound->second.size()));
  if (shape.size() != bound->second.size()) {
    return UsageError(absl::StrCat("--bound ", value.name, ": the tensor has ",
                                   shape.size(), " dimensions, ",
                                   ToString(shape), ", and ",
                                   bound->second.size(), " were given"));
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t limit = bound->second[i];
    if (shape[i].is_number()) {
      if (shape[i].number() <= limit) continue;
      return UsageError(absl::StrCat("--bound ", value.name, ": dimension ", i,
                                     " is ", shape[i].number(), ", above ",
                                     limit));
    }
    const std::string symbol = absl::StrCat("bound ", i, " of ", value.name);
    inference.graph.symbol_ranges[symbol] = {0, limit};
    shape[i] = Dim::Symbol(symbol);
  }
  ElementType element = value.type.element;
  if (element == ElementType::kUndefined) element = value.declared.element;
  value.type = Type::Tensor(element, std::move(shape));
  return absl::OkStatus();
}

absl::Status CompareWithDeclared(Inference& inference, NodeIndex node,
                                 ModelValue& value) {
  if (Contradict(value.type, value.declared)) {
    const std::string message = absl::StrCat(
        "tensor '", value.name, "': the model declares ",
        ToString(value.declared), ", but node '",
        NodeLabel(inference.graph, node), "' gives ", ToString(value.type));
    if (inference.strict) return absl::InvalidArgumentError(message);
    if (inference.trust_declared) {
      inference.graph.warnings.push_back(
          absl::StrCat(message, "; the computed one is used"));
    }
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

// What an operator that nobody knows leaves open, the model may declare, for
// its outputs and for whatever comes of them. What depends on contents is
// another matter: the model declares what one run gave.
void UseDeclared(Inference& inference, ModelValue& value) {
  if (!inference.trust_declared || !value.unknown_operator) return;
  value.type = Refine(value.type, value.declared, value.type_is_declared);
}

// The symbols that the user could give numbers, in contents that are known but
// for these.
std::set<std::string> OpenSymbols(const ModelGraph& graph,
                                  const TensorValue& content) {
  std::set<std::string> open;
  for (const Dim& element : content.ints) {
    for (const std::string& symbol : element.Symbols()) {
      if (!graph.symbol_ranges.contains(symbol) &&
          !graph.unbounded_symbols.contains(symbol)) {
        open.insert(symbol);
      }
    }
  }
  return open;
}

// Where the shape depends on what an input holds: which one, and how to say it.
std::string ContentReason(const Inference& inference, ValueIndex input) {
  const std::optional<TensorValue>& content =
      inference.graph.values[static_cast<size_t>(input)].value;
  if (content.has_value()) {
    std::string advice;
    for (const std::string& symbol : OpenSymbols(inference.graph, *content)) {
      absl::StrAppend(&advice, " ", DimOption(symbol));
    }
    if (!advice.empty()) {
      return absl::StrCat("shape depends on dimensions that have no value; add",
                          advice);
    }
  }
  const ValueIndex source =
      inference.content_source[static_cast<size_t>(input)];
  const ModelValue& value = inference.graph.values[static_cast<size_t>(source)];
  std::string reason =
      absl::StrCat("shape depends on the contents of '", value.name, "'");
  if (value.is_graph_input && CanBeGiven(value.type.element)) {
    absl::StrAppend(&reason, "; add --input-value ", value.name, ":...");
  }
  return reason;
}

// A rule names the input that it misses; say where its contents come from, and
// what would help.
void CompleteReason(const Inference& inference, NodeIndex index,
                    ModelValue& value) {
  for (const auto& input :
       inference.graph.nodes[static_cast<size_t>(index)].inputs) {
    if (!input.has_value()) continue;
    const std::string& name =
        inference.graph.values[static_cast<size_t>(*input)].name;
    if (value.unknown_reason ==
        absl::StrCat("shape depends on the contents of '", name, "'")) {
      value.unknown_reason = ContentReason(inference, *input);
      return;
    }
  }
}

// Contents that shapes may depend on: small integers that nobody knows.
bool MayHideAShape(const ModelValue& value) {
  if (!value.type.is_tensor() || !IsInteger(value.type.element)) return false;
  return !value.value.has_value() || !KnownInts(*value.value).has_value();
}

// Why an output is not known, where its rule did not say: an input whose type
// is not, else one whose content is not.
void FindReason(const Inference& inference, NodeIndex index,
                ModelValue& value) {
  const ModelNode& node = inference.graph.nodes[static_cast<size_t>(index)];
  for (const auto& input : node.inputs) {
    if (!input.has_value()) continue;
    const ModelValue& read =
        inference.graph.values[static_cast<size_t>(*input)];
    if (read.unknown_reason.empty()) continue;
    value.unknown_reason = read.unknown_reason;
    value.unknown_node = read.unknown_node;
    value.unknown_operator = read.unknown_operator;
    return;
  }
  value.unknown_node = NodeLabel(inference.graph, index);
  for (const auto& input : node.inputs) {
    if (!input.has_value()) continue;
    if (MayHideAShape(inference.graph.values[static_cast<size_t>(*input)])) {
      value.unknown_reason = ContentReason(inference, *input);
      return;
    }
  }
  value.unknown_reason = "shape is known only when the model runs";
}

void TraceContent(Inference& inference, NodeIndex index, ValueIndex output) {
  const ModelNode& node = inference.graph.nodes[static_cast<size_t>(index)];
  for (const auto& input : node.inputs) {
    if (!input.has_value()) continue;
    const ModelValue& read = ValueAt(inference, *input);
    if (!read.value.has_value() && read.type.is_tensor()) {
      inference.content_source[static_cast<size_t>(output)] =
          inference.content_source[static_cast<size_t>(*input)];
      return;
    }
  }
}

absl::Status Reconcile(Inference& inference, NodeIndex node) {
  const ModelNode& it = inference.graph.nodes[static_cast<size_t>(node)];
  for (const auto& output : it.outputs) {
    if (!output.has_value()) continue;
    ModelValue& value = ValueAt(inference, *output);
    absl::Status status = CompareWithDeclared(inference, node, value);
    if (status.ok()) status = ApplyBound(inference, value);
    if (!status.ok()) return status;
    if (!value.value.has_value()) TraceContent(inference, node, *output);
    if (!IsComplete(value.type)) {
      if (value.unknown_reason.empty()) FindReason(inference, node, value);
      CompleteReason(inference, node, value);
      UseDeclared(inference, value);
    }
    if (!IsComplete(value.type)) continue;
    value.unknown_reason.clear();
    value.unknown_node.clear();
    value.unknown_operator = false;
  }
  return absl::OkStatus();
}

absl::Status InferNode(Inference& inference, NodeIndex index) {
  --inference.visits_left;
  ForgetOutputs(inference, index);
  absl::Status status;
  if (!InferControlFlow(inference, index, status)) {
    status = ApplyRule(inference, index);
    if (!status.ok()) return status;
    const ModelNode& node = inference.graph.nodes[static_cast<size_t>(index)];
    NodeContext context(inference.graph, index);
    const Evaluator evaluate = FindEvaluator(node.domain, node.op_type);
    if (evaluate != nullptr) evaluate(context);
  }
  if (!status.ok()) return status;
  if (inference.as_onnxruntime) {
    KeepWhatOnnxRuntimeKnows(inference.declared_symbols, index,
                             inference.graph);
  }
  return Reconcile(inference, index);
}

// Inputs that stay unknown say how to make them known.
void ExplainInputs(ModelGraph& graph) {
  for (ValueIndex index : graph.bodies[0].inputs) {
    ModelValue& input = graph.values[static_cast<size_t>(index)];
    if (!input.type.is_tensor()) {
      input.unknown_reason = absl::StrCat("the input '", input.name, "' is ",
                                          ToString(input.type));
    } else if (!IsComplete(input.type)) {
      input.unknown_reason = absl::StrCat(
          "the model leaves the shape of input '", input.name, "' open, ",
          ToString(input.type), "; add --input-shape ", input.name, ":...");
    }
  }
}

absl::Status CheckBounds(const InputOptions& options, const ModelGraph& graph) {
  for (const auto& [name, bound] : options.bounds) {
    std::vector<std::string> names;
    bool found = false;
    for (const ModelValue& value : graph.values) {
      if (!value.scope.empty()) continue;
      found = found || value.name == name;
      names.push_back(value.name);
    }
    if (!found) {
      return UsageError(absl::StrCat("--bound: the model has no tensor '", name,
                                     "'", NameHint(name, names)));
    }
    if (std::any_of(bound.begin(), bound.end(),
                    [](int64_t limit) { return limit < 0; })) {
      return UsageError(
          absl::StrCat("--bound ", name, ": a dimension is 0 or more"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

Inference::Inference(ModelGraph& model)
    : graph(model),
      visits_left(1'000'000 + 50 * static_cast<int64_t>(model.nodes.size())) {
  for (size_t i = 0; i < model.values.size(); ++i) {
    content_source.push_back(static_cast<ValueIndex>(i));
  }
}

absl::Status InferBody(Inference& inference, BodyIndex body) {
  // By index: a body's nodes do not change, but the vector's owner may move.
  const size_t count =
      inference.graph.bodies[static_cast<size_t>(body)].nodes.size();
  for (size_t i = 0; i < count; ++i) {
    const NodeIndex node =
        inference.graph.bodies[static_cast<size_t>(body)].nodes[i];
    const absl::Status status = InferNode(inference, node);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::map<std::string, int64_t>> InferShapes(
    const InputOptions& options, ModelGraph& graph) {
  absl::Status status = CheckBounds(options, graph);
  if (!status.ok()) return status;
  const absl::StatusOr<BoundInputs> bound = ApplyInputs(options, graph);
  if (!bound.ok()) return bound.status();
  ExplainInputs(graph);
  Inference inference(graph);
  inference.strict = options.strict;
  inference.trust_declared = !bound->contradicts_model;
  inference.bounds = options.bounds;
  status = InferBody(inference, 0);
  if (!status.ok()) return status;
  return bound->dims;
}

absl::Status InferShapesAsOnnxRuntime(ModelGraph& graph) {
  Inference inference(graph);
  inference.as_onnxruntime = true;
  for (ModelValue& value : graph.values) {
    if (value.is_overridable) value.value.reset();
    if (value.is_graph_input && value.kind != ValueKind::kInitializer) {
      value.type = value.declared;
    }
    if (!value.declared.has_shape()) continue;
    for (const Dim& dim : *value.declared.shape) {
      if (dim.is_symbolic()) inference.declared_symbols.insert(dim.ToString());
    }
  }
  return InferBody(inference, 0);
}

}  // namespace memplan
