#ifndef MEMPLAN_ONNX_FRONTEND_NEWER_FIELDS_H_
#define MEMPLAN_ONNX_FRONTEND_NEWER_FIELDS_H_

#include <string>
#include <vector>

#include "google/protobuf/unknown_field_set.h"
#include "onnx/onnx_pb.h"

// Fields of onnx.proto that the linked ONNX may be too old to know: read from
// the unknown fields then, which protobuf keeps.
namespace memplan {

inline std::vector<std::string> UnknownBytes(
    const google::protobuf::UnknownFieldSet& fields, int number) {
  std::vector<std::string> found;
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField& field = fields.field(i);
    if (field.number() == number &&
        field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) {
      found.push_back(field.length_delimited());
    }
  }
  return found;
}

// FunctionProto.attribute_proto (11, IR 9): attributes with their defaults.
template <typename Function = onnx::FunctionProto>
std::vector<onnx::AttributeProto> DefaultAttributes(const Function& function) {
  std::vector<onnx::AttributeProto> attributes;
  if constexpr (requires { function.attribute_proto(); }) {
    attributes.assign(function.attribute_proto().begin(),
                      function.attribute_proto().end());
  } else {
    for (const std::string& bytes :
         UnknownBytes(function.unknown_fields(), 11)) {
      onnx::AttributeProto attribute;
      if (attribute.ParseFromString(bytes)) attributes.push_back(attribute);
    }
  }
  return attributes;
}

// FunctionProto.overload (13) and NodeProto.overload (8), IR 10.
template <typename Function = onnx::FunctionProto>
std::string FunctionOverload(const Function& function) {
  if constexpr (requires { function.overload(); }) {
    return function.overload();
  } else {
    const std::vector<std::string> found =
        UnknownBytes(function.unknown_fields(), 13);
    return found.empty() ? "" : found.back();
  }
}

template <typename Node = onnx::NodeProto>
std::string NodeOverload(const Node& node) {
  if constexpr (requires { node.overload(); }) {
    return node.overload();
  } else {
    const std::vector<std::string> found =
        UnknownBytes(node.unknown_fields(), 8);
    return found.empty() ? "" : found.back();
  }
}

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_NEWER_FIELDS_H_
