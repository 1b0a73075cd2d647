// Each rule of docs/design.md, section 4, that decides who needs which bytes
// when: broken on purpose, the run in the arena gives something else. In each
// test the plan as it is runs well, and the broken one does not.

#include <algorithm>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/reference/compare.h"

namespace memplan::reference {
namespace {

// A model with its plan, and ways to spoil it.
class Subject {
 public:
  explicit Subject(const std::string& graph, const PlanOptions& options = {}) {
    const std::string text =
        "<ir_version: 8, opset_import: [\"\" : 17]>\n" + graph;
    const auto model = ReadModelFromBytes(text, "subject.onnxtxt");
    EXPECT_TRUE(model.ok()) << model.status();
    auto reference = RunWithoutReuse(*model, {}, 1);
    EXPECT_TRUE(reference.ok()) << reference.status();
    reference_ = *std::move(reference);
    auto plan = PlanModel(*model, options);
    EXPECT_TRUE(plan.ok()) << plan.status();
    plan_ = *std::move(plan);
    layout_ = LayoutOf(plan_);
    const absl::Status good = Compare(reference_, layout_);
    EXPECT_TRUE(good.ok()) << good;
  }

  ValueIndex Find(const std::string& name) const {
    for (size_t v = 0; v < plan_.graph.values.size(); ++v) {
      if (plan_.graph.values[v].name == name) {
        return static_cast<ValueIndex>(v);
      }
    }
    ADD_FAILURE() << "no value '" << name << "'";
    return 0;
  }
  Block& BlockOf(const std::string& name) {
    const ValueIndex v = Find(name);
    const ValueIndex root = layout_.places[static_cast<size_t>(v)].root;
    for (Block& block : layout_.blocks) {
      if (block.root == root) return block;
    }
    ADD_FAILURE() << "'" << name << "' has no block";
    return layout_.blocks.front();
  }
  // The step of the node that produces it.
  int64_t StepOf(const std::string& name) const {
    const ValueIndex v = Find(name);
    for (size_t n = 0; n < plan_.graph.nodes.size(); ++n) {
      for (const ValueIndex output : plan_.graph.nodes[n].outputs) {
        if (output == v) return plan_.timeline.node_steps[n].begin;
      }
    }
    ADD_FAILURE() << "nobody produces '" << name << "'";
    return 0;
  }

  // The bytes are needed up to the step that produces `name`, no longer.
  void EndAfter(const std::string& value, const std::string& name) {
    EXPECT_GT(BlockOf(value).lifespan.end, StepOf(name) + 1);
    BlockOf(value).lifespan.end = StepOf(name) + 1;
  }
  // The bytes are needed one step later than now.
  void BeginLater(const std::string& value) { ++BlockOf(value).lifespan.begin; }
  // They are needed from the last step of the node that produces it.
  void BeginAtEnd(const std::string& value) {
    const ValueIndex v = Find(value);
    for (size_t n = 0; n < plan_.graph.nodes.size(); ++n) {
      for (const ValueIndex output : plan_.graph.nodes[n].outputs) {
        if (output != v) continue;
        BlockOf(value).lifespan.begin = plan_.timeline.node_steps[n].end - 1;
      }
    }
  }
  // Two blocks at one place.
  void Collide(const std::string& value, const std::string& other) {
    Block& moved = BlockOf(value);
    moved.offset = BlockOf(other).offset;
    layout_.offset_of_root[static_cast<size_t>(moved.root)] = moved.offset;
    EXPECT_LE(moved.offset + moved.size, layout_.arena_size);
  }
  // The value has no block any more: it lies in the bytes of `base`.
  void LayUpon(const std::string& value, const std::string& base) {
    const auto v = static_cast<size_t>(Find(value));
    const Lifespan lifespan = layout_.places[v].root == Find(value) &&
                                      layout_.offset_of_root[v].has_value()
                                  ? BlockOf(value).lifespan
                                  : plan_.lifespans[v];
    std::erase_if(layout_.blocks,
                  [&](const Block& b) { return b.root == Find(value); });
    layout_.offset_of_root[v].reset();
    layout_.places[v] = layout_.places[static_cast<size_t>(Find(base))];
    const auto root = static_cast<size_t>(layout_.places[v].root);
    if (!layout_.offset_of_root[root].has_value()) return;
    Block& block = BlockOf(base);
    block.lifespan.begin = std::min(block.lifespan.begin, lifespan.begin);
    block.lifespan.end = std::max(block.lifespan.end, lifespan.end);
    // Big enough for both, at the arena's end, where nobody else is.
    block.offset = layout_.arena_size;
    block.size = 1024;
    layout_.offset_of_root[root] = block.offset;
    layout_.arena_size += block.size;
  }

  Layout& layout() { return layout_; }
  const Plan& plan() const { return plan_; }

  void ExpectCaught() {
    EXPECT_EQ(Compare(reference_, layout_).code(), absl::StatusCode::kDataLoss);
  }

