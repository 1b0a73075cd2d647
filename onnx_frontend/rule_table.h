#ifndef MEMPLAN_ONNX_FRONTEND_RULE_TABLE_H_
#define MEMPLAN_ONNX_FRONTEND_RULE_TABLE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "onnx_frontend/node_context.h"

namespace memplan {

// A shape rule: sets the types of the outputs from attributes and what is known
// of the inputs. Where something that it needs is unknown, it sets what it can
// (element type, rank, single dimensions) and leaves the rest. An error means
// that no runtime could run this node.
using ShapeRule = absl::Status (*)(NodeContext& node);

// One row: holds for `op` of `domain` from opset `since` up to the next row of
// the same op.
struct RuleRow {
  std::string_view domain;  // "" for ai.onnx
  std::string_view op;
  int64_t since = 1;
  ShapeRule rule = nullptr;
  std::string_view source;  // where the rule is specified: "Operators.md#Conv"
};

// Each family file under rules/ gives its rows; rule_table.cc joins them.
// The rule for this node, or null where we have none.
const RuleRow* FindRule(std::string_view domain, std::string_view op,
                        int64_t opset);

// An evaluator: given (partly) known small inputs, sets the contents of the
// outputs with SetValue. Runs after the shape rule; a failure to know is no
// error.
using Evaluator = void (*)(NodeContext& node);

struct EvaluatorRow {
  std::string_view domain;
  std::string_view op;
  Evaluator evaluate = nullptr;
};

// Each file under fold/ gives its rows; fold_table.cc joins them. Null where
// there is none.
Evaluator FindEvaluator(std::string_view domain, std::string_view op);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULE_TABLE_H_
