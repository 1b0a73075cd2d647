#include "tests/planner/random_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "planner/graph_index.h"
#include "planner/liveness.h"
#include "planner/storage.h"
#include "planner/verify.h"

namespace memplan {
namespace {

// The definition of a lifespan, word for word and slow.
Lifespan LifespanByDefinition(const Graph& graph, const Timeline& timeline,
                              ValueIndex v) {
  const GraphIndex index = IndexGraph(graph);
  const BodyIndex home = index.home[static_cast<size_t>(v)];
  Lifespan span;
  if (const auto producer = index.producer[static_cast<size_t>(v)]) {
    span = timeline.node_steps[static_cast<size_t>(*producer)];
  }
  const auto extend = [&](int64_t end) { span.end = std::max(span.end, end); };
  const auto read_by = [&](NodeIndex n) {
    while (index.body_of[static_cast<size_t>(n)] != home) {
      n = *index.owner[static_cast<size_t>(
          index.body_of[static_cast<size_t>(n)])];
    }
    extend(timeline.node_steps[static_cast<size_t>(n)].end);
  };
  for (size_t b = 0; b < graph.bodies.size(); ++b) {
    const Body& body = graph.bodies[b];
    const Lifespan steps = timeline.body_steps[b];
    if (std::count(body.inputs.begin(), body.inputs.end(), v)) {
      span.begin = steps.begin;
      extend(steps.begin + 1);
      if (body.repeats) extend(steps.end);
    }
    if (std::count(body.outputs.begin(), body.outputs.end(), v)) {
      if (b == 0 || static_cast<BodyIndex>(b) == home) {
        extend(steps.end);
      } else {
        read_by(*index.owner[b]);
      }
    }
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const std::vector<ValueIndex>& inputs = graph.nodes[n].inputs;
    if (std::count(inputs.begin(), inputs.end(), v)) {
      read_by(static_cast<NodeIndex>(n));
    }
  }
  return span;
}

// First fit in the order of the buffers, the slow and certain way.
Solution FirstFit(const Problem& problem) {
  Solution solution;
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer& buffer = problem.buffers[b];
    int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t other = 0; other < b; ++other) {
        const Buffer& placed = problem.buffers[other];
        const int64_t end = solution.offsets[other] + placed.size;
        if (buffer.size == 0 || placed.size == 0 ||
            !Overlaps(buffer.lifespan, placed.lifespan) || offset >= end ||
            offset + buffer.size <= solution.offsets[other]) {
          continue;
        }
        offset = end;
        moved = true;
      }
    }
    solution.offsets.push_back(offset);
    solution.arena_size = std::max(solution.arena_size, offset + buffer.size);
  }
  return solution;
}

struct RandomPlan {
  Graph graph;
  Schedule schedule;
  Timeline timeline;
  std::vector<Lifespan> lifespans;
  std::vector<ValueStorage> storage;

  // Places by `lifespans`, which may be wrong, and runs both checks.
  absl::Status Replay() const {
    const auto placement = BuildProblem(graph, storage, lifespans, 4);
    if (!placement.ok()) return placement.status();
    const Solution solution = FirstFit(placement->problem);
    const absl::Status verified = VerifySolution(placement->problem, solution);
    EXPECT_TRUE(verified.ok()) << verified;
    std::vector<std::optional<int64_t>> offsets(graph.values.size());
    for (size_t b = 0; b < placement->buffer_roots.size(); ++b) {
      offsets[static_cast<size_t>(placement->buffer_roots[b])] =
          solution.offsets[b];
    }
    return ReplayPlan(graph, schedule, storage, offsets);
  }
};

RandomPlan PlanOf(uint32_t seed, StorageOptions options, int nodes = 25) {
  RandomPlan plan;
  plan.graph = RandomGraph(seed, {.nodes = nodes}).Make();
  const absl::Status checked = CheckGraph(plan.graph);
  EXPECT_TRUE(checked.ok()) << checked;
  plan.schedule = FileOrder(plan.graph);
  plan.timeline = *MakeTimeline(plan.graph, plan.schedule);
  plan.lifespans = ComputeLifespans(plan.graph, plan.timeline);
  plan.storage =
      AssignStorage(plan.graph, plan.timeline, plan.lifespans, options);
  return plan;
}

TEST(RandomGraphTest, LifespansFollowTheirDefinition) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const RandomPlan plan = PlanOf(seed, {});
    for (size_t v = 0; v < plan.graph.values.size(); ++v) {
      ASSERT_EQ(plan.lifespans[v],
                LifespanByDefinition(plan.graph, plan.timeline,
                                     static_cast<ValueIndex>(v)))
          << "seed " << seed << ", value " << v;
    }
  }
}

TEST(RandomGraphTest, PlansInEveryModePassTheReplay) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    for (const InPlaceMode mode :
         {InPlaceMode::kOff, InPlaceMode::kViews, InPlaceMode::kSafe,
          InPlaceMode::kAggressive}) {
      StorageOptions options;
      options.in_place = mode;
      options.place_inputs = seed % 2 == 0;
      options.place_outputs = seed % 3 == 0;
      options.alignment = 4;
      const absl::Status status = PlanOf(seed, options).Replay();
      ASSERT_TRUE(status.ok()) << "seed " << seed << ": " << status;
    }
  }
}

// Cuts one lifespan by its last step. First fit may then give its bytes away,
// and who reads them finds another's mark. Not each cut does harm: the bytes
// may stay as they were. But none may pass where bytes are lost, and enough
// must be lost for this test to mean something.
TEST(RandomGraphTest, TheReplayFindsLifespansThatEndTooEarly) {
  int found = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    RandomPlan plan = PlanOf(seed, {});
    for (size_t v = 0; v < plan.graph.values.size(); ++v) {
      Lifespan& span = plan.lifespans[v];
      if (!plan.storage[v].placed || span.end - span.begin < 2) continue;
      --span.end;
      if (!plan.Replay().ok()) ++found;
      ++span.end;
    }
  }
  EXPECT_GT(found, 100);
}

// Takes sharing that the rules refuse: the replay knows no rules, but sees what
// is read afterwards. Not each refusal avoids harm: what a branch of an If
// captures is kept to the end of the If, though nobody may read it again.
TEST(RandomGraphTest, TheReplayFindsSharingThatDoesHarm) {
  int refused = 0;
  int found = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    RandomPlan plan = PlanOf(seed, {});
    for (const Node& node : plan.graph.nodes) {
      for (const ShareRule& rule : node.share_rules) {
        const size_t v = static_cast<size_t>(rule.value);
        const size_t base = static_cast<size_t>(rule.base);
        const bool is_refused =
            rule.kind == SharingKind::kInPlace &&
            plan.storage[v].why_not.find("read later") != std::string::npos;
        if (!is_refused || plan.graph.values[v].size.value_or(0) == 0) continue;
        ++refused;
        RandomPlan broken = plan;
        const ValueIndex old_root = static_cast<ValueIndex>(v);
        for (ValueStorage& s : broken.storage) {
          if (s.root != old_root) continue;
          s.root = plan.storage[base].root;
          s.placed = plan.storage[base].placed;
        }
        broken.storage[v].sharing = SharingKind::kInPlace;
        broken.storage[v].shares_with = rule.base;
        if (!broken.Replay().ok()) ++found;
      }
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(found, refused * 8 / 10);
}

}  // namespace
}  // namespace memplan