 private:
  Reference reference_;
  Plan plan_;
  Layout layout_;
};

constexpr char kChain[] = R"(
g (float[4, 4] x) => (float[4, 4] y) {
  a = MatMul(x, x)
  b = Transpose <perm = [1, 0]> (a)
  c = MatMul(b, a)
  y = MatMul(c, x)
})";

TEST(BrokenRulesTest, AValueLivesFromTheStepThatProducesIt) {
  Subject subject(kChain);
  subject.BeginLater("b");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, AValueLivesToItsLastReader) {
  Subject subject(kChain);
  subject.EndAfter("a", "b");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InputsAndOutputsOfANodeAreLiveTogether) {
  Subject subject(kChain);
  subject.Collide("b", "a");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, AReadOfAViewIsARead) {
  Subject subject(R"(
g (float[4, 4] x) => (float[1, 16] y) <int64[2] row = {1, 16}> {
  a = MatMul(x, x)
  view = Reshape(a, row)
  b = MatMul(x, x)
  y = Add(view, view)
})");
  subject.EndAfter("a", "view");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, AnOutputThatNobodyReadsNeedsBytesAtItsStep) {
  Subject subject(R"(
g (float[4, 4] x) => (float[2, 4] y) <int64[2] halves = {2, 2}> {
  a = MatMul(x, x)
  used, unused = Split <axis = 0> (a, halves)
  y = Add(used, used)
})");
  subject.Collide("unused", "used");
  subject.ExpectCaught();
}

PlanOptions OutputsInTheArena() {
  PlanOptions options;
  options.storage.place_outputs = true;
  return options;
}

TEST(BrokenRulesTest, AGraphOutputLivesToTheEnd) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y, float[4, 4] z) {
  y = MatMul(x, x)
  a = MatMul(y, x)
  z = MatMul(a, x)
})",
                  OutputsInTheArena());
  subject.EndAfter("y", "a");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, AGraphOutputSharesWithNothingBeforeIt) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y) {
  a = MatMul(x, x)
  y = Identity(a)
})");
  subject.LayUpon("y", "a");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, SizesOfInt4AreRoundedUp) {
  Subject subject(R"(
g (float[5, 7] x) => (float[5, 7] y) {
  narrow = Cast <to = 22> (x)
  other = Cast <to = 22> (x)
  a = Cast <to = 1> (narrow)
  b = Cast <to = 1> (other)
  y = Add(a, b)
})");
  // 17.5 bytes.
  Block& narrow = subject.BlockOf("narrow");
  Block& other = subject.BlockOf("other");
  narrow.size = other.size = 17;
  other.offset = narrow.offset + 17;
  subject.layout().offset_of_root[static_cast<size_t>(other.root)] =
      other.offset;
  subject.ExpectCaught();
}

// In-place sharing: one condition a test.

TEST(BrokenRulesTest, InPlaceNotBelowALaterReader) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y) {
  a = MatMul(x, x)
  b = Relu(a)
  y = Add(a, b)
})");
  subject.LayUpon("b", "a");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNotBelowALaterReaderOfAView) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y) {
  a = MatMul(x, x)
  view = Identity(a)
  b = Relu(a)
  y = Add(view, b)
})");
  subject.LayUpon("b", "a");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNotBelowACapture) {
  Subject subject(R"(
g (float[4, 4] x, bool flag) => (float[4, 4] y) {
  a = MatMul(x, x)
  b = Neg(a)
  c = If <then_branch = t () => (float[4, 4] d) { d = Neg(a) },
          else_branch = e () => (float[4, 4] f) { f = Add(a, a) }> (flag)
  y = Add(b, c)
})");
  subject.LayUpon("b", "a");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNeverOnAGraphInput) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y) {
  b = Relu(x)
  y = MatMul(b, b)
})");
  subject.LayUpon("b", "x");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNeverOnAViewOfAGraphInput) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y) {
  view = Identity(x)
  b = Relu(view)
  y = MatMul(b, b)
})");
  subject.LayUpon("b", "view");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNeverOnAnInitializer) {
  Subject subject(R"(
g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> {
  b = Neg(w)
  y = Add(x, b)
})");
  subject.LayUpon("b", "w");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNeverOnAGraphOutput) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y, float[4, 4] z) {
  y = MatMul(x, x)
  b = Neg(y)
  z = MatMul(b, x)
})");
  subject.LayUpon("b", "y");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNeverWithAnotherWidth) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y) {
  a = MatMul(x, x)
  wide = Cast <to = 11> (a)
  y = Cast <to = 1> (wide)
})");
  subject.LayUpon("wide", "a");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNeverOnABroadcastOperand) {
  Subject subject(R"(
g (float[4, 4] x) => (float[4, 4] y) <int64[1] axis = {0}> {
  row = ReduceSum(x, axis)
  square = MatMul(x, x)
  sum = Add(row, square)
  y = MatMul(sum, x)
})");
  subject.LayUpon("sum", "row");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, InPlaceNeverBesideAnotherOutput) {
  Subject subject(R"(
g (float[4, 4] x) => (float[2, 4] y) <int64[2] halves = {2, 2}> {
  a = MatMul(x, x)
  first, second = Split <axis = 0> (a, halves)
  y = Add(first, second)
})");
  subject.LayUpon("first", "a");
  subject.LayUpon("second", "a");
  subject.ExpectCaught();
}

