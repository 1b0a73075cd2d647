// Feeds the library's own inference functions, one node at a time: an
// implementation of its InferenceContext over our types. The library may throw;
// nothing of that gets out.
#include "onnx_frontend/schema_rule.h"

#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx/defs/schema.h"
#include "onnx/defs/shape_inference.h"
#include "onnx_frontend/from_proto.h"

namespace memplan {
namespace {

onnx::TypeProto ToProto(const Type& type) {
  onnx::TypeProto proto;
  switch (type.kind) {
    case Type::Kind::kTensor:
    case Type::Kind::kSparseTensor: {
      auto* tensor = proto.mutable_tensor_type();
      tensor->set_elem_type(static_cast<int32_t>(type.element));
      if (!type.shape.has_value()) break;
      tensor->mutable_shape();
      for (const Dim& dim : *type.shape) {
        auto* added = tensor->mutable_shape()->add_dim();
        if (dim.is_number()) added->set_dim_value(dim.number());
        if (dim.is_symbolic()) added->set_dim_param(dim.ToString());
      }
      break;
    }
    case Type::Kind::kSequence:
      if (type.inner == nullptr) break;
      *proto.mutable_sequence_type()->mutable_elem_type() =
          ToProto(*type.inner);
      break;
    case Type::Kind::kOptional:
      if (type.inner == nullptr) break;
      *proto.mutable_optional_type()->mutable_elem_type() =
          ToProto(*type.inner);
      break;
    default:
      break;
  }
  return proto;
}

std::optional<onnx::TensorProto> ToProto(const TensorValue& value) {
  onnx::TensorProto proto;
  proto.set_data_type(static_cast<int32_t>(value.element));
  for (int64_t dim : value.shape) proto.add_dims(dim);
  if (value.element == ElementType::kInt64) {
    const auto ints = KnownInts(value);
    if (!ints.has_value()) return std::nullopt;
    for (int64_t each : *ints) proto.add_int64_data(each);
    return proto;
  }
  if (value.element == ElementType::kInt32) {
    const auto ints = KnownInts(value);
    if (!ints.has_value()) return std::nullopt;
    for (int64_t each : *ints) proto.add_int32_data(static_cast<int32_t>(each));
    return proto;
  }
  if (value.element == ElementType::kFloat) {
    for (double each : value.floats) {
      proto.add_float_data(static_cast<float>(each));
    }
    return proto;
  }
  return std::nullopt;
}

class SchemaContext : public onnx::InferenceContext {
 public:
  explicit SchemaContext(const NodeContext& node)
      : outputs_(node.num_outputs()) {
    for (const onnx::AttributeProto& attribute :
         node.node().proto->attribute()) {
      attributes_[attribute.name()] = &attribute;
    }
    for (size_t i = 0; i < node.num_inputs(); ++i) {
      inputs_.push_back(ToProto(node.input(i)));
      contents_.push_back(node.value(i) == nullptr ? std::nullopt
                                                   : ToProto(*node.value(i)));
    }
  }

  const onnx::AttributeProto* getAttribute(
      const std::string& name) const override {
    const auto it = attributes_.find(name);
    return it == attributes_.end() ? nullptr : it->second;
  }
  size_t getNumInputs() const override { return inputs_.size(); }
  const onnx::TypeProto* getInputType(size_t i) const override {
    const bool known = i < inputs_.size() && inputs_[i].value_case() !=
                                                 onnx::TypeProto::VALUE_NOT_SET;
    return known ? &inputs_[i] : nullptr;
  }
  const onnx::TensorProto* getInputData(size_t i) const override {
    return i < contents_.size() && contents_[i].has_value() ? &*contents_[i]
                                                            : nullptr;
  }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override {
    return nullptr;
  }
  const onnx::TensorShapeProto* getSymbolicInput(size_t) const override {
    return nullptr;
  }
  size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(size_t i) override {
    if (i >= outputs_.size()) throw std::out_of_range("no such output");
    return &outputs_[i];
  }
  onnx::GraphInferencer* getGraphAttributeInferencer(
      const std::string&) override {
    return nullptr;  // bodies are ours
  }

 private:
  std::unordered_map<std::string, const onnx::AttributeProto*> attributes_;
  std::vector<onnx::TypeProto> inputs_;
  std::vector<std::optional<onnx::TensorProto>> contents_;
  std::vector<onnx::TypeProto> outputs_;
};

}  // namespace

const onnx::OpSchema* FindSchema(const std::string& domain,
                                 const std::string& op, int64_t opset) {
  const auto& versions =
      onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto range = versions.find(domain);
  if (range == versions.end() || opset < 1 || opset > range->second.second) {
    return nullptr;
  }
  return onnx::OpSchemaRegistry::Schema(op, static_cast<int>(opset), domain);
}

std::optional<absl::Status> ApplySchemaRule(NodeContext& node) {
  if (node.node().proto == nullptr || !node.node().bodies.empty()) {
    return std::nullopt;
  }
  try {
    const onnx::OpSchema* schema =
        FindSchema(node.node().domain, node.node().op_type, node.node().opset);
    if (schema == nullptr || !schema->has_type_and_shape_inference_function()) {
      return std::nullopt;
    }
    SchemaContext context(node);
    schema->GetTypeAndShapeInferenceFunction()(context);
    for (size_t i = 0; i < node.num_outputs(); ++i) {
      node.SetOutput(i, TypeFromProto(*context.getOutputType(i)));
    }
    return absl::OkStatus();
  } catch (const std::exception& error) {
    return node.Error(error.what());
  }
}

}  // namespace memplan
