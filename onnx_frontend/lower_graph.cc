#include "onnx_frontend/lower_graph.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "onnx_frontend/list_symbols.h"
#include "onnx_frontend/merge_types.h"
#include "onnx_frontend/sharing_rules.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// Operators whose result is another each time: their order among themselves
// stays.
constexpr std::string_view kRandom[] = {
    "Bernoulli",        "Multinomial",   "RandomNormal",
    "RandomNormalLike", "RandomUniform", "RandomUniformLike",
};

bool IsRandom(const ModelNode& node) {
  return std::find(std::begin(kRandom), std::end(kRandom), node.op_type) !=
         std::end(kRandom);
}

class Lowering {
 public:
  explicit Lowering(const ModelGraph& graph) : graph_(graph) {}

  absl::StatusOr<Graph> Lower();

 private:
  absl::StatusOr<Value> LowerValue(const ModelValue& value) const;
  absl::Status LowerSize(const ModelValue& from, Value& to) const;
  void Explain(const ModelValue& from, Value& to) const;
  std::string MissingSymbols(const ModelValue& value) const;
  Node LowerNode(NodeIndex index) const;
  Body LowerBody(BodyIndex index) const;
  void LowerCarried(const ModelNode& owner, BodyIndex index, Body& body) const;

  const ModelGraph& graph_;
};

// The numbers of the shape, or of its upper bounds; unset where one has
// neither.
std::optional<std::vector<int64_t>> ShapeInNumbers(const ModelGraph& graph,
                                                   const Shape& shape,
                                                   bool& is_bound) {
  const auto range_of = [&graph](std::string_view symbol)
      -> std::optional<std::pair<int64_t, int64_t>> {
    const auto it = graph.symbol_ranges.find(symbol);
    if (it == graph.symbol_ranges.end()) return std::nullopt;
    return it->second;
  };
  std::vector<int64_t> numbers;
  numbers.reserve(shape.size());
  for (const Dim& dim : shape) {
    std::optional<int64_t> number = dim.AsNumber();
    if (!number.has_value()) {
      is_bound = true;
      number = dim.UpperBound(range_of);
    }
    if (!number.has_value()) return std::nullopt;
    numbers.push_back(std::max<int64_t>(0, *number));
  }
  return numbers;
}

std::string_view KindName(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::kSparseTensor:
      return "a sparse tensor";
    case Type::Kind::kSequence:
      return "a sequence";
    case Type::Kind::kOptional:
      return "an optional";
    case Type::Kind::kMap:
      return "a map";
    default:
      return "a value of unknown type";
  }
}

// Dimensions that a number from the user would settle, as advice.
std::string Lowering::MissingSymbols(const ModelValue& value) const {
  const Shape& shape = *value.type.shape;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!shape[axis].is_symbolic()) continue;
    std::vector<std::string> options;
    for (const std::string& symbol : shape[axis].Symbols()) {
      if (graph_.symbol_ranges.contains(symbol) ||
          graph_.unbounded_symbols.contains(symbol)) {
        continue;
      }
      options.push_back(DimOption(symbol));
    }
    if (options.empty()) continue;
    return absl::StrCat("dimension ", axis, " is '", shape[axis].ToString(),
                        "', which has no value; add ",
                        absl::StrJoin(options, " "));
  }
  return "";
}

void Lowering::Explain(const ModelValue& from, Value& to) const {
  to.unplaced_node = from.unknown_node;
  to.unplaced_reason = from.unknown_reason;
  if (from.type.kind == Type::Kind::kTensor) {
    if (from.type.element == ElementType::kString) {
      to.unplaced_reason = "strings have no fixed size";
    } else if (IsComplete(from.type)) {
      to.unplaced_reason = MissingSymbols(from);
      if (!to.unplaced_reason.empty()) return;
      to.unplaced_reason = absl::StrCat("shape depends on data; add --bound ",
                                        from.name, "=...");
      for (const Dim& dim : *from.type.shape) {
        for (const std::string& symbol : dim.Symbols()) {
          const auto it = graph_.unbounded_symbols.find(symbol);
          if (it != graph_.unbounded_symbols.end()) {
            to.unplaced_node = it->second;
          }
        }
      }
    }
  } else if (from.type.kind != Type::Kind::kUnknown) {
    to.unplaced_reason = absl::StrCat(AsAbsl(KindName(from.type.kind)),
                                      " is no tensor, and not placed");
  }
  if (to.unplaced_reason.empty()) {
    to.unplaced_reason = "the model does not tell its type";
  }
}

