#include "planner/order_problem.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "planner/checked_math.h"
#include "planner/graph_index.h"
#include "planner/liveness.h"
#include "planner/reads.h"
#include "planner/timeline.h"

namespace memplan {
namespace {

// Saturates: a plan that large is refused by BuildProblem later.
int64_t Rounded(int64_t size, int64_t alignment) {
  constexpr int64_t kLargest = int64_t{1} << 40;
  return std::min(CheckedAlignUp(size, alignment).value_or(kLargest), kLargest);
}

class ProblemMaker {
 public:
  ProblemMaker(const Graph& graph, const StorageOptions& options,
               int64_t alignment)
      : graph_(graph),
        options_(options),
        alignment_(alignment),
        index_(IndexGraph(graph)),
        reads_(ReadsByNode(graph, index_)),
        group_of_(graph.values.size()),
        is_pinned_(graph.values.size()),
        position_(graph.nodes.size()),
        problems_(graph.bodies.size()) {}

  std::vector<OrderProblem> Run() {
    UniteViews();
    Pin();
    AddSteps();
    AddGroups();
    AddReads();
    AddInPlace();
    return std::move(problems_);
  }

 private:
  static size_t Index(int32_t i) { return static_cast<size_t>(i); }

  void UniteViews() {
    StorageOptions views = options_;
    views.in_place = std::min(options_.in_place, InPlaceMode::kViews);
    const auto timeline = MakeTimeline(graph_, FileOrder(graph_));
    if (!timeline.ok()) return;
    storage_ = AssignStorage(graph_, *timeline,
                             ComputeLifespans(graph_, *timeline), views);
  }

  // What nobody may overwrite, by root: see storage.cc.
  void Pin() {
    const auto pin = [&](ValueIndex v) {
      is_pinned_[Index(storage_[Index(v)].root)] = true;
    };
    for (const Body& body : graph_.bodies) {
      for (ValueIndex v : body.inputs) pin(v);
      for (ValueIndex v : body.outputs) pin(v);
    }
    for (size_t v = 0; v < graph_.values.size(); ++v) {
      const Value& value = graph_.values[v];
      if (value.kind != ValueKind::kIntermediate || value.is_graph_input ||
          value.is_graph_output) {
        pin(static_cast<ValueIndex>(v));
      }
    }
  }

  void AddSteps() {
    const auto before = Predecessors(graph_, index_, KeptOrder::kAmongKeepers);
    for (size_t b = 0; b < graph_.bodies.size(); ++b) {
      std::vector<OrderProblem::Step>& steps = problems_[b].steps;
      const std::vector<NodeIndex>& nodes = graph_.bodies[b].nodes;
      steps.resize(nodes.size());
      for (size_t i = 0; i < nodes.size(); ++i) {
        position_[Index(nodes[i])] = static_cast<int32_t>(i);
        steps[i].node = nodes[i];
        steps[i].before = before[b][i];
        for (int32_t earlier : before[b][i]) {
          steps[Index(earlier)].after.push_back(static_cast<int32_t>(i));
        }
      }
    }
  }

  // A group in the body where its root stands.
  void AddGroups() {
    for (size_t v = 0; v < graph_.values.size(); ++v) {
      const ValueIndex root = static_cast<ValueIndex>(v);
      if (!storage_[v].placed || storage_[v].root != root) continue;
      const int64_t size = Rounded(*graph_.values[v].size, alignment_);
      if (size == 0) continue;
      OrderProblem& problem = problems_[Index(index_.home[v])];
      group_of_[v] = static_cast<int32_t>(problem.groups.size());
      OrderProblem::Group& group = problem.groups.emplace_back();
      group.size = size;
      if (const auto producer = index_.producer[v]) {
        problem.steps[Index(position_[Index(*producer)])].writes.push_back(
            *group_of_[v]);
      } else {
        problem.live_at_start += size;
        group.stays = graph_.bodies[Index(index_.home[v])].repeats;
      }
    }
    for (size_t b = 0; b < graph_.bodies.size(); ++b) {
      for (ValueIndex v : graph_.bodies[b].outputs) {
        if (index_.home[Index(v)] != static_cast<BodyIndex>(b)) continue;
        const ValueIndex root = storage_[Index(v)].root;
        const std::optional<int32_t> group = GroupIn(root, b);
        if (group) problems_[b].groups[Index(*group)].stays = true;
      }
    }
  }

  std::optional<int32_t> GroupIn(ValueIndex root, size_t body) const {
    if (Index(index_.home[Index(root)]) != body) return std::nullopt;
    return group_of_[Index(root)];
  }

