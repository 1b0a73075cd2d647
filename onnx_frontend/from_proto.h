#ifndef MEMPLAN_ONNX_FRONTEND_FROM_PROTO_H_
#define MEMPLAN_ONNX_FRONTEND_FROM_PROTO_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "onnx_frontend/model_graph.h"
#include "onnx_frontend/tensor_value.h"
#include "onnx_frontend/type.h"

namespace memplan {

// Out of protobuf: the type that a TypeProto says. A dimension without a value,
// with a negative one, or with an empty name is unknown; a named one is a
// symbol.
Type TypeFromProto(const onnx::TypeProto& proto);

// The type of a tensor, and its content where it is in the file, small, and of
// numbers. A dimension below 0 leaves the rank unknown.
Type TypeOfTensor(const onnx::TensorProto& proto);
std::optional<TensorValue> ValueOfTensor(const onnx::TensorProto& proto);

// A sparse tensor stands for a dense one of its `dims`.
Type TypeOfSparseTensor(const onnx::SparseTensorProto& proto);

// An attribute that holds no graph; unset for one that does, or holds nothing
// that shapes depend on.
std::optional<AttributeValue> ValueOfAttribute(
    const onnx::AttributeProto& proto);

// The kind of value that the attribute holds: `type` where the file sets it (it
// must from IR 2), else told by the field that is there.
onnx::AttributeProto::AttributeType KindOfAttribute(
    const onnx::AttributeProto& proto);

// What a Constant node yields whose content this attribute holds: its type
// (kUnknown where it holds none), and its content where that is small and of
// numbers.
std::pair<Type, std::optional<TensorValue>> ConstantFromAttribute(
    const onnx::AttributeProto& proto);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FROM_PROTO_H_
