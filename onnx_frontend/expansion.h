#ifndef MEMPLAN_ONNX_FRONTEND_EXPANSION_H_
#define MEMPLAN_ONNX_FRONTEND_EXPANSION_H_

#include <map>
#include <memory>
#include <vector>

namespace onnx {
class AttributeProto;
class FunctionProto;
class NodeProto;
}  // namespace onnx

namespace memplan {

// The function that stands for a node, and the defaults of its attributes;
// neither is null.
struct Expansion {
  std::shared_ptr<const onnx::FunctionProto> body;
  std::shared_ptr<const std::vector<onnx::AttributeProto>> defaults;
};

// By node of the model, of its functions, or of another expansion's body
// (ModelNode::source).
using Expansions = std::map<const onnx::NodeProto*, Expansion>;

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_EXPANSION_H_
