#include "onnx_frontend/onnxruntime_inference.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memplan {
namespace {

template <size_t kSize>
bool IsOneOf(const ModelNode& node, const std::string_view (&ops)[kSize]) {
  return node.domain.empty() && std::find(std::begin(ops), std::end(ops),
                                          node.op_type) != std::end(ops);
}

bool Is(const ModelNode& node, std::string_view op) {
  return node.domain.empty() && node.op_type == op;
}

bool IsConstant(const ModelValue& value) {
  return value.kind == ValueKind::kInitializer && !value.is_overridable;
}

// What a rule may look at: constants, and contents that were followed as far as
// numbers.
bool IsSeen(const ModelValue& value) {
  return IsConstant(value) || (value.value && !value.value->is_float() &&
                               KnownInts(*value.value).has_value());
}

// The first input of contents without which not one dimension is known.
std::optional<size_t> ContentInput(const ModelNode& node) {
  static constexpr std::string_view kOps[] = {"Reshape", "Slice", "Tile",
                                              "Pad",     "Split", "TopK"};
  if (IsOneOf(node, kOps)) return 1;
  if (Is(node, "Resize")) return node.opset == 10 ? 1 : 2;
  if (Is(node, "ConstantOfShape") || Is(node, "Range")) return 0;
  return std::nullopt;
}

bool MissesContents(const ModelGraph& graph, const ModelNode& node) {
  const std::optional<size_t> first = ContentInput(node);
  if (!first) return false;
  for (size_t i = *first; i < node.inputs.size(); ++i) {
    if (node.inputs[i] &&
        !IsSeen(graph.values[static_cast<size_t>(*node.inputs[i])])) {
      return true;
    }
  }
  return false;
}

// Whether contents are followed from the inputs to the output. By the runtime
// itself: single elements. By onnx, in operators' later versions: vectors, but
// not where a constant takes part, which it does not find there.
bool FollowsContents(const ModelGraph& graph, const ModelNode& node,
                     const TensorValue& content) {
  static constexpr std::string_view kSingle[] = {"Add",     "Div", "Mul",
                                                 "Squeeze", "Sub", "Unsqueeze"};
  static constexpr std::string_view kArithmetic[] = {"Add", "Mul", "Sub"};
  if (content.is_float() || content.shape.size() > 1) return false;
  if (Is(node, "Shape")) return true;
  const bool is_single = content.size() == 1;
  if (Is(node, "Gather")) return is_single;
  const bool is_followed = (is_single && IsOneOf(node, kSingle)) ||
                           (!content.shape.empty() && node.opset >= 13 &&
                            (Is(node, "Cast") || Is(node, "Concat"))) ||
                           (node.opset >= 14 && IsOneOf(node, kArithmetic));
  // The second input of these two are the axes.
  const bool has_axes = Is(node, "Squeeze") || Is(node, "Unsqueeze");
  const size_t operands = has_axes ? 1 : node.inputs.size();
  return is_followed &&
         std::none_of(node.inputs.begin(),
                      node.inputs.begin() + static_cast<ptrdiff_t>(operands),
                      [&](const std::optional<ValueIndex>& input) {
                        if (!input) return false;
                        const ModelValue& value =
                            graph.values[static_cast<size_t>(*input)];
                        return IsConstant(value) || !value.value;
                      });
}

class Keeper {
 public:
  Keeper(const std::set<std::string>& symbols, const ModelNode& node,
         ModelGraph& graph)
      : symbols_(symbols), node_(node), graph_(graph) {}

  void Keep() {
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      if (!node_.outputs[i]) continue;
      ModelValue& output =
          graph_.values[static_cast<size_t>(*node_.outputs[i])];
      if (output.value) KeepContents(output.value);
      if (!output.type.is_tensor()) continue;
      KeepShape(i, output.type.shape);
      AddDeclared(output);
    }
  }

 private:
  bool IsKnown(const Dim& dim) const {
    return dim.is_number() ||
           (dim.is_symbolic() && symbols_.contains(dim.ToString()));
  }

  const ModelValue* Input(size_t i) const {
    if (i >= node_.inputs.size() || !node_.inputs[i]) return nullptr;
    return &graph_.values[static_cast<size_t>(*node_.inputs[i])];
  }

  void KeepContents(std::optional<TensorValue>& content) const {
    if (!FollowsContents(graph_, node_, *content)) {
      content.reset();
      return;
    }
    for (Dim& element : content->ints) {
      if (!element.is_number()) element = Dim::Unknown();
    }
  }

