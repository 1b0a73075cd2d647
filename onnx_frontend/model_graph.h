#ifndef MEMPLAN_ONNX_FRONTEND_MODEL_GRAPH_H_
#define MEMPLAN_ONNX_FRONTEND_MODEL_GRAPH_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "onnx_frontend/tensor_value.h"
#include "onnx_frontend/type.h"
#include "planner/graph.h"

namespace onnx {
class NodeProto;
}

namespace memplan {

// A node's attribute, out of protobuf. A graph attribute is the index of its
// body.
struct BodyAttribute {
  BodyIndex body = 0;
};
// A tensor attribute: its type always, its content where it is small.
struct TensorAttribute {
  Type type;
  std::optional<TensorValue> value;
};
using AttributeValue =
    std::variant<int64_t, float, std::string, std::vector<int64_t>,
                 std::vector<float>, std::vector<std::string>, TensorAttribute,
                 BodyAttribute, std::vector<BodyAttribute>, Type>;

struct Attribute {
  std::string name;
  AttributeValue value;
};

// A value of the model: produced once, named within its scope, and read by
// index.
struct ModelValue {
  std::string name;
  std::string scope;
  ValueKind kind = ValueKind::kIntermediate;
  bool is_graph_input = false;
  bool is_graph_output = false;
  bool is_overridable =
      false;      // an initializer that is a graph input, too (IR 4 and up)
  Type declared;  // by the model: input, output, value_info; kUnknown where it
                  // says nothing
  Type type;      // what InferShapes found
  std::optional<TensorValue> value;  // the content, where it is known and small
  bool type_is_declared =
      false;  // nobody could infer it: `type` is what the model says
  std::string unknown_reason;     // why the size is not known, where it is not
  std::string unknown_node;       // the node that first lost it
  bool unknown_operator = false;  // ... because nobody knows its operator
};

struct ModelNode {
  std::string name;
  std::string domain;  // "" for ai.onnx
  std::string op_type;
  int64_t opset = 0;  // the version of `domain` that the model (or function)
                      // imports; 1 where it imports none
  int64_t file_index =
      0;  // position in its own graph's file order, Constant nodes counted
  int64_t file_slot = 0;  // position in its body's graph: its own, or that of
                          // the function's call that it stands for
  std::vector<std::optional<ValueIndex>> inputs;   // unset: the empty name
  std::vector<std::optional<ValueIndex>> outputs;  // unset: the empty name
  std::vector<Attribute> attributes;
  std::vector<BodyIndex>
      bodies;  // in the order of the attributes that hold them
  const onnx::NodeProto* proto =
      nullptr;  // for the library's schemas; lives as long as the Model
  // The same as it stands in the file, where the function around it leaves its
  // attributes to the call.
  const onnx::NodeProto* source = nullptr;
};

struct ModelBody {
  std::string scope;
  std::string attribute;  // "then_branch"; "" for the main graph
  std::vector<NodeIndex>
      nodes;  // sorted: each after the producers of all it reads
  std::vector<ValueIndex> inputs;
  std::vector<ValueIndex> outputs;
};

// The model with its names resolved: functions inlined, bodies nested, Constant
// nodes turned into initializers, nodes sorted. Indices agree with those of the
// planner's Graph that LowerGraph makes.
struct ModelGraph {
  std::vector<ModelValue> values;
  std::vector<ModelNode> nodes;
  std::vector<ModelBody> bodies;          // bodies[0] is the main graph
  std::map<std::string, int64_t> opsets;  // domain -> version, "" for ai.onnx
  int64_t ir_version = 0;
  std::vector<std::string> warnings;
  // For every data-dependent symbol (see NodeContext::DataDependentDim): its
  // inclusive range.
  std::map<std::string, std::pair<int64_t, int64_t>, std::less<>> symbol_ranges;
  // Data-dependent symbols without a range -> the node that made them.
  std::map<std::string, std::string, std::less<>> unbounded_symbols;
  // Owns the node protos that inlining made (attributes of functions filled
  // in).
  std::shared_ptr<const void> owned_protos;
};

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_MODEL_GRAPH_H_
