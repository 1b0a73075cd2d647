// Operators.md#ai.onnx.preview.FlexAttention
#include "onnx_frontend/attention_body.h"

#include "onnx_frontend/merge_types.h"
#include "onnx_frontend/node_context.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {

void TypeAttentionBody(ModelGraph& graph, NodeIndex node, BodyIndex body) {
  const NodeContext context(graph, node);
  if (context.node().domain != "ai.onnx.preview" ||
      context.op_type() != "FlexAttention") {
    return;
  }
  const ModelBody& it = graph.bodies[static_cast<size_t>(body)];
  if (it.inputs.empty()) return;
  const bool is_double = context.element(0) == ElementType::kDouble;
  const ElementType element =
      ElementAttribute(context, "softmax_precision",
                       is_double ? ElementType::kDouble : ElementType::kFloat);
  ModelValue& scores = graph.values[static_cast<size_t>(it.inputs[0])];
  scores.type =
      Type::Tensor(element, Shape{DimOf(context, 0, 0), DimOf(context, 0, 1),
                                  DimOf(context, 0, 2), DimOf(context, 1, 2)});
  if (IsComplete(scores.type)) scores.unknown_reason.clear();
}

}  // namespace memplan
