#include "onnx_frontend/function_bodies.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "onnx/defs/parser.h"
#include "onnx/defs/schema.h"

namespace memplan {
namespace {

// Definitions in Operators.md, by hand where the library has none. The order of
// the nodes is the specification's: it decides in which order they run.
constexpr char kMish[] = R"(
  (X) => (Y) {
    soft = Softplus(X)
    squashed = Tanh(soft)
    Y = Mul(X, squashed)
  })";
constexpr char kSwish[] = R"(
  (X) => (Y) {
    number = Constant<value_float = 1.0>()
    alpha = Cast<to = TYPE>(number)
    scaled = Mul(alpha, X)
    gate = Sigmoid(scaled)
    Y = Mul(X, gate)
  })";
// From version 21 on it computes in a type of its own, and scale and bias are
// one for each channel, not one for each group.
constexpr char kGroupNormalization[] = R"(
  (X, scale, bias) => (Y) {
    number = Constant<value_float = 1.0>()
    epsilon = Cast<to = STASH>(number)
    BEFORE
    channels = Shape<start = 1, end = 2>(X)
    groups = Constant<value_ints = [GROUPS]>()
    group_size = Div(channels, groups)
    batch = Shape<start = 0, end = 1>(X)
    inner = Shape<start = 2>(X)
    grouped_shape = Concat<axis = 0>(batch, groups, group_size, inner)
    grouped = Reshape(WIDE, grouped_shape)
    flat_shape = Constant<value_ints = [0, 0, -1]>()
    flat = Reshape(grouped, flat_shape)
    axes = Constant<value_ints = [2]>()
    mean = ReduceMean(flat, axes)
    square = Mul(flat, flat)
    mean_of_square = ReduceMean(square, axes)
    square_of_mean = Mul(mean, mean)
    variance = Sub(mean_of_square, square_of_mean)
    shifted = Add(variance, epsilon)
    deviation = Sqrt(shifted)
    centred = Sub(flat, mean)
    normalized = Div(centred, deviation)
    AFTER
    scale_cast = Cast<to = TYPE>(scale)
    bias_cast = Cast<to = TYPE>(bias)
    column = Constant<value_ints = [1, -1, 1]>()
    scale_column = Reshape(scale_cast, column)
    bias_column = Reshape(bias_cast, column)
    scaled = Mul(scale_column, RESULT)
    biased = Add(scaled, bias_column)
    Y = Reshape(biased, shape)
  })";
constexpr char kToStash[] = R"(
    wide = Cast<to = STASH>(X)
    shape = Shape(wide))";
constexpr char kFromStash[] = R"(
    whole = Reshape(normalized, shape)
    by_channel = Reshape(whole, flat_shape)
    narrow = Cast<to = TYPE>(by_channel))";
// ONNX Runtime's bert_defs.cc and contrib_defs.cc. Constants are of the input's
// type.
constexpr std::string_view kContrib = "com.microsoft";
constexpr char kFastGelu[] = R"(
  (X, bias) => (Y) {
    a = Constant<value_float = 0.5>()
    b = Constant<value_float = 0.797885>()
    c = Constant<value_float = 0.035677>()
    one = Constant<value_float = 1.0>()
    x = BIASED
    squared = Mul(x, x)
    cubed = Mul(c, squared)
    sum = Add(b, cubed)
    product = Mul(x, sum)
    squashed = Tanh(product)
    gate = Add(one, squashed)
    gated = Mul(x, gate)
    Y = Mul(a, gated)
  })";

constexpr char kContribGelu[] = R"(
  (X) => (Y) {
    half = Constant<value_float = 0.5>()
    one = Constant<value_float = 1.0>()
    c = Constant<value_float = 0.707107>()
    scaled = Mul(c, X)
    error = Erf(scaled)
    sum = Add(error, one)
    gate = Mul(sum, half)
    Y = Mul(X, gate)
  })";
constexpr char kQuickGelu[] = R"(
  (X) => (Y) {
    alpha = Constant<value_float = 1.702>()
    scaled = Mul(alpha, X)
    gate = Sigmoid(scaled)
    Y = Mul(X, gate)
  })";

// The last one that each linked library knows (ONNX 1.12).
constexpr int64_t kLibraryOpset = 17;

int64_t IntOr(const ModelNode& node, std::string_view name, int64_t otherwise) {
  for (const Attribute& attribute : node.attributes) {
    const auto* held = std::get_if<int64_t>(&attribute.value);
    if (attribute.name == name && held != nullptr) return *held;
  }
  return otherwise;
}

