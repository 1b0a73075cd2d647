#include "tools/json_report.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/value_names.h"

namespace memplan {
namespace {

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json ValueToJson(const ValueRow& row) {
  const Value& value = *row.value;
  Json json;
  json["name"] = value.name;
  json["scope"] = value.scope;
  json["kind"] = KindName(value.kind);
  json["type"] = value.type;
  json["shape"] = *value.shape;
  json["size"] = nullptr;
  if (value.size.has_value()) json["size"] = *value.size;
  if (value.size_is_bound) json["bound"] = true;
  if (row.offset.has_value()) json["offset"] = *row.offset;
  json["begin"] = row.lifespan.begin;
  json["end"] = row.lifespan.end;
  json["shares_with"] = nullptr;
  if (row.sharing != SharingKind::kNone) {
    json["shares_with"] = row.shares_with;
    if (row.shares_with_scope != value.scope) {
      json["shares_with_scope"] = row.shares_with_scope;
    }
  }
  json["sharing"] = SharingName(row.sharing);
  if (!row.why_not.empty()) json["why_not"] = row.why_not;
  return json;
}

Json UnplacedToJson(const Value& value) {
  Json json;
  json["name"] = value.name;
  json["scope"] = value.scope;
  json["kind"] = KindName(value.kind);
  json["type"] = value.type;
  json["reason"] = value.unplaced_reason;
  json["node"] = value.unplaced_node;
  return json;
}

}  // namespace

Json PatternToJson(const MemoryPattern& pattern,
                   const std::vector<ValueRow>& rows) {
  Json json;
  json["schema_version"] = kJsonSchemaVersion;
  json["arena_size"] = pattern.arena_size;
  json["max_live_bytes"] = pattern.max_live_bytes;
  json["lower_bound"] = pattern.lower_bound;
  json["optimal"] = pattern.optimal;
  json["alignment"] = pattern.alignment;
  json["solver"] = pattern.solver;
  json["steps"] = pattern.num_steps;
  json["inputs"] = Json::object();
  for (const PatternInput& input : pattern.inputs) {
    json["inputs"][input.name] = input.shape;
  }
  json["dims"] = Json::object();
  for (const auto& [name, size] : pattern.dims) json["dims"][name] = size;
  Json values = Json::array();
  Json unplaced = Json::array();
  for (const ValueRow& row : rows) {
    if (row.value->shape.has_value()) values.push_back(ValueToJson(row));
    if (!row.value->size.has_value()) {
      unplaced.push_back(UnplacedToJson(*row.value));
    }
  }
  json["values"] = std::move(values);
  json["unplaced"] = std::move(unplaced);
  return json;
}

Json PlanToJson(const Plan& plan) {
  Json json = PatternToJson(plan.pattern, RowsOf(plan));
  json["feasible"] = nullptr;
  if (plan.solved.feasible.has_value()) {
    json["feasible"] = *plan.solved.feasible;
  }
  json["search_nodes"] = plan.solved.search_nodes;
  json["machine_dependent"] = plan.solved.stopped_by_time;
  if (plan.order.has_value()) {
    json["order"] = {
        {"max_live_bytes", plan.order->max_live_bytes},
        {"file_max_live_bytes", plan.order->file_max_live_bytes},
        {"proved_minimal", plan.order->proved_minimal},
    };
  }
  json["warnings"] = plan.warnings;
  return json;
}

std::string JsonText(const Json& object) {
  std::string text = "{";
  const char* before_key = "\n";
  for (const auto& [key, value] : object.items()) {
    absl::StrAppend(&text, before_key, " ", Dump(key), ": ");
    before_key = ",\n";
    if (!value.is_array() || value.empty() || !value.front().is_object()) {
      text += Dump(value);
      continue;
    }
    const char* before_element = "[\n";
    for (const Json& element : value) {
      absl::StrAppend(&text, before_element, "  ", Dump(element));
      before_element = ",\n";
    }
    text += "\n ]";
  }
  text += "\n}\n";
  return text;
}

}  // namespace memplan