  void KeepShape(size_t output, std::optional<Shape>& shape) const {
    if (!shape) return;
    if (HasNoShape(output)) {
      shape.reset();
      return;
    }
    const bool is_rank_alone = MissesContents(graph_, node_);
    for (size_t axis = 0; axis < shape->size(); ++axis) {
      Dim& dim = (*shape)[axis];
      const bool is_kept =
          !is_rank_alone && (IsComputed(axis) ? dim.is_number() : IsKnown(dim));
      if (!is_kept) dim = Dim::Unknown();
    }
  }

  // Where not even the rank is inferred.
  bool HasNoShape(size_t output) const {
    if (node_.domain == "ai.onnx.ml") {
      return node_.op_type == "Normalizer" || node_.op_type == "Scaler" ||
             (node_.op_type == "LabelEncoder" && node_.opset < 4);
    }
    if (Is(node_, "Dropout")) return output == 1 && node_.opset < 10;
    // What a loop carries may change its shape.
    if (Is(node_, "Loop")) return output + 2 < node_.inputs.size();
    if (Is(node_, "Split") || (Is(node_, "Reshape") && node_.opset < 14)) {
      return MissesContents(graph_, node_);
    }
    if (IsReduction() && Input(1) && !IsSeen(*Input(1))) return true;
    return NeedsARank() && Input(0) && !Input(0)->type.has_shape();
  }

  bool IsReduction() const {
    return node_.domain.empty() && node_.op_type.rfind("Reduce", 0) == 0;
  }

  // Whose inference ends where the first input has no rank, though the node
  // says of the output's.
  bool NeedsARank() const {
    static constexpr std::string_view kOps[] = {"Gemm", "Transpose"};
    return IsOneOf(node_, kOps) || IsWindow() || IsReduction();
  }

  bool IsWindow() const {
    static constexpr std::string_view kOps[] = {
        "AveragePool", "Conv",    "ConvInteger", "ConvTranspose",
        "LpPool",      "MaxPool", "QLinearConv"};
    return IsOneOf(node_, kOps);
  }

  // Whether the output's dimension is computed rather than copied.
  bool IsComputed(size_t axis) const {
    if (IsWindow()) return axis >= 2;
    if (Is(node_, "Resize") || Is(node_, "Upsample")) return true;
    if (!Is(node_, "Reshape")) return false;
    const ModelValue* target = Input(1);
    if (target == nullptr || !target->value) return false;
    const std::vector<Dim>& dims = target->value->ints;
    return axis < dims.size() && dims[axis].is_number() &&
           dims[axis].number() == -1;
  }

  // Numbers that were inferred come first, then what the model says.
  static void AddDeclared(ModelValue& output) {
    if (!output.declared.has_shape()) return;
    std::optional<Shape>& shape = output.type.shape;
    const Shape& declared = *output.declared.shape;
    if (!shape) shape = declared;
    if (shape->size() != declared.size()) return;
    for (size_t axis = 0; axis < shape->size(); ++axis) {
      const bool is_declared = !declared[axis].is_unknown();
      if (!(*shape)[axis].is_number() && is_declared) {
        (*shape)[axis] = declared[axis];
      }
    }
  }

  const std::set<std::string>& symbols_;
  const ModelNode& node_;
  ModelGraph& graph_;
};

}  // namespace

HiddenContents::HiddenContents(ModelGraph& graph, NodeIndex index)
    : graph_(graph) {
  const ModelNode& node = graph.nodes[static_cast<size_t>(index)];
  for (const std::optional<ValueIndex>& input : node.inputs) {
    if (!input) continue;
    ModelValue& value = graph.values[static_cast<size_t>(*input)];
    if (!value.value || IsSeen(value)) continue;
    hidden_.emplace_back(*input, std::exchange(value.value, std::nullopt));
  }
}

HiddenContents::~HiddenContents() {
  for (auto& [input, content] : hidden_) {
    graph_.values[static_cast<size_t>(input)].value = std::move(content);
  }
}

void KeepWhatOnnxRuntimeKnows(const std::set<std::string>& symbols,
                              NodeIndex node, ModelGraph& graph) {
  Keeper(symbols, graph.nodes[static_cast<size_t>(node)], graph).Keep();
}

}  // namespace memplan
