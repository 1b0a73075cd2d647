#include "onnx_frontend/fingerprint.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/newer_fields.h"
#include "onnx_frontend/stable_hash.h"
#include "onnx_frontend/type.h"

namespace memplan {
namespace {

using Names = absl::flat_hash_set<std::string>;

// The messages of a repeated field by their names, for lists whose order says
// nothing.
template <typename Repeated, typename Key>
auto SortedBy(const Repeated& messages, Key key) {
  std::vector<const typename Repeated::value_type*> sorted;
  for (const auto& message : messages) sorted.push_back(&message);
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  return sorted;
}

std::string_view Domain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string_view() : std::string_view(domain);
}

// Which operand of which operator decides, or does not decide, about shapes.
struct Slot {
  std::string_view op;
  int first;  // operands first..last
  int last;
};
constexpr Slot kShapeFloats[] = {
    {"Resize", 1, 3}, {"Upsample", 1, 1}, {"Range", 0, 2}, {"OneHot", 1, 1}};
constexpr Slot kIntegerWeights[] = {
    {"QLinearConv", 8, 8}, {"DequantizeLinear", 0, 0}, {"QGemm", 6, 6}};

class Hasher {
 public:
  void Model(const onnx::ModelProto& model) {
    Collect(model);
    hash_.Number(model.ir_version() < 4 ? 0 : 1);
    Opsets(model.opset_import());
    Graph(model.graph());
    hash_.Number(model.functions_size());
    const auto key = [](const onnx::FunctionProto& f) {
      return f.domain() + '\0' + f.name() + '\0' + FunctionOverload(f);
    };
    for (const auto* function : SortedBy(model.functions(), key)) {
      Function(*function);
    }
  }

  Fingerprint Result() const { return {hash_.high(), hash_.low()}; }

 private:
  // Notes the names that kShapeFloats and kIntegerWeights speak of; by name
  // alone, since a name that is both is rare and only a warning is at stake.
  void Collect(const onnx::ModelProto& model) {
    std::vector<const onnx::GraphProto*> graphs = {&model.graph()};
    for (const auto& function : model.functions()) {
      for (const auto& node : function.node()) Collect(node, graphs);
    }
    while (!graphs.empty()) {
      const onnx::GraphProto& graph = *graphs.back();
      graphs.pop_back();
      for (const auto& node : graph.node()) Collect(node, graphs);
    }
  }

