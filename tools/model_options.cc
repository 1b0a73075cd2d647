#include "tools/model_options.h"

#include <cmath>
#include <map>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "planner/solve.h"
#include "planner/strings.h"
#include "planner/usage_error.h"
#include "tools/input_specs.h"

namespace memplan {
namespace {

constexpr int64_t kMaxAlignment = int64_t{1} << 30;  // bytes

const std::map<std::string, OrderKind>& Orders() {
  static const auto* const kOrders = new std::map<std::string, OrderKind>{
      {"file", OrderKind::kFile},
      {"onnxruntime", OrderKind::kOnnxRuntime},
      {"memory", OrderKind::kMemory}};
  return *kOrders;
}

const std::map<std::string, RuntimeKind>& Runtimes() {
  static const auto* const kRuntimes = new std::map<std::string, RuntimeKind>{
      {"generic", RuntimeKind::kGeneric},
      {"onnxruntime", RuntimeKind::kOnnxRuntime}};
  return *kRuntimes;
}

const std::map<std::string, InPlaceMode>& InPlaceModes() {
  static const auto* const kModes = new std::map<std::string, InPlaceMode>{
      {"off", InPlaceMode::kOff},
      {"views", InPlaceMode::kViews},
      {"safe", InPlaceMode::kSafe},
      {"aggressive", InPlaceMode::kAggressive}};
  return *kModes;
}

// An option that may be repeated, one value each time, so that it never
// swallows the model's name.
CLI::Option* AddRepeated(CLI::App& command, const std::string& names,
                         std::vector<std::string>& values,
                         const std::string& help, const std::string& form) {
  return command.add_option(names, values, help)
      ->type_name(form)
      ->allow_extra_args(false)
      ->take_all();
}

// CLI11's own lets NaN through, and names the largest double to whoever errs.
CLI::Validator NonNegative() {
  const auto check = [](const std::string& text) {
    double number = 0;
    const bool is_fine =
        absl::SimpleAtod(text, &number) && std::isfinite(number) && number >= 0;
    return is_fine ? ""
                   : absl::StrCat("'", text, "' is no number of 0 or more");
  };
  return CLI::Validator(check, "");
}

template <typename Map>
std::string KeysOf(const Map& map) {
  return absl::StrJoin(map, "|", [](std::string* out, const auto& row) {
    absl::StrAppend(out, row.first);
  });
}

template <typename Map>
CLI::Option* AddChoice(CLI::App& command, const std::string& name,
                       std::string& value, const Map& choices,
                       const std::string& help) {
  return command.add_option(name, value, help)
      ->type_name(KeysOf(choices))
      ->check(CLI::IsMember(&choices).description(""))
      ->capture_default_str();
}

template <typename Value>
std::string Spell(const std::string& name, const Value& value) {
  return absl::StrCat(name, ":", absl::StrJoin(value, ","));
}

std::string Spell(const std::string& name, int64_t value) {
  return absl::StrCat(name, "=", value);
}

// Adds a name that may be said twice, but not with two meanings.
template <typename Map, typename Value>
absl::Status Insert(std::string_view option, const std::string& name,
                    Value value, Map& map) {
  const auto [row, is_new] = map.emplace(name, value);
  if (is_new || row->second == value) return absl::OkStatus();
  return UsageError(absl::StrCat(AsAbsl(option), " ", Spell(name, value),
                                 " contradicts ", AsAbsl(option), " ",
                                 Spell(name, row->second)));
}

absl::Status InOption(std::string_view option, const absl::Status& status) {
  return UsageError(absl::StrCat(AsAbsl(option), " ", status.message()));
}

absl::Status AddDims(const ModelOptions& options, InputOptions& inputs) {
  for (const std::string& text : options.dims) {
    absl::StatusOr<NamedNumber> dim = ParseDim(text);
    if (!dim.ok()) return InOption("--dim", dim.status());
    const absl::Status status =
        Insert("--dim", dim->first, dim->second, inputs.dims);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status AddShapes(const ModelOptions& options, InputOptions& inputs) {
  std::vector<NamedShape> shapes;
  for (const std::string& text : options.input_shapes) {
    absl::StatusOr<NamedShape> shape = ParseInputShape(text);
    if (!shape.ok()) return InOption("--input-shape", shape.status());
    shapes.push_back(*std::move(shape));
  }
  for (const std::string& text : options.input_shape_lists) {
    absl::StatusOr<std::vector<NamedShape>> list = ParseInputShapes(text);
    if (!list.ok()) return InOption("--input-shapes", list.status());
    shapes.insert(shapes.end(), list->begin(), list->end());
  }
  for (NamedShape& shape : shapes) {
    const absl::Status status = Insert("--input-shape", shape.name,
                                       std::move(shape.dims), inputs.shapes);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status AddValues(const ModelOptions& options, InputOptions& inputs) {
  for (const std::string& text : options.input_values) {
    absl::StatusOr<NamedContent> named = ParseInputValue(text);
    if (!named.ok()) return InOption("--input-value", named.status());
    const absl::Status status =
        Insert("--input-value", named->name, std::move(named->elements),
               inputs.values);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status AddBounds(const ModelOptions& options, InputOptions& inputs) {
  for (const std::string& text : options.bounds) {
    absl::StatusOr<NamedNumbers> named = ParseBound(text);
    if (!named.ok()) return InOption("--bound", named.status());
    const absl::Status status = Insert(
        "--bound", named->name, std::move(named->numbers), inputs.bounds);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<InputOptions> ToInputOptions(const ModelOptions& options) {
  InputOptions inputs;
  inputs.strict = options.strict;
  absl::Status status = AddDims(options, inputs);
  if (status.ok()) status = AddShapes(options, inputs);
  if (status.ok()) status = AddValues(options, inputs);
  if (status.ok()) status = AddBounds(options, inputs);
  if (!status.ok()) return status;
  return inputs;
}

bool IsShapeOption(const std::string& argument) {
  return argument == "--input-shape" || argument == "--input-shapes" ||
         argument == "--overwrite-input-shape";
}

bool IsNamedShape(const std::string& argument) {
  const absl::StatusOr<NamedShape> shape = ParseInputShape(argument);
  return shape.ok() && !shape->name.empty();
}

}  // namespace

void AddModelArgument(CLI::App& command, std::string& model) {
  command
      .add_option("model", model,
                  "an .onnx or .onnxtxt file; - is standard input")
      ->type_name("MODEL")
      ->required();
}

void AddModelOptions(CLI::App& command, ModelOptions& options) {
  AddModelArgument(command, options.model);
  const std::string shapes = "Input shapes";
  AddRepeated(command, "-d,--dim,-f", options.dims,
              "the value of a symbolic dimension", "NAME=N")
      ->group(shapes);
  AddRepeated(command, "-i,--input-shape,--overwrite-input-shape",
              options.input_shapes,
              "the shape of an input: x:1,3,224,224 or x:1x3x224x224; without "
              "a name for the only input",
              "NAME:SHAPE")
      ->group(shapes);
  AddRepeated(command, "--input-shapes", options.input_shape_lists,
              "several at once: a:1x3,b:2x2", "LIST")
      ->group(shapes);
  AddRepeated(command, "--input-value", options.input_values,
              "the content of an input that shapes depend on: target:1,-1,8, "
              "scales:1,1,0.5, flag:true",
              "NAME:CONTENT")
      ->group(shapes);
  AddRepeated(command, "--bound", options.bounds,
              "at most this shape, for a tensor whose shape depends on data",
              "TENSOR=SHAPE")
      ->group(shapes);
  command
      .add_flag("--strict", options.strict,
                "a declared shape that contradicts the computed one is an "
                "error")
      ->group(shapes);
}

void AddPlanOptions(CLI::App& command, ModelOptions& options,
                    bool& require_complete) {
  const std::string plan = "Plan";
  AddRepeated(command, "--place", options.place,
              "put the graph's inputs or outputs into the arena, too",
              "inputs|outputs")
      ->check(CLI::IsMember({"inputs", "outputs"}).description(""))
      ->delimiter(',')
      ->group(plan);
  AddChoice(command, "--in-place", options.in_place, InPlaceModes(),
            "who may share bytes")
      ->group(plan);
  AddChoice(command, "--order", options.order, Orders(),
            "in which order nodes run; embed and plan -o list them in it")
      ->group(plan);
  AddChoice(command, "--runtime", options.runtime, Runtimes(),
            "whose rules to follow: true liveness, or ONNX Runtime's")
      ->group(plan);
  command
      .add_option("--alignment", options.alignment,
                  "of every offset, in bytes; a power of two")
      ->type_name("BYTES")
      ->capture_default_str()
      ->group(plan);
  command
      .add_flag("--require-complete", require_complete,
                "fail where a tensor has no known size")
      ->group(plan);
}

void AddFileOption(CLI::App& command, const std::string& names,
                   std::string& file, const std::string& help) {
  command.add_option(names, file, help)->type_name("FILE")->group("Output");
}

void AddSearchOptions(CLI::App& command, SearchOptions& options) {
  const std::string search = "Search";
  command.add_option("--solver", options.solver, "how to place buffers")
      ->type_name(absl::StrJoin(SolverNames(), "|"))
      ->check(CLI::IsMember(SolverNames()).description(""))
      ->capture_default_str()
      ->group(search);
  command
      .add_option("--capacity", options.capacity,
                  "the arena may not be larger: 65536, 64KiB, 1.5MiB")
      ->type_name("BYTES")
      ->group(search);
  command
      .add_option("--effort", options.effort,
                  "how many search nodes to visit at most")
      ->type_name("NODES")
      ->check(NonNegative())
      ->group(search);
  command
      .add_option("--time-limit", options.time_limit,
                  "stop after so many seconds; the result then depends on the "
                  "machine")
      ->type_name("SECONDS")
      ->check(NonNegative())
      ->group(search);
  command.add_option("--threads", options.threads)
      ->type_name("N")
      ->check(CLI::Range(1, 256).description(""))
      ->capture_default_str()
      ->group(search);
}

absl::StatusOr<SolveOptions> ToSolveOptions(const SearchOptions& search) {
  SolveOptions options;
  options.solver = search.solver;
  if (!search.capacity.empty()) {
    absl::StatusOr<int64_t> capacity = ParseBytes(search.capacity);
    if (!capacity.ok()) return InOption("--capacity", capacity.status());
    options.capacity = *capacity;
  }
  if (search.effort.has_value()) options.effort = *search.effort;
  options.time_limit_seconds = search.time_limit;
  options.threads = search.threads;
  return options;
}

absl::StatusOr<PlanOptions> ToPlanOptions(const ModelOptions& model,
                                          const SearchOptions& search) {
  PlanOptions options;
  absl::StatusOr<InputOptions> inputs = ToInputOptions(model);
  if (!inputs.ok()) return inputs.status();
  options.inputs = *std::move(inputs);
  absl::StatusOr<SolveOptions> solve = ToSolveOptions(search);
  if (!solve.ok()) return solve.status();
  options.solve = *std::move(solve);
  const int64_t alignment = model.alignment;
  if (alignment < 1 || alignment > kMaxAlignment ||
      (alignment & (alignment - 1)) != 0) {
    return UsageError(absl::StrCat("--alignment ", alignment,
                                   ": expected a power of two, at most ",
                                   kMaxAlignment));
  }
  options.alignment = alignment;
  options.order = Orders().at(model.order);
  options.runtime = Runtimes().at(model.runtime);
  options.storage.in_place = InPlaceModes().at(model.in_place);
  for (const std::string& place : model.place) {
    if (place == "inputs") options.storage.place_inputs = true;
    if (place == "outputs") options.storage.place_outputs = true;
  }
  return options;
}

std::vector<std::string> NormalizeArguments(
    const std::vector<std::string>& arguments) {
  const bool is_embed = !arguments.empty() && arguments.front() == "embed";
  std::vector<std::string> result;
  std::string option;  // the shape option whose values we are in
  bool had_value = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (IsShapeOption(argument)) {
      option = argument;
      had_value = false;
    } else if (!option.empty() && !had_value) {
      had_value = true;
      if (!IsNamedShape(argument)) option.clear();
    } else if (!option.empty() && IsNamedShape(argument)) {
      result.push_back(option);
    } else {
      option.clear();
    }
    const bool has_mode =
        i + 1 < arguments.size() && InPlaceModes().count(arguments[i + 1]) > 0;
    const bool is_same_file = is_embed && argument == "--in-place" && !has_mode;
    result.push_back(is_same_file ? "--same-file" : argument);
  }
  return result;
}

}  // namespace memplan