// Operators that read an element after they wrote another.
class NeverInPlaceTest : public testing::TestWithParam<std::string> {};

TEST_P(NeverInPlaceTest, IsCaught) {
  Subject subject(R"(
g (float[1, 1, 4, 4] x) => (float y)
<int64[2] turned = {3, 0}, float[1, 1, 1, 1] w = {2}> {
  a = MatMul(x, x)
  b = )" + GetParam() +
                  R"(
  y = ReduceSum <keepdims = 0> (b)
})");
  subject.LayUpon("b", "a");
  subject.ExpectCaught();
}

std::string Replaced(std::string text, const std::string& what,
                     const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Operators, NeverInPlaceTest,
    testing::Values("MatMul(a, x)", "MatMul(x, a)",
                    "Transpose <perm = [0, 1, 3, 2]> (a)",
                    "Gather <axis = 2> (a, turned)", "ReduceMax(a)",
                    "Conv <kernel_shape = [1, 1]> (a, w)",
                    "MaxPool <kernel_shape = [2, 2]> (a)",
                    "AveragePool <kernel_shape = [2, 2]> (a)",
                    "GlobalAveragePool(a)", "Concat <axis = 2> (x, a)"));

// Control flow.

constexpr char kLoop[] = R"(
g (float[4, 4] x) => (float[4, 4] y, float[3, 4, 4] z)
<int64 trips = {3}, bool go = {1}> {
  captured = MatMul(x, x)
  last, rows = Loop <
    body = b (int64 i, bool c, float[4, 4] s, float[4, 4] t) =>
             (bool c, float[4, 4] s_next, float[4, 4] t_next, float[4, 4] row) {
      early = MatMul(captured, s)
      s_next = MatMul(early, t)
      t_next = Transpose <perm = [1, 0]> (s_next)
      row = MatMul(t_next, t_next)
    }> (trips, go, x, x)
  y = MatMul(last, x)
  z = Neg(rows)
})";

std::string Loop() {
  return Replaced(kLoop, "last, rows", "last, last_t, rows");
}

TEST(BrokenRulesTest, ACaptureIsReadUntilTheEndOfTheLoop) {
  Subject subject(Loop());
  subject.EndAfter("captured", "early");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, WhatALoopReceivesIsLiveThroughItsBody) {
  Subject subject(Loop());
  // t_next is written when s is read no more; but s is what the next iteration
  // receives, written while t_next waits to be copied.
  subject.EndAfter("s", "early");
  subject.Collide("t_next", "s");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, WhatALoopReturnsLivesToTheEndOfItsBody) {
  Subject subject(Loop());
  subject.EndAfter("s_next", "t_next");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, WhatALoopReturnsIsKeptApartFromWhatItReceived) {
  Subject subject(Loop());
  subject.Collide("s_next", "t");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, ScanOutputsAreLiveForTheWholeNode) {
  Subject subject(Loop());
  subject.BeginAtEnd("rows");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, ALoopsResultsAreLiveFromItsBegin) {
  Subject subject(Loop());
  subject.Collide("last", "early");
  subject.ExpectCaught();
}

constexpr char kIf[] = R"(
g (float[4, 4] x, float[4, 4] w) => (float[4, 4] y)
<int64[1] both = {0}, float limit = {-1e30}> {
  captured = MatMul(x, w)
  total = ReduceSum <keepdims = 0> (captured)
  flag = Less(limit, total)
  chosen = If <
    then_branch = t () => (float[4, 4] d) {
      inner = If <
        then_branch = tt () => (float[4, 4] k) {
          k = MatMul(captured, x)
        },
        else_branch = ee () => (float[4, 4] m) {
          m = Neg(x)
        }> (flag)
      a = MatMul(captured, inner)
      b = Transpose <perm = [1, 0]> (a)
      c = MatMul(b, a)
      d = MatMul(c, b)
    },
    else_branch = e () => (float[4, 4] f) {
      f = Neg(captured)
    }> (flag)
  y = MatMul(chosen, x)
})";

TEST(BrokenRulesTest, ACaptureInAnInnerBodyIsReadUntilTheOuterNodeEnds) {
  Subject subject(kIf);
  subject.EndAfter("captured", "k");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, ABranchsResultLivesToTheBranchsEnd) {
  Subject subject(Replaced(kIf, "d = MatMul(c, b)\n",
                           "d = MatMul(c, b)\n      after = Neg(c)\n"));
  subject.EndAfter("d", "d");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, AnIfsResultIsLiveFromItsBegin) {
  Subject subject(kIf);
  subject.BeginAtEnd("chosen");
  subject.ExpectCaught();
}

TEST(BrokenRulesTest, AnIfsResultSharesWithNothingInItsBranches) {
  Subject subject(kIf);
  subject.Collide("chosen", "b");
  subject.ExpectCaught();
}

}  // namespace
}  // namespace memplan::reference
