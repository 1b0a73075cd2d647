#include "models/generate/onnx_builder.h"

#include <map>
#include <utility>

#include "onnx/onnx_pb.h"

namespace memplan::models {
namespace {

// What goes with opset 15 to 18 (ONNX's Versioning.md).
constexpr int64_t kIrVersion = 8;

void SetType(const std::string& name, DataType type, const Dimensions& shape,
             onnx::ValueInfoProto& info) {
  info.set_name(name);
  auto* tensor = info.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(static_cast<int32_t>(type));
  auto* dims = tensor->mutable_shape();
  for (const Dimension& dimension : shape) {
    auto* dim = dims->add_dim();
    if (const auto* symbol = std::get_if<std::string>(&dimension)) {
      dim->set_dim_param(*symbol);
    } else {
      dim->set_dim_value(std::get<int64_t>(dimension));
    }
  }
}

struct AttributeSetter {
  onnx::AttributeProto& proto;

  void operator()(int64_t value) const {
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(value);
  }
  void operator()(float value) const {
    proto.set_type(onnx::AttributeProto::FLOAT);
    proto.set_f(value);
  }
  void operator()(const std::vector<int64_t>& values) const {
    proto.set_type(onnx::AttributeProto::INTS);
    proto.mutable_ints()->Assign(values.begin(), values.end());
  }
  void operator()(const std::string& value) const {
    proto.set_type(onnx::AttributeProto::STRING);
    proto.set_s(value);
  }
};

int64_t ElementBytes(DataType type) {
  switch (type) {
    case DataType::kFloat:
      return 4;
    case DataType::kInt64:
      return 8;
    case DataType::kBool:
      return 1;
  }
  return 0;
}

void AddExternalEntry(std::string_view key, std::string value,
                      onnx::TensorProto& tensor) {
  auto* entry = tensor.add_external_data();
  entry->set_key(std::string(key));
  entry->set_value(std::move(value));
}

}  // namespace

struct OnnxBuilder::State {
  onnx::ModelProto model;
  std::map<std::string, Tensor> constants;  // by content
  int64_t weight_bytes = 0;  // so far, in the file that nobody opens
};

Tensor OnnxBuilder::AddConstant(State& state, const onnx::TensorProto& tensor) {
  Tensor& name = state.constants[tensor.SerializeAsString()];
  if (!name.empty()) return name;
  name = "const." + std::to_string(state.constants.size());
  onnx::NodeProto& node = *state.model.mutable_graph()->add_node();
  node.set_op_type("Constant");
  node.set_name(name);
  node.add_output(name);
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = tensor;
  return name;
}

OnnxBuilder::OnnxBuilder(std::string_view graph_name, int64_t opset)
    : state_(std::make_unique<State>()) {
  onnx::ModelProto& model = state_->model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("memplan models/generate");
  auto* import = model.add_opset_import();
  import->set_domain("");
  import->set_version(opset);
  model.mutable_graph()->set_name(std::string(graph_name));
}

OnnxBuilder::~OnnxBuilder() = default;

Tensor OnnxBuilder::Input(std::string_view name, DataType type,
                          const Dimensions& shape) {
  Tensor tensor(name);
  SetType(tensor, type, shape, *state_->model.mutable_graph()->add_input());
  return tensor;
}

void OnnxBuilder::Output(const Tensor& tensor, DataType type,
                         const Dimensions& shape) {
  SetType(tensor, type, shape, *state_->model.mutable_graph()->add_output());
}

Tensor OnnxBuilder::Weight(std::string_view name,
                           const std::vector<int64_t>& shape, DataType type) {
  onnx::GraphProto& graph = *state_->model.mutable_graph();
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(std::string(name));
  tensor.set_data_type(static_cast<int32_t>(type));
  int64_t bytes = ElementBytes(type);
  for (const int64_t dim : shape) {
    tensor.add_dims(dim);
    bytes *= dim;
  }
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  AddExternalEntry("location", graph.name() + ".weights", tensor);
  AddExternalEntry("offset", std::to_string(state_->weight_bytes), tensor);
  AddExternalEntry("length", std::to_string(bytes), tensor);
  state_->weight_bytes += bytes;
  return tensor.name();
}

Tensor OnnxBuilder::Constant(int64_t value) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_int64_data(value);
  return AddConstant(*state_, tensor);
}

Tensor OnnxBuilder::Constant(float value) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_float_data(value);
  return AddConstant(*state_, tensor);
}

Tensor OnnxBuilder::Constant(const std::vector<int64_t>& values) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  tensor.mutable_int64_data()->Assign(values.begin(), values.end());
  return AddConstant(*state_, tensor);
}

Tensor OnnxBuilder::Node(std::string_view op_type, std::string_view output,
                         const std::vector<Tensor>& inputs,
                         const std::vector<Attribute>& attributes) {
  NodeWithOutputs(op_type, {Tensor(output)}, inputs, attributes);
  return Tensor(output);
}

void OnnxBuilder::NodeWithOutputs(std::string_view op_type,
                                  const std::vector<Tensor>& outputs,
                                  const std::vector<Tensor>& inputs,
                                  const std::vector<Attribute>& attributes) {
  onnx::NodeProto& node = *state_->model.mutable_graph()->add_node();
  node.set_op_type(std::string(op_type));
  node.set_name(outputs.front());
  for (const Tensor& input : inputs) node.add_input(input);
  for (const Tensor& output : outputs) node.add_output(output);
  for (const Attribute& attribute : attributes) {
    onnx::AttributeProto& proto = *node.add_attribute();
    proto.set_name(attribute.name);
    std::visit(AttributeSetter{proto}, attribute.value);
  }
}

std::string OnnxBuilder::Serialize() const {
  return state_->model.SerializeAsString();
}

}  // namespace memplan::models
