#include "tests/corpus/truth.h"

#include <cstddef>
#include <cstdlib>
#include <set>

#include "nlohmann/json.hpp"
#include "onnx_frontend/tensor_value.h"

namespace memplan {
namespace {

using Json = nlohmann::ordered_json;

bool IsIntegerOrBool(const std::string& type) {
  static const auto* const kTypes =
      new std::set<std::string>{"int8",   "int16",  "int32",  "int64", "uint8",
                                "uint16", "uint32", "uint64", "bool"};
  return kTypes->count(type) > 0;
}

// "c:1", "v:3,4" or "a", as the corpus describes them: the values that were
// fed, for integers and booleans.
std::optional<std::vector<int64_t>> FedValues(
    const std::string& fill, const std::vector<int64_t>& shape) {
  int64_t elements = 1;
  for (const int64_t dim : shape) elements *= dim;
  if (elements > kMaxKnownElements) return std::nullopt;
  std::vector<int64_t> values(static_cast<size_t>(elements));
  if (fill == "a") {
    const int64_t row = shape.empty() ? 1 : shape.back();
    for (int64_t i = 0; i < elements; ++i) {
      values[static_cast<size_t>(i)] = i % row;
    }
    return values;
  }
  if (fill.size() < 3 || (fill[0] != 'c' && fill[0] != 'v')) {
    return std::nullopt;
  }
  const char* at = fill.c_str() + 2;
  int64_t last = 0;
  for (int64_t& value : values) {
    if (*at != '\0') {
      char* end = nullptr;
      last = static_cast<int64_t>(std::strtod(at, &end));
      at = *end == ',' ? end + 1 : end;
    }
    value = last;
  }
  return values;
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
    if (!IsIntegerOrBool(type) || !json.contains("fills")) continue;
    const auto values = FedValues(json.at("fills").value(name, ""), shape);
    if (values.has_value()) options.values[name] = *values;
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
