#include "tools/plan_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "planner/labels.h"
#include "planner/numbers_text.h"
#include "planner/printable.h"
#include "planner/report.h"

namespace memplan {
namespace {

constexpr size_t kMaxReasonsListed = 8;

std::string FileName(const std::string& path) {
  if (path == "-") return "standard input";
  return path.substr(path.rfind('/') + 1);
}

std::string Heading(const std::string& model_path, const Plan& plan) {
  std::string text = absl::StrCat(
      Printable(FileName(model_path)), ": ",
      Counted(static_cast<int64_t>(plan.graph.nodes.size()), "node"), ", ",
      Counted(static_cast<int64_t>(plan.pattern.tensors.size()), "tensor"),
      " in the arena");
  const char* separator = " (";
  for (const auto& [name, size] : plan.pattern.dims) {
    absl::StrAppend(&text, separator, Printable(name), "=", size);
    separator = ", ";
  }
  if (!plan.pattern.dims.empty()) text += ")";
  return text + "\n\n";
}

void AddRow(std::string& text, const char* label, int64_t bytes,
            const std::string& remark) {
  absl::StrAppendFormat(&text, "  %-16s %10s %20s   %s\n", label,
                        HumanBytes(bytes), Grouped(bytes) + " bytes", remark);
}

bool IsComplete(const Plan& plan) {
  return std::all_of(plan.graph.values.begin(), plan.graph.values.end(),
                     [](const Value& value) { return value.size.has_value(); });
}

std::string ProofRemark(const Plan& plan) {
  const MemoryPattern& pattern = plan.pattern;
  if (pattern.optimal && !IsComplete(plan)) {
    return "optimal for what has a size: proved";
  }
  if (pattern.optimal) return "optimal: proved, no arena is smaller";
  const int64_t gap = pattern.arena_size - pattern.lower_bound;
  return absl::StrFormat(
      "not proved optimal: at most %s bytes (%.2f%%) too large%s", Grouped(gap),
      100.0 * static_cast<double>(gap) /
          static_cast<double>(std::max<int64_t>(pattern.lower_bound, 1)),
      plan.solved.stopped_by_time ? "; stopped by time" : "");
}

// The arena that a simple solver needs for the same problem; unset where there
// is no solver of that name.
std::optional<int64_t> ArenaOf(std::string_view name, const Problem& problem) {
  for (const Solver& solver : Solvers()) {
    if (solver.name == name) return solver.solve(problem, nullptr).arena_size;
  }
  return std::nullopt;
}

std::string Comparison(int64_t other, int64_t arena) {
  if (arena == 0 || other == arena) return "the same";
  return Times(other, arena) + " times the arena";
}

// The innermost node that runs at this step.
std::string NodeAt(const Plan& plan, int64_t step) {
  std::optional<NodeIndex> innermost;
  int64_t shortest = 0;
  for (size_t i = 0; i < plan.graph.nodes.size(); ++i) {
    const Lifespan& steps = plan.timeline.node_steps[i];
    if (step < steps.begin || step >= steps.end) continue;
    if (!innermost.has_value() || steps.end - steps.begin < shortest) {
      innermost = static_cast<NodeIndex>(i);
      shortest = steps.end - steps.begin;
    }
  }
  return innermost.has_value() ? NodeLabel(plan.graph, *innermost) : "no node";
}

std::string Totals(const Plan& plan) {
  const MemoryPattern& pattern = plan.pattern;
  const int64_t step = PeakOf(StoragesOf(pattern)).step;
  std::string text;
  AddRow(text, "arena", pattern.arena_size, ProofRemark(plan));
  AddRow(text, "max live bytes", pattern.max_live_bytes,
         absl::StrCat("at step ", step, " of ", pattern.num_steps, ", ",
                      NodeAt(plan, step)));
  if (pattern.lower_bound > pattern.max_live_bytes) {
    AddRow(text, "lower bound", pattern.lower_bound, "proved");
  }
  if (plan.order.has_value()) {
    AddRow(text, "in file order", plan.order->file_max_live_bytes,
           absl::StrCat("max live bytes; this order ",
                        plan.order->proved_minimal
                            ? "is proved to need the fewest"
                            : "is not proved to need the fewest"));
  }
  const Problem& problem = plan.placement.problem;
  const auto none = ArenaOf("none", problem);
  if (none.has_value()) {
    AddRow(text, "without reuse", *none, Comparison(*none, pattern.arena_size));
  }
  const auto replay = ArenaOf("replay", problem);
  if (replay.has_value()) {
    AddRow(text, "online best fit", *replay,
           Comparison(*replay, pattern.arena_size) +
               ", as ONNX Runtime places them");
  }
  return text;
}

// What has no place, by reason: one line each, the commonest first.
std::string Unplaced(const Plan& plan) {
  struct Group {
    std::string reason;
    const Value* first = nullptr;
    int64_t count = 0;
  };
  std::map<std::string, size_t> index;
  std::vector<Group> groups;
  int64_t total = 0;
  for (const Value& value : plan.graph.values) {
    if (value.size.has_value()) continue;
    ++total;
    const auto [row, is_new] = index.emplace(
        value.unplaced_reason + "\n" + value.unplaced_node, groups.size());
    if (is_new) groups.push_back({value.unplaced_reason, &value, 0});
    ++groups[row->second].count;
  }
  if (total == 0) return "";
  std::stable_sort(
      groups.begin(), groups.end(),
      [](const Group& a, const Group& b) { return a.count > b.count; });
  std::string text =
      absl::StrCat("\nWithout a place: ", Counted(total, "tensor"), "\n");
  for (size_t i = 0; i < std::min(groups.size(), kMaxReasonsListed); ++i) {
    const Group& group = groups[i];
    absl::StrAppend(&text, "  '", Printable(group.first->name), "'");
    if (group.count > 1) {
      absl::StrAppend(&text, " and ", Counted(group.count - 1, "other"));
    }
    absl::StrAppend(&text, ": ", Printable(group.reason));
    if (!group.first->unplaced_node.empty()) {
      absl::StrAppend(&text, " (", Printable(group.first->unplaced_node), ")");
    }
    text += "\n";
  }
  if (groups.size() > kMaxReasonsListed) {
    absl::StrAppend(&text, "  and ", groups.size() - kMaxReasonsListed,
                    " more reasons; --json lists every tensor\n");
  }
  return text;
}

}  // namespace

std::string PlanText(const std::string& model_path, const Plan& plan) {
  std::string text = Heading(model_path, plan);
  if (!plan.pattern.tensors.empty()) {
    absl::StrAppend(&text, Totals(plan), "\n", LiveAtPeak(plan.pattern));
  }
  return text + Unplaced(plan);
}

}  // namespace memplan
