#include "onnx_frontend/onnxruntime_lost_shapes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "onnx_frontend/tensor_value.h"

namespace memplan {
namespace {

class LostShapes {
 public:
  explicit LostShapes(const ModelGraph& graph)
      : graph_(graph),
        content_(graph.values.size()),
        shape_(graph.values.size()) {}

  // By value.
  std::vector<bool> Find() {
    for (NodeIndex n : graph_.bodies[0].nodes) {
      Visit(graph_.nodes[static_cast<size_t>(n)]);
    }
    return std::move(shape_);
  }

 private:
  static bool FollowsContents(const ModelNode& node) {
    static constexpr std::string_view kOps[] = {
        "Add",   "Cast", "Concat", "Gather",  "Identity", "Mul",
        "Shape", "Size", "Slice",  "Squeeze", "Sub",      "Unsqueeze"};
    return node.domain.empty() && std::find(std::begin(kOps), std::end(kOps),
                                            node.op_type) != std::end(kOps);
  }

  // Operators whose output shape is in the contents of an input after the first
  // (or, for the last two, in the first).
  static bool TakesContents(const ModelNode& node, size_t input) {
    static constexpr std::string_view kOps[] = {"Reshape", "Expand", "Slice",
                                                "Tile",    "Pad",    "Resize"};
    if (!node.domain.empty()) return false;
    if (node.op_type == "ConstantOfShape" || node.op_type == "Range") {
      return true;
    }
    return input > 0 && std::find(std::begin(kOps), std::end(kOps),
                                  node.op_type) != std::end(kOps);
  }

  // A Reshape to numbers alone needs nothing of its input's shape.
  bool IsToNumbers(const ModelNode& node) const {
    if (node.op_type != "Reshape" || node.inputs.size() < 2 ||
        !node.inputs[1]) {
      return false;
    }
    const ModelValue& target =
        graph_.values[static_cast<size_t>(*node.inputs[1])];
    const auto numbers = target.value ? KnownInts(*target.value) : std::nullopt;
    return numbers && !content_[static_cast<size_t>(*node.inputs[1])] &&
           std::all_of(numbers->begin(), numbers->end(),
                       [](int64_t dim) { return dim > 0; });
  }

  void Visit(const ModelNode& node) {
    bool shape = false;
    bool content = !FollowsContents(node);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!node.inputs[i]) continue;
      const size_t v = static_cast<size_t>(*node.inputs[i]);
      shape = shape || shape_[v] || (TakesContents(node, i) && content_[v]);
      const bool is_shape_alone =
          node.op_type == "Shape" || node.op_type == "Size";
      content = content || (is_shape_alone ? shape_[v] : content_[v]);
    }
    // The shape of a shape is its rank, which is not lost.
    shape = shape && node.op_type != "Shape" && node.op_type != "Size" &&
            !IsToNumbers(node);
    for (const std::optional<ValueIndex>& output : node.outputs) {
      if (!output) continue;
      content_[static_cast<size_t>(*output)] = content;
      shape_[static_cast<size_t>(*output)] = shape;
    }
  }

  const ModelGraph& graph_;
  std::vector<bool> content_;  // by value: the contents are lost
  std::vector<bool> shape_;    // by value
};

}  // namespace

std::vector<bool> ShapesLostByOnnxRuntime(const ModelGraph& graph) {
  return LostShapes(graph).Find();
}

}  // namespace memplan
