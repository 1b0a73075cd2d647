#include "tests/corpus/truth.h"

#include <cstddef>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "onnx_frontend/parse_content.h"
#include "onnx_frontend/tensor_value.h"

namespace memplan {
namespace {

using Json = nlohmann::ordered_json;

// "a", "r", "c:1" or "v:3,4", as the corpus describes them: what element `i` of
// rows of `row` was fed.
std::optional<std::vector<double>> FedNumbers(const std::string& fill,
                                              int64_t elements, int64_t row) {
  std::vector<double> numbers;
  if (fill == "a" || fill == "r") {
    for (int64_t i = 0; i < elements; ++i) {
      numbers.push_back(fill == "a" ? static_cast<double>(i % row)
                                    : static_cast<double>(i % 97) * 0.01 - 0.4);
    }
    return numbers;
  }
  if (fill.size() < 3 || (fill[0] != 'c' && fill[0] != 'v')) {
    return std::nullopt;
  }
  const char* at = fill.c_str() + 2;
  double last = 0;
  for (int64_t i = 0; i < elements; ++i) {
    if (*at != '\0') {
      char* end = nullptr;
      last = std::strtod(at, &end);
      at = *end == ',' ? end + 1 : end;
    }
    numbers.push_back(last);
  }
  return numbers;
}

// As a user would write them.
std::optional<std::vector<std::string>> FedContent(
    const std::string& fill, ElementType element,
    const std::vector<int64_t>& shape) {
  int64_t elements = 1;
  for (const int64_t dim : shape) elements *= dim;
  if (elements > kMaxKnownElements) return std::nullopt;
  const std::optional<std::vector<double>> numbers =
      FedNumbers(fill, elements, shape.empty() ? 1 : shape.back());
  if (!numbers.has_value()) return std::nullopt;
  std::vector<std::string> content;
  for (const double number : *numbers) {
    content.push_back(IsFloatingPoint(element)
                          ? absl::StrFormat("%.17g", number)
                          : absl::StrCat(static_cast<int64_t>(number)));
  }
  return content;
}

ElementType ElementNamed(std::string_view name) {
  for (int i = 1; i <= static_cast<int>(ElementType::kInt2); ++i) {
    const auto element = static_cast<ElementType>(i);
    if (ElementTypeName(element) == name) return element;
  }
  return ElementType::kUndefined;
}

void AddInputs(const Json& json, InputOptions& options) {
  for (const auto& [name, dims] : json.at("inputs").items()) {
    if (!dims.is_array()) continue;
    const auto shape = dims.get<std::vector<int64_t>>();
    const std::string type = json.at("input_types").value(name, "");
    if (type == "seq" || type.rfind("map", 0) == 0) continue;
    for (const int64_t dim : shape) {
      options.shapes[name].push_back(std::to_string(dim));
    }
    options.shapes[name];  // a scalar has an empty shape
    const ElementType element = ElementNamed(type);
    if (!CanBeGiven(element) || !json.contains("fills")) continue;
    const auto content =
        FedContent(json.at("fills").value(name, ""), element, shape);
    if (content.has_value()) options.values[name] = *content;
  }
}

void AddValues(const std::string& scope, const Json& values,
               std::vector<TrueValue>& result) {
  for (const auto& [name, json] : values.items()) {
    if (json.at("shape").is_null()) continue;
    TrueValue value;
    value.scope = scope;
    value.name = name;
    value.type = json.at("type");
    value.shape = json.at("shape").get<std::vector<int64_t>>();
    if (!json.at("bytes").is_null()) value.bytes = json.at("bytes");
    value.varies = json.value("varies", false);
    result.push_back(value);
  }
}

}  // namespace

TruthRow ParseTruthRow(std::string_view line) {
  const Json json = Json::parse(line);
  TruthRow row;
  row.path = json.at("path");
  row.kind = json.at("kind");
  row.ran = json.at("ort") == "ok";
  if (json.contains("inputs") && json.contains("input_types")) {
    AddInputs(json, row.inputs);
  }
  if (!row.ran) return row;
  const auto block = json.find("pattern_block_disable");
  if (block != json.end() && block->is_number()) row.block = *block;
  AddValues("", json.at("values"), row.values);
  if (!json.contains("sub_values")) return row;
  for (const auto& [scope, body] : json.at("sub_values").items()) {
    AddValues(scope, body.at("values"), row.values);
  }
  return row;
}

}  // namespace memplan
