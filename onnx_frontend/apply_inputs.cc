#include "onnx_frontend/apply_inputs.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/bind_symbols.h"
#include "onnx_frontend/parse_content.h"
#include "planner/nearest_name.h"
#include "planner/strings.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

// "None" on two axes means two dimensions: a placeholder is no symbol.
void ForgetPlaceholders(Type& type) {
  if (!type.shape.has_value()) return;
  for (Dim& dim : *type.shape) {
    if (dim.is_symbolic() && IsPlaceholder(dim.ToString())) {
      dim = Dim::Unknown();
    }
  }
}

class InputBinder {
 public:
  // The graph's declared types hold no placeholders.
  InputBinder(const InputOptions& options, ModelGraph& graph)
      : options_(options), graph_(graph), symbols_(graph) {}

  absl::StatusOr<BoundInputs> Bind();

 private:
  absl::StatusOr<ValueIndex> FindInput(const std::string& name,
                                       std::string_view option) const;
  std::vector<ValueIndex> CallersInputs() const;
  absl::Status BindDims();
  absl::Status BindShape(const std::string& name,
                         const std::vector<std::string>& dims);
  absl::Status BindDim(const std::string& text, const std::string& input,
                       size_t axis, Dim& dim);
  absl::Status SetContent(const std::string& name,
                          const std::vector<std::string>& content);

  ModelValue& value(ValueIndex index) const {
    return graph_.values[static_cast<size_t>(index)];
  }

  const InputOptions& options_;
  ModelGraph& graph_;
  SymbolBindings symbols_;
  BoundInputs bound_;
};

// What the caller must feed. Initializers below IR 4 are constants; from IR 4
// on they may be given.
std::vector<ValueIndex> InputBinder::CallersInputs() const {
  std::vector<ValueIndex> inputs;
  for (ValueIndex input : graph_.bodies[0].inputs) {
    if (value(input).kind != ValueKind::kInitializer) inputs.push_back(input);
  }
  return inputs;
}

absl::StatusOr<ValueIndex> InputBinder::FindInput(
    const std::string& name, std::string_view option) const {
  const std::vector<ValueIndex> callers = CallersInputs();
  if (name.empty()) {
    if (callers.size() == 1) return callers[0];
    std::string names;
    for (ValueIndex input : callers) {
      absl::StrAppend(&names, names.empty() ? "'" : ", '", value(input).name,
                      "'");
    }
    return UsageError(absl::StrCat(
        AsAbsl(option), ": the model has ", callers.size(), " inputs (", names,
        "); say which one is meant, as in ", AsAbsl(option), " NAME:..."));
  }
  std::vector<std::string> names;
  for (ValueIndex input : graph_.bodies[0].inputs) {
    const bool is_constant = value(input).kind == ValueKind::kInitializer &&
                             !value(input).is_overridable;
    if (is_constant) continue;
    if (value(input).name == name) return input;
    names.push_back(value(input).name);
  }
  return UsageError(absl::StrCat(AsAbsl(option), ": the model has no input '",
                                 name, "'", NameHint(name, names)));
}

