#include "tests/corpus/compare.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace memplan {
namespace {

using Key = std::pair<std::string, std::string>;  // scope, name

std::map<Key, const Value*> ValuesByName(const Graph& graph) {
  std::map<Key, const Value*> values;
  for (const Value& value : graph.values) {
    values.emplace(Key(value.scope, value.name), &value);
  }
  return values;
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ","), "]");
}

std::string Label(const TrueValue& truth) {
  std::string label = absl::StrCat("'", truth.name, "'");
  if (!truth.scope.empty()) absl::StrAppend(&label, " in ", truth.scope);
  return absl::StrCat(label, " is ", truth.type, ShapeText(truth.shape));
}

bool FitsBound(const Value& value, const TrueValue& truth) {
  if (value.type != truth.type || value.shape->size() != truth.shape.size()) {
    return false;
  }
  for (size_t i = 0; i < truth.shape.size(); ++i) {
    if (truth.shape[i] > (*value.shape)[i]) return false;
  }
  return true;
}

void CompareValue(const TrueValue& truth, const Value* value,
                  Comparison& result) {
  if (value == nullptr) {
    result.missing.push_back(Label(truth) + ": not in the plan");
    return;
  }
  if (!value->shape.has_value() ||
      value->size.has_value() != truth.bytes.has_value()) {
    result.missing.push_back(absl::StrCat(
        Label(truth), ": ", value->unplaced_reason, " (",
        value->unplaced_node.empty() ? "no node" : value->unplaced_node, ")"));
    return;
  }
  if (value->size_is_bound && FitsBound(*value, truth)) {
    ++result.bounded;
    return;
  }
  // What varies between iterations has no one shape that could be right.
  if (value->type == truth.type && *value->shape == truth.shape &&
      value->size == truth.bytes && !truth.varies) {
    ++result.equal;
    return;
  }
  result.different.push_back(
      absl::StrCat(Label(truth), truth.varies ? ", but varies" : "",
                   ": planned as ", value->type, ShapeText(*value->shape),
                   value->size_is_bound ? " at most" : ""));
}

}  // namespace

Comparison CompareWithTruth(const Plan& plan, const TruthRow& row) {
  const std::map<Key, const Value*> values = ValuesByName(plan.graph);
  Comparison result;
  for (const TrueValue& truth : row.values) {
    const auto found = values.find(Key(truth.scope, truth.name));
    CompareValue(truth, found == values.end() ? nullptr : found->second,
                 result);
  }
  return result;
}

}  // namespace memplan
