#include "tools/value_rows.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "planner/make_pattern.h"
#include "planner/sharing_roots.h"

namespace memplan {
namespace {

using Key = std::pair<std::string, std::string>;  // scope, name

void TakePlace(const PatternTensor& tensor, const PatternTensor& root,
               ValueRow& row) {
  row.offset = tensor.offset;
  row.lifespan = tensor.lifespan;
  row.sharing = tensor.sharing;
  if (tensor.sharing == SharingKind::kNone) return;
  row.shares_with = root.name;
  row.shares_with_scope = root.scope;
}

}  // namespace

std::vector<ValueRow> RowsOf(const Plan& plan) {
  std::vector<ValueRow> rows;
  rows.reserve(plan.graph.values.size());
  for (size_t i = 0; i < plan.graph.values.size(); ++i) {
    const ValueStorage& storage = plan.storage[i];
    ValueRow row;
    row.value = &plan.graph.values[i];
    row.offset =
        OffsetOf(plan.storage, plan.root_offsets, static_cast<ValueIndex>(i));
    row.lifespan = plan.lifespans[i];
    row.sharing = storage.sharing;
    if (storage.sharing != SharingKind::kNone) {
      const Value& root = plan.graph.values[static_cast<size_t>(storage.root)];
      row.shares_with = root.name;
      row.shares_with_scope = root.scope;
    }
    row.why_not = storage.why_not;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ValueRow> RowsOf(const Plan& plan, const MemoryPattern& pattern) {
  std::map<Key, size_t> tensors;
  for (size_t i = 0; i < pattern.tensors.size(); ++i) {
    const PatternTensor& tensor = pattern.tensors[i];
    tensors.emplace(Key(tensor.scope, tensor.name), i);
  }
  const std::vector<int32_t> roots = SharingRoots(pattern);
  std::vector<ValueRow> rows = RowsOf(plan);
  for (ValueRow& row : rows) {
    const bool was_placed = row.offset.has_value();
    row.offset.reset();
    const auto found = tensors.find(Key(row.value->scope, row.value->name));
    if (found != tensors.end()) {
      const auto root = static_cast<size_t>(roots[found->second]);
      TakePlace(pattern.tensors[found->second], pattern.tensors[root], row);
    } else if (was_placed) {
      row.sharing = SharingKind::kNone;
      row.shares_with.clear();
      row.shares_with_scope.clear();
    }
  }
  return rows;
}

}  // namespace memplan