  void Collect(const onnx::NodeProto& node,
               std::vector<const onnx::GraphProto*>& graphs) {
    for (const Slot& slot : kShapeFloats) Note(node, slot, shape_floats_);
    for (const Slot& slot : kIntegerWeights) {
      Note(node, slot, integer_weights_);
    }
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) graphs.push_back(&attribute.g());
      for (const auto& graph : attribute.graphs()) graphs.push_back(&graph);
    }
  }

  static void Note(const onnx::NodeProto& node, const Slot& slot,
                   Names& names) {
    if (node.op_type() != slot.op) return;
    for (int i = slot.first; i <= slot.last && i < node.input_size(); ++i) {
      names.insert(node.input(i));
    }
  }

  template <typename Repeated>
  void Opsets(const Repeated& opsets) {
    hash_.Number(opsets.size());
    const auto key = [](const onnx::OperatorSetIdProto& o) {
      return Domain(o.domain());
    };
    for (const auto* opset : SortedBy(opsets, key)) {
      hash_.Text(Domain(opset->domain()));
      hash_.Number(opset->version());
    }
  }

  template <typename Repeated>
  void Texts(const Repeated& texts) {
    hash_.Number(texts.size());
    for (const std::string& text : texts) hash_.Text(text);
  }

  template <typename Repeated>
  void Numbers(const Repeated& numbers) {
    hash_.Number(numbers.size());
    for (const auto number : numbers) hash_.Number(number);
  }

  void Float(double value) {
    int64_t bits;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&bits, &value, sizeof bits);
    hash_.Number(bits);
  }

  void Graph(const onnx::GraphProto& graph) {
    hash_.Number(graph.input_size());
    for (const auto& input : graph.input()) ValueInfo(input);
    hash_.Number(graph.output_size());
    for (const auto& output : graph.output()) ValueInfo(output);
    const auto key = [](const auto& m) { return std::string_view(m.name()); };
    hash_.Number(graph.value_info_size());
    for (const auto* info : SortedBy(graph.value_info(), key)) {
      ValueInfo(*info);
    }
    hash_.Number(graph.initializer_size());
    for (const auto* tensor : SortedBy(graph.initializer(), key)) {
      Tensor(*tensor, tensor->name());
    }
    const auto sparse_key = [](const onnx::SparseTensorProto& m) {
      return std::string_view(m.values().name());
    };
    hash_.Number(graph.sparse_initializer_size());
    for (const auto* tensor :
         SortedBy(graph.sparse_initializer(), sparse_key)) {
      Sparse(*tensor);
    }
    hash_.Number(graph.node_size());
    for (const auto& node : graph.node()) Node(node);
  }

  void Function(const onnx::FunctionProto& function) {
    hash_.Text(Domain(function.domain()));
    hash_.Text(function.name());
    hash_.Text(FunctionOverload(function));
    Texts(function.input());
    Texts(function.output());
    Texts(function.attribute());
    Attributes(DefaultAttributes(function), "");
    Opsets(function.opset_import());
    hash_.Number(function.node_size());
    for (const auto& node : function.node()) Node(node);
  }

  void Node(const onnx::NodeProto& node) {
    hash_.Text(Domain(node.domain()));
    hash_.Text(node.op_type());
    hash_.Text(NodeOverload(node));
    Texts(node.input());
    Texts(node.output());
    Attributes(node.attribute(),
               node.output_size() > 0 ? node.output(0) : std::string());
  }

  // `output`: what a Constant calls its tensor.
  template <typename Repeated>
  void Attributes(const Repeated& attributes, const std::string& output) {
    hash_.Number(static_cast<int64_t>(attributes.size()));
    const auto key = [](const onnx::AttributeProto& a) {
      return std::string_view(a.name());
    };
    for (const auto* attribute : SortedBy(attributes, key)) {
      Attribute(*attribute, output);
    }
  }

  void Attribute(const onnx::AttributeProto& a, const std::string& output) {
    hash_.Text(a.name());
    hash_.Text(a.ref_attr_name());
    hash_.Number(a.has_f());
    Float(a.f());
    hash_.Number(a.has_i());
    hash_.Number(a.i());
    hash_.Number(a.has_s());
    hash_.Text(a.s());
    hash_.Number(a.has_t());
    if (a.has_t()) Tensor(a.t(), output);
    hash_.Number(a.has_g());
    if (a.has_g()) Graph(a.g());
    hash_.Number(a.has_sparse_tensor());
    if (a.has_sparse_tensor()) Sparse(a.sparse_tensor());
    hash_.Number(a.has_tp());
    if (a.has_tp()) Type(a.tp());
    hash_.Number(a.floats_size());
    for (const float value : a.floats()) Float(value);
    Numbers(a.ints());
    Texts(a.strings());
    hash_.Number(a.tensors_size());
    for (const auto& tensor : a.tensors()) Tensor(tensor, "");
    hash_.Number(a.graphs_size());
    for (const auto& graph : a.graphs()) Graph(graph);
    hash_.Number(a.sparse_tensors_size());
    for (const auto& tensor : a.sparse_tensors()) Sparse(tensor);
    hash_.Number(a.type_protos_size());
    for (const auto& type : a.type_protos()) Type(type);
  }

  void ValueInfo(const onnx::ValueInfoProto& info) {
    hash_.Text(info.name());
    Type(info.type());
  }

  void Type(const onnx::TypeProto& type) {
    hash_.Number(type.value_case());
    switch (type.value_case()) {
      case onnx::TypeProto::kTensorType:
        return TensorType(type.tensor_type());
      case onnx::TypeProto::kSparseTensorType:
        return TensorType(type.sparse_tensor_type());
      case onnx::TypeProto::kSequenceType:
        return Type(type.sequence_type().elem_type());
      case onnx::TypeProto::kOptionalType:
        return Type(type.optional_type().elem_type());
      case onnx::TypeProto::kMapType:
        hash_.Number(type.map_type().key_type());
        return Type(type.map_type().value_type());
      default:
        return;
    }
  }

  template <typename T>
  void TensorType(const T& type) {
    hash_.Number(type.elem_type());
    hash_.Number(type.has_shape());
    hash_.Number(type.shape().dim_size());
    for (const auto& dim : type.shape().dim()) {
      hash_.Number(dim.value_case());
      hash_.Number(dim.dim_value());
      hash_.Text(dim.dim_param());
    }
  }

  void Sparse(const onnx::SparseTensorProto& tensor) {
    Numbers(tensor.dims());
    Tensor(tensor.values(), "");
    Tensor(tensor.indices(), "");
  }

  // `name`: what nodes call it.
  void Tensor(const onnx::TensorProto& tensor, const std::string& name) {
    hash_.Text(tensor.name());
    hash_.Number(tensor.data_type());
    Numbers(tensor.dims());
    if (IsStructure(tensor, name)) Values(tensor);
  }

  bool IsStructure(const onnx::TensorProto& tensor,
                   const std::string& name) const {
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return false;
    int64_t elements = 1;
    for (const int64_t dim : tensor.dims()) {
      if (dim < 0 || dim > kMaxHashedElements) return false;
      elements *= dim;
      if (elements > kMaxHashedElements) return false;
    }
    switch (tensor.data_type()) {
      case onnx::TensorProto::INT64:
      case onnx::TensorProto::UINT64:
      case onnx::TensorProto::UINT32:
      case onnx::TensorProto::BOOL:
        return true;
      case onnx::TensorProto::INT32:
        return !integer_weights_.contains(name);
      default:
        return shape_floats_.contains(name);
    }
  }

  // As the file has them, but the two ways to write the same numbers, raw and
  // typed, give the same hash. A number is a little-endian run of bytes.
  void Values(const onnx::TensorProto& tensor) {
    const size_t width = static_cast<size_t>(
        ElementBits(static_cast<ElementType>(tensor.data_type())) / 8);
    if (width == 0 || width > 8) return;
    std::vector<uint64_t> values;
    const std::string& raw = tensor.raw_data();
    for (size_t at = 0; at + width <= raw.size(); at += width) {
      uint64_t value = 0;
      for (size_t i = width; i > 0; --i) {
        value = value << 8 | static_cast<uint8_t>(raw[at + i - 1]);
      }
      values.push_back(value);
    }
    const uint64_t mask =
        width == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * width)) - 1;
    const auto add = [&](const auto& numbers) {
      for (const auto number : numbers) {
        values.push_back(static_cast<uint64_t>(number) & mask);
      }
    };
    add(tensor.int32_data());
    add(tensor.int64_data());
    add(tensor.uint64_data());
    for (const float number : tensor.float_data()) {
      uint32_t bits;
      std::memcpy(&bits, &number, sizeof bits);
      values.push_back(bits);
    }
    for (const double number : tensor.double_data()) {
      uint64_t bits;
      std::memcpy(&bits, &number, sizeof bits);
      values.push_back(bits);
    }
    hash_.Number(static_cast<int64_t>(values.size()));
    for (const uint64_t value : values) {
      hash_.Number(static_cast<int64_t>(value));
    }
  }

  StableHash hash_;
  Names shape_floats_;
  Names integer_weights_;
};

}  // namespace

Fingerprint FingerprintModel(const Model& model) {
  Hasher hasher;
  hasher.Model(*model.proto);
  return hasher.Result();
}

}  // namespace memplan