absl::Status InputBinder::BindDims() {
  const std::vector<std::string> symbols = symbols_.Symbols();
  for (const auto& [symbol, number] : options_.dims) {
    if (!std::binary_search(symbols.begin(), symbols.end(), symbol)) {
      return UsageError(absl::StrCat("--dim ", symbol, "=", number,
                                     ": the model has no dimension '", symbol,
                                     "'", NameHint(symbol, symbols)));
    }
    if (number < 0) {
      return UsageError(absl::StrCat("--dim ", symbol, "=", number,
                                     ": a dimension is 0 or more"));
    }
    const absl::Status status = symbols_.Bind(
        symbol, number, absl::StrCat("--dim ", symbol, "=", number));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// One dimension of --input-shape: a number, or -1 or a symbol to leave it to
// the model.
absl::Status InputBinder::BindDim(const std::string& text,
                                  const std::string& input, size_t axis,
                                  Dim& dim) {
  int64_t number;
  if (!absl::SimpleAtoi(text, &number)) {
    if (!dim.is_unknown()) return absl::OkStatus();
    dim = Dim::Symbol(text);
    symbols_.Add(text);
    return absl::OkStatus();
  }
  if (number < 0) return absl::OkStatus();
  if (dim.is_number() && dim.number() != number) {
    bound_.contradicts_model = true;
    graph_.warnings.push_back(
        absl::StrCat("--input-shape: dimension ", axis, " of '", input, "' is ",
                     dim.number(), " in the model; planning for ", number));
  }
  if (dim.is_symbolic()) {
    const absl::Status status = symbols_.Bind(
        dim.ToString(), number,
        absl::StrCat("dimension ", axis, " of --input-shape ", input));
    if (!status.ok()) return status;
  }
  dim = Dim(number);
  return absl::OkStatus();
}

absl::Status InputBinder::BindShape(const std::string& name,
                                    const std::vector<std::string>& dims) {
  const absl::StatusOr<ValueIndex> input = FindInput(name, "--input-shape");
  if (!input.ok()) return input.status();
  Type& whole = value(*input).declared;
  if (whole.kind == Type::Kind::kUnknown) {
    whole = value(*input).type;  // an initializer that is an input
  }
  std::vector<Type>
      around;  // sequences, optionals: the shape is of what they hold
  Type declared = whole;
  while (!declared.is_tensor()) {
    if (declared.inner == nullptr) {
      return UsageError(absl::StrCat("--input-shape: '", value(*input).name,
                                     "' is ", ToString(whole),
                                     ", which has no shape"));
    }
    around.push_back(declared);
    declared = Type(*around.back().inner);
  }
  if (!declared.shape.has_value()) declared.shape = Shape(dims.size());
  if (declared.shape->size() != dims.size()) {
    return UsageError(absl::StrCat("--input-shape: '", value(*input).name,
                                   "' has ", declared.shape->size(),
                                   " dimensions, ", ToString(*declared.shape),
                                   ", and ", dims.size(), " were given"));
  }
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const absl::Status status =
        BindDim(dims[axis], value(*input).name, axis, (*declared.shape)[axis]);
    if (!status.ok()) return status;
  }
  for (; !around.empty(); around.pop_back()) {
    around.back().inner = std::make_shared<Type>(std::move(declared));
    declared = std::move(around.back());
  }
  whole = std::move(declared);
  return absl::OkStatus();
}

absl::Status InputBinder::SetContent(const std::string& name,
                                     const std::vector<std::string>& content) {
  const absl::StatusOr<ValueIndex> found = FindInput(name, "--input-value");
  if (!found.ok()) return found.status();
  ModelValue& input = value(*found);
  const bool is_optional = input.type.kind == Type::Kind::kOptional &&
                           input.type.inner != nullptr &&
                           input.type.inner->is_tensor();
  const Type held = is_optional ? Type(*input.type.inner) : input.type;
  if (held.kind == Type::Kind::kOptional ||
      held.kind == Type::Kind::kSequence) {
    graph_.warnings.push_back(absl::StrCat("--input-value: '", input.name,
                                           "' is ", ToString(input.type),
                                           "; its contents are not used"));
    return absl::OkStatus();
  }
  const ElementType element = held.element;
  if (!held.is_tensor() || !CanBeGiven(element)) {
    return UsageError(absl::StrCat(
        "--input-value: '", input.name, "' is ", ToString(input.type),
        "; only integers, booleans and floats of 16 bits and up can be "
        "given"));
  }
  const auto count = static_cast<int64_t>(content.size());
  Shape shape = held.shape.value_or(Shape{count});
  // A vector of unknown length is as long as what is given.
  if (shape.size() == 1 && !shape[0].is_number()) shape[0] = Dim(count);
  const Dim elements = NumElements(shape);
  if (!elements.is_number()) {
    return UsageError(absl::StrCat(
        "--input-value: the shape of '", input.name, "' is ", ToString(shape),
        "; add --input-shape ", input.name, ":... first"));
  }
  if (elements.number() != count) {
    return UsageError(absl::StrCat(
        "--input-value: '", input.name, "' has ", elements.number(),
        " elements, ", ToString(shape), ", and ", count, " were given"));
  }
  absl::StatusOr<TensorValue> tensor = ParseContent(element, content);
  if (!tensor.ok()) {
    return UsageError(absl::StrCat("--input-value: '", input.name, "' is ",
                                   ToString(input.type), ", and ",
                                   tensor.status().message()));
  }
  for (const Dim& dim : shape) tensor->shape.push_back(dim.number());
  Type given = Type::Tensor(element, std::move(shape));
  if (is_optional) {  // it is there, then
    input.type.elements =
        std::make_shared<const std::vector<Type>>(std::vector<Type>{given});
    input.type.inner = std::make_shared<const Type>(std::move(given));
  } else {
    input.type = std::move(given);
  }
  if (count <= kMaxKnownElements) input.value = *std::move(tensor);
  return absl::OkStatus();
}

absl::StatusOr<BoundInputs> InputBinder::Bind() {
  absl::Status status;
  for (const auto& [name, dims] : options_.shapes) {
    if (status.ok()) status = BindShape(name, dims);
  }
  if (status.ok()) status = BindDims();
  if (status.ok()) status = symbols_.Settle();
  if (!status.ok()) return status;
  for (ModelValue& each : graph_.values) {
    each.declared = symbols_.Apply(each.declared);
  }
  for (ValueIndex input : graph_.bodies[0].inputs) {
    const bool has_default = value(input).kind == ValueKind::kInitializer;
    if (has_default && !options_.shapes.contains(value(input).name)) continue;
    value(input).type = value(input).declared;
    if (has_default) value(input).value.reset();
  }
  for (const auto& [name, content] : options_.values) {
    status = SetContent(name, content);
    if (!status.ok()) return status;
  }
  for (ValueIndex input : graph_.bodies[0].inputs) {
    // Whose shape is said is fed: the default counts no more.
    if (options_.shapes.contains(value(input).name)) {
      value(input).kind = ValueKind::kInput;
    }
  }
  bound_.dims = symbols_.Numbers();
  return bound_;
}

}  // namespace

absl::StatusOr<BoundInputs> ApplyInputs(const InputOptions& options,
                                        ModelGraph& graph) {
  for (ModelValue& each : graph.values) ForgetPlaceholders(each.declared);
  return InputBinder(options, graph).Bind();
}

}  // namespace memplan
