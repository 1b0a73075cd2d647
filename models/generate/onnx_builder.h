#ifndef MEMPLAN_MODELS_GENERATE_ONNX_BUILDER_H_
#define MEMPLAN_MODELS_GENERATE_ONNX_BUILDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace onnx {
class TensorProto;
}

namespace memplan::models {

// A dimension: a number, or a name that the user of the model binds ("batch").
using Dimension = std::variant<int64_t, std::string>;
using Dimensions = std::vector<Dimension>;

// TensorProto.DataType's numbers, as far as the architectures need them.
enum class DataType : int32_t { kFloat = 1, kInt64 = 7, kBool = 9 };

using AttributeValue =
    std::variant<int64_t, float, std::vector<int64_t>, std::string>;
struct Attribute {
  std::string name;
  AttributeValue value;
};

// A tensor of the graph, by its name.
using Tensor = std::string;

// Writes one ONNX model, a node at a call. A node has the name of its first
// output, which is the layer's: "layer1.0.conv1".
//
// Weights are declared and have no content: their bytes are said to lie in a
// file beside the model that nobody opens or ships. So a full-size
// architecture takes some tens of kilobytes.
class OnnxBuilder {
 public:
  OnnxBuilder(std::string_view graph_name, int64_t opset);
  ~OnnxBuilder();
  OnnxBuilder(const OnnxBuilder&) = delete;
  OnnxBuilder& operator=(const OnnxBuilder&) = delete;

  Tensor Input(std::string_view name, DataType type, const Dimensions& shape);
  void Output(const Tensor& tensor, DataType type, const Dimensions& shape);

  Tensor Weight(std::string_view name, const std::vector<int64_t>& shape,
                DataType type = DataType::kFloat);

  // A scalar or vector as a Constant node. The same content is one node, which
  // stands before its first reader.
  Tensor Constant(int64_t value);
  Tensor Constant(float value);
  Tensor Constant(const std::vector<int64_t>& values);

  // Adds a node with one output, which has the name `output`. An empty input
  // is one that is left out.
  Tensor Node(std::string_view op_type, std::string_view output,
              const std::vector<Tensor>& inputs,
              const std::vector<Attribute>& attributes = {});
  void NodeWithOutputs(std::string_view op_type,
                       const std::vector<Tensor>& outputs,
                       const std::vector<Tensor>& inputs,
                       const std::vector<Attribute>& attributes = {});

  // The model's bytes: the same on each call and each machine.
  std::string Serialize() const;

 private:
  struct State;
  static Tensor AddConstant(State& state, const onnx::TensorProto& tensor);
  std::unique_ptr<State> state_;
};

}  // namespace memplan::models

#endif  // MEMPLAN_MODELS_GENERATE_ONNX_BUILDER_H_