// Sets shape and size, or says why not. An error only for a size past int64_t.
absl::Status Lowering::LowerSize(const ModelValue& from, Value& to) const {
  if (from.type.kind != Type::Kind::kTensor || !from.type.has_shape()) {
    Explain(from, to);
    return absl::OkStatus();
  }
  bool is_bound = false;
  const std::optional<std::vector<int64_t>> numbers =
      ShapeInNumbers(graph_, *from.type.shape, is_bound);
  if (!numbers.has_value() || ElementBits(from.type.element) == 0) {
    if (numbers.has_value()) {
      to.shape = *numbers;
      to.size_is_bound = is_bound;
    }
    Explain(from, to);
    return absl::OkStatus();
  }
  to.shape = *numbers;
  to.size_is_bound = is_bound;
  const Dim elements = NumElements(Shape(numbers->begin(), numbers->end()));
  if (elements.is_number()) {
    to.size = TensorBytes(from.type.element, elements.number());
  }
  if (to.size.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("tensor '", from.name, "': ", ToString(from.type),
                   " is more bytes than 2^63; no machine can hold it"));
}

absl::StatusOr<Value> Lowering::LowerValue(const ModelValue& value) const {
  Value lowered;
  lowered.name = value.name;
  lowered.scope = value.scope;
  lowered.kind = value.kind;
  lowered.is_graph_input = value.is_graph_input;
  lowered.is_graph_output = value.is_graph_output;
  lowered.type = value.type.is_tensor()
                     ? std::string(ElementTypeName(value.type.element))
                     : ToString(value.type);
  lowered.element_bits =
      value.type.is_tensor() ? ElementBits(value.type.element) : 0;
  const absl::Status sized = LowerSize(value, lowered);
  if (!sized.ok()) return sized;
  return lowered;
}

Node Lowering::LowerNode(NodeIndex index) const {
  const ModelNode& node = graph_.nodes[static_cast<size_t>(index)];
  Node lowered;
  lowered.name = node.name;
  lowered.op_type = node.op_type;
  lowered.file_index = node.file_index;
  lowered.file_slot = node.file_slot;
  for (const auto& input : node.inputs) {
    if (input.has_value()) lowered.inputs.push_back(*input);
  }
  for (const auto& output : node.outputs) {
    if (output.has_value()) lowered.outputs.push_back(*output);
  }
  lowered.share_rules = ShareRulesOf(graph_, index);
  lowered.bodies = node.bodies;
  lowered.keeps_order = IsRandom(node);
  return lowered;
}

// What goes round: a Loop's condition and carried values, a Scan's states.
void Lowering::LowerCarried(const ModelNode& owner, BodyIndex index,
                            Body& body) const {
  const ModelBody& from = graph_.bodies[static_cast<size_t>(index)];
  const auto carry = [&](size_t input, size_t output) {
    if (input < from.inputs.size() && output < from.outputs.size()) {
      body.carried.push_back({from.inputs[input], from.outputs[output]});
    }
  };
  if (owner.op_type == "Loop") {
    const size_t carried =
        owner.inputs.size() < 2 ? 1 : owner.inputs.size() - 1;
    for (size_t i = 0; i < carried; ++i) carry(1 + i, i);
  } else if (owner.op_type == "Scan") {
    for (const Attribute& attribute : owner.attributes) {
      if (attribute.name != "num_scan_inputs") continue;
      const auto* scans = std::get_if<int64_t>(&attribute.value);
      const auto inputs = static_cast<int64_t>(from.inputs.size());
      for (int64_t i = 0; scans != nullptr && i < inputs - *scans; ++i) {
        carry(static_cast<size_t>(i), static_cast<size_t>(i));
      }
    }
  }
}

Body Lowering::LowerBody(BodyIndex index) const {
  const ModelBody& body = graph_.bodies[static_cast<size_t>(index)];
  Body lowered;
  lowered.scope = body.scope;
  lowered.nodes = body.nodes;
  lowered.inputs = body.inputs;
  lowered.outputs = body.outputs;
  return lowered;
}

absl::StatusOr<Graph> Lowering::Lower() {
  Graph lowered;
  lowered.values.reserve(graph_.values.size());
  for (const ModelValue& value : graph_.values) {
    absl::StatusOr<Value> added = LowerValue(value);
    if (!added.ok()) return added.status();
    lowered.values.push_back(*std::move(added));
  }
  lowered.nodes.reserve(graph_.nodes.size());
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    lowered.nodes.push_back(LowerNode(static_cast<NodeIndex>(i)));
  }
  for (size_t i = 0; i < graph_.bodies.size(); ++i) {
    lowered.bodies.push_back(LowerBody(static_cast<BodyIndex>(i)));
  }
  for (const ModelNode& owner : graph_.nodes) {
    for (BodyIndex index : owner.bodies) {
      Body& body = lowered.bodies[static_cast<size_t>(index)];
      // Whatever is no If may run its body again (Loop, Scan, SequenceMap, beam
      // search).
      body.repeats = owner.op_type != "If";
      LowerCarried(owner, index, body);
    }
  }
  return lowered;
}

}  // namespace

absl::StatusOr<Graph> LowerGraph(const ModelGraph& graph) {
  return Lowering(graph).Lower();
}

}  // namespace memplan