  void AddReads() {
    for (size_t b = 0; b < graph_.bodies.size(); ++b) {
      OrderProblem& problem = problems_[b];
      for (size_t i = 0; i < problem.steps.size(); ++i) {
        std::vector<int32_t>& reads = problem.steps[i].reads;
        for (ValueIndex v : reads_[Index(problem.steps[i].node)]) {
          const auto group = GroupIn(storage_[Index(v)].root, b);
          if (group) reads.push_back(*group);
        }
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        for (int32_t group : reads) {
          problem.groups[Index(group)].readers.push_back(
              static_cast<int32_t>(i));
        }
      }
    }
  }

  void AddInPlace() {
    if (options_.in_place < InPlaceMode::kSafe) return;
    for (size_t b = 0; b < graph_.bodies.size(); ++b) {
      for (OrderProblem::Step& step : problems_[b].steps) {
        for (const ShareRule& rule :
             graph_.nodes[Index(step.node)].share_rules) {
          if (!MayOverwrite(step.node, rule)) continue;
          const auto write = GroupIn(rule.value, b);
          const auto read = GroupIn(storage_[Index(rule.base)].root, b);
          if (write && read) step.in_place.push_back({*write, *read});
        }
      }
    }
  }

  // The rules of storage.cc but for the one that depends on the order.
  bool MayOverwrite(NodeIndex n, const ShareRule& rule) const {
    const Node& node = graph_.nodes[Index(n)];
    const Value& value = graph_.values[Index(rule.value)];
    const Value& base = graph_.values[Index(rule.base)];
    const ValueIndex root = storage_[Index(rule.base)].root;
    if (rule.kind != SharingKind::kInPlace || !node.bodies.empty() ||
        value.is_graph_output ||
        storage_[Index(rule.value)].root != rule.value ||
        value.size != base.size || value.element_bits != base.element_bits ||
        is_pinned_[Index(root)]) {
      return false;
    }
    const auto is_there = [&](ValueIndex v) {
      return storage_[Index(v)].root == root;
    };
    for (ValueIndex v : node.inputs) {
      if (v != rule.base && is_there(v)) return false;
    }
    return std::none_of(node.outputs.begin(), node.outputs.end(), is_there);
  }

  const Graph& graph_;
  const StorageOptions& options_;
  const int64_t alignment_;
  const GraphIndex index_;
  const std::vector<std::vector<ValueIndex>> reads_;  // by node
  std::vector<ValueStorage> storage_;                 // views only
  std::vector<std::optional<int32_t>> group_of_;      // by root value
  std::vector<bool> is_pinned_;                       // by root value
  std::vector<int32_t> position_;                     // by node, in its body
  std::vector<OrderProblem> problems_;                // by body
};

}  // namespace

OrderTrace TraceOrder(const OrderProblem& problem,
                      const std::vector<int32_t>& order) {
  std::vector<size_t> unread(problem.groups.size());
  for (size_t g = 0; g < unread.size(); ++g) {
    unread[g] = problem.groups[g].readers.size();
  }
  OrderTrace trace;
  int64_t live = problem.live_at_start;
  trace.peak = live;
  std::vector<int32_t> taken;  // groups that this step writes in place, and on
  const auto is_taken = [&](int32_t g) {
    return std::find(taken.begin(), taken.end(), g) != taken.end();
  };
  for (int32_t s : order) {
    const OrderProblem::Step& step = problem.steps[static_cast<size_t>(s)];
    int64_t during = live + step.inside;
    for (int32_t g : step.writes) {
      const OrderProblem::Group& group = problem.groups[static_cast<size_t>(g)];
      during += group.size;
      if (group.stays || !group.readers.empty()) live += group.size;
    }
    for (int32_t g : step.reads) {
      const OrderProblem::Group& group = problem.groups[static_cast<size_t>(g)];
      if (--unread[static_cast<size_t>(g)] == 0 && !group.stays) {
        live -= group.size;
      }
    }
    taken.clear();
    for (const OrderProblem::InPlace& pair : step.in_place) {
      const size_t read = static_cast<size_t>(pair.read);
      if (unread[read] != 0 || problem.groups[read].stays ||
          is_taken(pair.read) || is_taken(pair.write)) {
        continue;
      }
      taken.insert(taken.end(), {pair.read, pair.write});
      during -= problem.groups[read].size;
    }
    trace.during.push_back(during);
    trace.after.push_back(live);
    trace.peak = std::max(trace.peak, during);
  }
  return trace;
}

std::vector<OrderProblem> MakeOrderProblems(const Graph& graph,
                                            const StorageOptions& storage,
                                            int64_t alignment) {
  return ProblemMaker(graph, storage, alignment).Run();
}

}  // namespace memplan