std::string GroupNormalization(const ModelNode& node) {
  const bool has_stash = node.opset >= 21;
  const int64_t stash = IntOr(node, "stash_type", 1);
  return absl::StrReplaceAll(
      absl::StrReplaceAll(
          kGroupNormalization,
          {{"BEFORE", has_stash ? kToStash : "shape = Shape(X)"},
           {"AFTER", has_stash ? kFromStash : ""},
           {"WIDE", has_stash ? "wide" : "X"},
           {"RESULT", has_stash ? "narrow" : "normalized"}}),
      {{"STASH", has_stash ? absl::StrCat(stash) : "TYPE"},
       {"GROUPS", absl::StrCat(IntOr(node, "num_groups", 1))}});
}

// The text of the body, where we have one.
std::string OwnText(const ModelNode& node) {
  if (node.domain == kContrib) {
    if (node.op_type == "Gelu") return kContribGelu;
    if (node.op_type == "QuickGelu") return kQuickGelu;
    if (node.op_type != "FastGelu") return "";
    const bool has_bias = node.inputs.size() > 1 && node.inputs[1];
    return absl::StrReplaceAll(
        kFastGelu, {{"BIASED", has_bias ? "Add(X, bias)" : "Identity(X)"}});
  }
  if (!node.domain.empty()) return "";
  if (node.op_type == "GroupNormalization") return GroupNormalization(node);
  if (node.op_type == "Mish") return kMish;
  return node.op_type == "Swish" ? kSwish : "";
}

// Constants of the type, of which nobody needs the contents.
void RetypeConstants(ElementType type, onnx::FunctionProto& body) {
  for (onnx::NodeProto& node : *body.mutable_node()) {
    if (node.op_type() != "Constant") continue;
    onnx::AttributeProto& value = *node.mutable_attribute(0);
    value.Clear();
    value.set_name("value");
    value.set_type(onnx::AttributeProto::TENSOR);
    value.mutable_t()->set_data_type(static_cast<int32_t>(type));
  }
}

std::shared_ptr<onnx::FunctionProto> OwnBody(const ModelNode& node,
                                             ElementType type) {
  std::string text = OwnText(node);
  if (text.empty()) return nullptr;
  text =
      absl::StrCat(R"(<domain: "", opset_import: ["" : 18]>)", node.op_type,
                   absl::StrReplaceAll(
                       text, {{"TYPE", absl::StrCat(static_cast<int>(type))}}));
  auto body = std::make_shared<onnx::FunctionProto>();
  onnx::OnnxParser parser(text.c_str());
  if (!parser.Parse(*body).IsOK()) return nullptr;
  if (node.domain == kContrib) RetypeConstants(type, *body);
  return body;
}

std::shared_ptr<onnx::FunctionProto> LibraryBody(
    const onnx::OpSchema& schema, const ModelNode& node,
    const std::vector<ElementType>& inputs) {
  auto body = std::make_shared<onnx::FunctionProto>();
  if (schema.HasFunction()) {
    *body = *schema.GetFunction();
    return body;
  }
  if (!schema.HasContextDependentFunction()) return nullptr;
  std::vector<onnx::TypeProto> types(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == ElementType::kUndefined) continue;
    types[i].mutable_tensor_type()->set_elem_type(
        static_cast<int32_t>(inputs[i]));
  }
  const onnx::FunctionBodyBuildContextImpl context(*node.proto, types);
  if (!schema.BuildContextDependentFunction(context, *body)) return nullptr;
  return body;
}

}  // namespace

std::optional<Expansion> FunctionOf(const ModelNode& node,
                                    const std::vector<ElementType>& inputs) {
  if (node.proto == nullptr || inputs.empty()) return std::nullopt;
  Expansion found;
  try {
    auto defaults = std::make_shared<std::vector<onnx::AttributeProto>>();
    found.defaults = defaults;
    found.body = OwnBody(node, inputs[0]);
    if (found.body != nullptr) return found;
    // These operators mean the same in versions that the library is too old
    // for; types were added.
    const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(
        node.op_type,
        static_cast<int>(std::clamp<int64_t>(node.opset, 1, kLibraryOpset)),
        node.domain);
    if (schema == nullptr) return std::nullopt;
    found.body = LibraryBody(*schema, node, inputs);
    if (found.body == nullptr) return std::nullopt;
    for (const auto& [name, attribute] : schema->attributes()) {
      if (!attribute.default_value.has_name()) continue;
      defaults->push_back(attribute.default_value);
    }
  } catch (const std::exception&) {
    return std::nullopt;  // attributes that the function cannot take
  }
  return found;
}

}  // namespace memplan
