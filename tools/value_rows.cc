#include "tools/value_rows.h"

#include <cstddef>
#include <map>
#include <utility>

#include "planner/make_pattern.h"

namespace memplan {
namespace {

using Key = std::pair<std::string, std::string>;  // scope, name

// The tensor at the end of the chain of sharing; a damaged pattern's circle
// ends after as many steps as there are tensors.
const PatternTensor& RootOf(const MemoryPattern& pattern,
                            const PatternTensor& tensor) {
  const PatternTensor* root = &tensor;
  for (size_t i = 0; i < pattern.tensors.size(); ++i) {
    if (!root->shares_with.has_value()) break;
    root = &pattern.tensors[static_cast<size_t>(*root->shares_with)];
  }
  return *root;
}

void TakePlace(const MemoryPattern& pattern, const PatternTensor& tensor,
               ValueRow& row) {
  row.offset = tensor.offset;
  row.lifespan = tensor.lifespan;
  row.sharing = tensor.sharing;
  if (tensor.sharing == SharingKind::kNone) return;
  const PatternTensor& root = RootOf(pattern, tensor);
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
  std::map<Key, const PatternTensor*> tensors;
  for (const PatternTensor& tensor : pattern.tensors) {
    tensors.emplace(Key(tensor.scope, tensor.name), &tensor);
  }
  std::vector<ValueRow> rows = RowsOf(plan);
  for (ValueRow& row : rows) {
    const bool was_placed = row.offset.has_value();
    row.offset.reset();
    const auto found = tensors.find(Key(row.value->scope, row.value->name));
    if (found != tensors.end()) {
      TakePlace(pattern, *found->second, row);
    } else if (was_placed) {
      row.sharing = SharingKind::kNone;
      row.shares_with.clear();
      row.shares_with_scope.clear();
    }
  }
  return rows;
}

}  // namespace memplan
