#include "planner/onnxruntime_rules.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "planner/order_onnxruntime.h"
#include "tests/planner/graph_builder.h"

namespace memplan {
namespace {

// Graphs of the runtime's own allocation planner tests, as facts list them.
class OnnxRuntimeRulesTest : public ::testing::Test {
 protected:
  ValueIndex Add(const char* name, ValueIndex from,
                 std::vector<std::string> dims, bool may_overwrite = false) {
    const ValueIndex v = g.Op(name, {from}, 1000);
    shape[v] = std::move(dims);
    if (may_overwrite) overwrites[v] = from;
    return v;
  }
  OnnxRuntimeAllocation Allocate() {
    OnnxRuntimeFacts facts;
    facts.values.resize(g.graph().values.size());
    facts.rules.resize(g.graph().nodes.size());
    for (const auto& [v, dims] : shape) {
      facts.values[static_cast<size_t>(v)].element_bytes = 4;
      facts.values[static_cast<size_t>(v)].dims = dims;
    }
    for (size_t n = 0; n < facts.rules.size(); ++n) {
      const ValueIndex v = g.graph().nodes[n].outputs[0];
      if (!overwrites.contains(v)) continue;
      facts.rules[n].push_back(
          {.value = v, .base = overwrites[v], .kind = SharingKind::kInPlace});
    }
    const auto timeline = MakeTimeline(g.graph(), OnnxRuntimeOrder(g.graph()));
    EXPECT_TRUE(timeline.ok());
    return AllocateAsOnnxRuntime(g.graph(), *timeline, facts);
  }

  GraphBuilder g;
  std::map<ValueIndex, std::vector<std::string>> shape;
  std::map<ValueIndex, ValueIndex> overwrites;
};

TEST_F(OnnxRuntimeRulesTest, AChainTakesTheBufferThatDiedLast) {
  const ValueIndex w = g.Constant("w", 1000);
  const ValueIndex x = Add("x", w, {"50", "100"});
  const ValueIndex b = Add("b", x, {"50", "100"});
  const ValueIndex y = Add("y", b, {"50", "100"});
  g.Output(Add("z", y, {"50", "100"}));
  const OnnxRuntimeAllocation a = Allocate();
  EXPECT_EQ(a.storage[static_cast<size_t>(y)].root, x);
  EXPECT_EQ(a.lifespans[static_cast<size_t>(x)], (Lifespan{0, 4}));
  EXPECT_EQ(a.lifespans[static_cast<size_t>(b)], (Lifespan{1, 3}));
}

TEST_F(OnnxRuntimeRulesTest, OverwritesWhereTheSymbolsAreTheSame) {
  const ValueIndex x1 = g.Input("x1", 1000);
  const ValueIndex x2 = Add("x2", x1, {"M", "N"});
  const ValueIndex x3 = Add("x3", x2, {"M", "N"}, true);
  g.Output(Add("x4", x3, {"M", "N"}));
  const OnnxRuntimeAllocation a = Allocate();
  EXPECT_EQ(a.storage[static_cast<size_t>(x3)].root, x2);
  EXPECT_EQ(a.storage[static_cast<size_t>(x3)].sharing, SharingKind::kInPlace);
}

TEST_F(OnnxRuntimeRulesTest, ASizeMismatchFallsBackToTheFreeList) {
  const ValueIndex x1 = g.Input("x1", 1000);
  const ValueIndex x2 = Add("x2", x1, {"M", "N"});
  const ValueIndex x3 = Add("x3", x2, {"M", "K"}, true);
  const ValueIndex x4 = Add("x4", x3, {"M", "N"});
  g.Output(Add("x5", x4, {"M", "N"}, true));
  const OnnxRuntimeAllocation a = Allocate();
  EXPECT_EQ(a.storage[static_cast<size_t>(x3)].root, x3);
  EXPECT_EQ(a.storage[static_cast<size_t>(x4)].root, x2);
  EXPECT_EQ(a.lifespans[static_cast<size_t>(x3)], (Lifespan{1, 3}));
  EXPECT_EQ(a.lifespans[static_cast<size_t>(x2)], (Lifespan{0, 4}));
}

TEST_F(OnnxRuntimeRulesTest, WhatNobodyReadsStaysAndTakesNoBuffer) {
  const ValueIndex x = g.Input("x", 1000);
  const ValueIndex a = Add("a", x, {"8"});
  const ValueIndex b = Add("b", a, {"9"});
  const NodeIndex n = g.Node("n", {b});
  const ValueIndex dead = g.AddOutput(n, "dead", 1000);
  g.Output(g.AddOutput(n, "y", 1000));
  shape[dead] = {"8"};
  const OnnxRuntimeAllocation result = Allocate();
  EXPECT_EQ(result.storage[static_cast<size_t>(dead)].root, dead);
  EXPECT_EQ(result.lifespans[static_cast<size_t>(dead)], (Lifespan{2, 3}));
}

TEST_F(OnnxRuntimeRulesTest, UnknownDimensionsAreLikeNoOther) {
  const ValueIndex x = g.Input("x", 1000);
  const ValueIndex a = Add("a", x, {"", "8"});
  const ValueIndex b = Add("b", a, {"", "8"}, true);
  const ValueIndex c = Add("c", b, {"", "8"});
  g.Output(Add("y", c, {"", "8"}));
  const OnnxRuntimeAllocation result = Allocate();
  for (ValueIndex v : {a, b, c}) {
    EXPECT_EQ(result.storage[static_cast<size_t>(v)].root, v);
  }
}

}  // namespace
}  // namespace memplan
