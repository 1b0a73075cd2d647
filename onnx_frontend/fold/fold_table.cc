#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "onnx_frontend/fold/families.h"
#include "onnx_frontend/rule_table.h"

namespace memplan {
namespace {

using FamilyFunction = absl::Span<const EvaluatorRow> (*)();

constexpr FamilyFunction kFamilies[] = {
    ArithmeticEvaluators, CastEvaluators,  GatherEvaluators, LogicEvaluators,
    MakeEvaluators,       MoveEvaluators,  ReduceEvaluators, ScatterEvaluators,
    SearchEvaluators,     ShapeEvaluators,
};

using OperatorKey = std::pair<std::string_view, std::string_view>;
using EvaluatorIndex = absl::flat_hash_map<OperatorKey, Evaluator>;

EvaluatorIndex IndexEvaluators() {
  EvaluatorIndex index;
  for (const FamilyFunction family : kFamilies) {
    for (const EvaluatorRow& row : family()) {
      index[{row.domain, row.op}] = row.evaluate;
    }
  }
  return index;
}

}  // namespace

Evaluator FindEvaluator(std::string_view domain, std::string_view op) {
  static const EvaluatorIndex& index = *new EvaluatorIndex(IndexEvaluators());
  const auto found = index.find({domain, op});
  return found == index.end() ? nullptr : found->second;
}

}  // namespace memplan
