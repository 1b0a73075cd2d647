#include "planner/storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/liveness.h"
#include "tests/planner/graph_builder.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;

class StorageTest : public ::testing::Test {
 protected:
  std::vector<ValueStorage> Assign() {
    const auto timeline = MakeTimeline(g.graph(), FileOrder(g.graph()));
    EXPECT_TRUE(timeline.ok()) << timeline.status();
    lifespans = ComputeLifespans(g.graph(), *timeline);
    return AssignStorage(g.graph(), *timeline, lifespans, options);
  }
  ValueStorage Of(ValueIndex v) { return Assign()[static_cast<size_t>(v)]; }
  // A value that lives on to a further reader, so that it is no graph output.
  void Use(ValueIndex v) { g.Output(g.Op("used", {v}, 1)); }

  GraphBuilder g;
  StorageOptions options;
  std::vector<Lifespan> lifespans;
};

TEST_F(StorageTest, ViewsShareTransitively) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex b = g.View("b", a);
  const ValueIndex c = g.View("c", b);
  Use(c);
  EXPECT_EQ(Of(c).root, a);
  EXPECT_EQ(Of(c).shares_with, b);
  EXPECT_EQ(Of(c).sharing, SharingKind::kView);
  EXPECT_TRUE(Of(c).placed);
  options.in_place = InPlaceMode::kOff;
  EXPECT_EQ(Of(c).root, c);
}

TEST_F(StorageTest, AViewOfAnInputOrInitializerLivesThere) {
  const ValueIndex x = g.Input("x", 8);
  const ValueIndex v = g.View("v", x);
  const ValueIndex w = g.View("w", g.Constant("c", 8));
  g.Output(g.Op("y", {v, w}, 8));
  EXPECT_EQ(Of(v).root, x);
  EXPECT_FALSE(Of(v).placed);
  EXPECT_FALSE(Of(w).placed);
  options.place_inputs = true;
  EXPECT_TRUE(Of(v).placed);
  EXPECT_FALSE(Of(w).placed);
}

TEST_F(StorageTest, AGraphOutputSharesWithNothingBeforeIt) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex y = g.View("y", a);
  g.Output(y);
  EXPECT_EQ(Of(y).root, y);
  EXPECT_FALSE(Of(y).placed);
  EXPECT_TRUE(Of(a).placed);
  EXPECT_THAT(Of(y).why_not, HasSubstr("graph output"));
  options.place_outputs = true;
  EXPECT_TRUE(Of(y).placed);
}

TEST_F(StorageTest, AViewOfAGraphOutputLivesInTheCallersBytes) {
  const ValueIndex y = g.Op("y", {g.Input("x", 8)}, 8);
  g.Output(y);
  const ValueIndex v = g.View("v", y);
  Use(v);
  EXPECT_EQ(Of(v).root, y);
  EXPECT_FALSE(Of(v).placed);
}

TEST_F(StorageTest, WhatHasNoKnownSizeIsNotPlaced) {
  const ValueIndex a = g.Op("a", {g.Input("x", std::nullopt)}, std::nullopt);
  const ValueIndex b = g.View("b", a);
  const ValueIndex c = g.Op("c", {b}, 0);
  Use(c);
  EXPECT_FALSE(Of(a).placed);
  EXPECT_FALSE(Of(b).placed);
  EXPECT_TRUE(Of(c).placed);  // no bytes are still known bytes
}

TEST_F(StorageTest, OverwritesAnInputThatNobodyReadsAnyMore) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex b = g.InPlace("b", a);
  const ValueIndex c = g.InPlace("c", b);
  Use(c);
  EXPECT_EQ(Of(c).root, a);
  EXPECT_EQ(Of(c).sharing, SharingKind::kInPlace);
  options.in_place = InPlaceMode::kViews;
  EXPECT_EQ(Of(b).root, b);
}

// d = op1(a, b); e = op2(b, c) in place on b: fine here, since op2 comes last.
TEST_F(StorageTest, InPlaceOnlyByTheLastReader) {
  const ValueIndex x = g.Input("x", 8);
  const ValueIndex b = g.Op("b", {x}, 8);
  const ValueIndex early = g.InPlace("early", b);
  const ValueIndex late = g.InPlace("late", b, {early});
  Use(late);
  EXPECT_EQ(Of(early).root, early);
  EXPECT_EQ(Of(early).why_not, "tensor 'b' is read later by node 'late'");
  EXPECT_EQ(Of(late).root, b);
}

TEST_F(StorageTest, AReaderOfAViewCountsToo) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex v = g.View("v", a);
  const ValueIndex b = g.InPlace("b", a);
  Use(b);
  Use(v);
  EXPECT_EQ(Of(b).root, b);
  EXPECT_EQ(Of(b).why_not, "tensor 'v' is read later by node 'used'");
}

TEST_F(StorageTest, ACaptureIsALaterReader) {
  const ValueIndex x = g.Input("x", 8);
  const ValueIndex a = g.Op("a", {x}, 8);
  const ValueIndex b = g.InPlace("b", a);
  const NodeIndex choice = g.Node("if", {b});
  g.OpenBody(choice);
  const ValueIndex inner = g.InPlace("inner", a);  // its last read, but inside
  const ValueIndex used = g.Op("u", {inner}, 8);
  g.Output(used);
  g.CloseBody();
  g.Output(g.AddOutput(choice, "y", 8));
  EXPECT_EQ(Of(b).why_not, "tensor 'a' is read later by node 'if'");
  EXPECT_EQ(Of(inner).root, inner);
}

TEST_F(StorageTest, NeverOverwritesInputsOutputsOrInitializers) {
  const ValueIndex x = g.Input("x", 8);
  const ValueIndex w = g.Constant("w", 8);
  const ValueIndex y = g.Op("y", {x}, 8);
  g.Output(y);
  const ValueIndex a = g.InPlace("a", g.View("vx", x));
  const ValueIndex b = g.InPlace("b", w);
  const ValueIndex c = g.InPlace("c", y);
  g.Output(g.Op("z", {a, b, c}, 8));
  for (ValueIndex v : {a, b, c}) EXPECT_EQ(Of(v).root, v);
  EXPECT_EQ(Of(a).why_not, "tensor 'x' is a graph input");
  EXPECT_EQ(Of(b).why_not, "tensor 'w' is an initializer");
  EXPECT_EQ(Of(c).why_not, "tensor 'y' is a graph output");
  options.place_inputs = options.place_outputs = true;
  for (ValueIndex v : {a, b, c}) EXPECT_EQ(Of(v).root, v);
}

TEST_F(StorageTest, InPlaceNeedsTheSameSizeAndElementWidth) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex wider = g.InPlace("wider", a);
  g.value(wider).element_bits = 16;
  const ValueIndex c = g.Op("c", {wider}, 8);
  const ValueIndex larger = g.InPlace("larger", c);
  g.value(larger).size = 16;
  Use(larger);
  EXPECT_EQ(Of(wider).root, wider);
  EXPECT_EQ(Of(larger).root, larger);
}

// Add(a, view of a): a broadcast through another shape would read elements that
// are written already. Add(a, a) reads each just before it writes it.
TEST_F(StorageTest, AnotherSlotInTheSameBytesForbidsInPlace) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const ValueIndex v = g.View("v", a);
  const ValueIndex b = g.InPlace("b", a, {v});
  const ValueIndex c = g.InPlace("c", b, {b});
  Use(c);
  EXPECT_EQ(Of(b).root, b);
  EXPECT_EQ(Of(c).root, b);
}

TEST_F(StorageTest, TwoOutputsDoNotOverwriteTheSameInput) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, 8);
  const NodeIndex n = g.Node("n", {a});
  const ValueIndex p = g.AddOutput(n, "p", 8);
  const ValueIndex q = g.AddOutput(n, "q", 8);
  const ValueIndex r = g.AddOutput(n, "r", 8);
  g.Rule(n, {.value = p, .base = a, .kind = SharingKind::kInPlace});
  g.Rule(n, {.value = q, .base = a, .kind = SharingKind::kInPlace});
  EXPECT_EQ(Of(p).root, a);
  EXPECT_EQ(Of(q).root, q);
  // A view that comes later in the list still comes first.
  g.Rule(n, {.value = r, .base = a, .kind = SharingKind::kView});
  EXPECT_EQ(Of(r).root, a);
  EXPECT_EQ(Of(p).root, p);
}

TEST_F(StorageTest, LoopsKeepWhatTheyReceiveAndReturnApart) {
  const ValueIndex x = g.Input("x", 8);
  const NodeIndex loop = g.Node("loop", {x});
  g.OpenBody(loop, /*repeats=*/true);
  const ValueIndex in = g.BodyInput("in", 8);
  const ValueIndex view = g.View("view", in);         // read inside: fine
  const ValueIndex over = g.InPlace("over", in);      // never
  const ValueIndex local = g.InPlace("local", over);  // fine
  const ValueIndex out = g.View("out", view);         // returned: never
  g.Output(out);
  g.Output(local);
  g.Carry(in, out);
  g.CloseBody();
  g.Output(g.AddOutput(loop, "y", 8));
  EXPECT_EQ(Of(view).root, in);
  EXPECT_EQ(Of(over).root, over);
  EXPECT_EQ(Of(over).why_not,
            "tensor 'in' in 'loop.body0' is what a body receives");
  EXPECT_EQ(Of(local).root, over);
  EXPECT_EQ(Of(out).root, out);
}

TEST_F(StorageTest, WhatABodyReturnsIsNotOverwritten) {
  const ValueIndex x = g.Input("x", 8);
  const NodeIndex choice = g.Node("if", {x});
  g.OpenBody(choice);
  const ValueIndex a = g.Op("a", {x}, 8);
  const ValueIndex b = g.InPlace("b", a);
  g.Output(a);
  g.Output(b);
  g.CloseBody();
  g.Output(g.AddOutput(choice, "y", 8));
  EXPECT_EQ(Of(b).root, b);
}

//  whole |p......|q......|   a Split's outputs as parts of its input
TEST_F(StorageTest, PartsShareWhereTheyAreAligned) {
  options.in_place = InPlaceMode::kAggressive;
  const ValueIndex whole = g.Op("whole", {g.Input("x", 192)}, 192);
  const NodeIndex split = g.Node("split", {whole});
  const ValueIndex p = g.AddOutput(split, "p", 64);
  const ValueIndex q = g.AddOutput(split, "q", 96);
  const ValueIndex r = g.AddOutput(split, "r", 32);
  int64_t at = 0;
  for (ValueIndex v : {p, q, r}) {
    g.Rule(split, {.value = v,
                   .base = whole,
                   .kind = SharingKind::kPart,
                   .part_offset = at});
    at += *g.value(v).size;
  }
  g.Output(g.Op("y", {p, q, r}, 8));
  EXPECT_EQ(Of(q).root, whole);
  EXPECT_EQ(Of(q).offset_in_root, 64);
  EXPECT_EQ(Of(r).root, r);  // byte 160 is no multiple of 64
  options.in_place = InPlaceMode::kSafe;
  EXPECT_EQ(Of(q).root, q);
}

class GatherTest : public StorageTest {
 protected:
  GatherTest() { options.in_place = InPlaceMode::kAggressive; }
  ValueIndex Concat(std::string name, std::vector<ValueIndex> inputs) {
    int64_t size = 0;
    for (ValueIndex v : inputs) size += *g.value(v).size;
    const ValueIndex out = g.Op(std::move(name), inputs, size);
    const NodeIndex n = static_cast<NodeIndex>(g.graph().nodes.size()) - 1;
    int64_t at = 0;
    for (ValueIndex v : inputs) {
      g.Rule(n, {.value = v,
                 .base = out,
                 .kind = SharingKind::kPart,
                 .part_offset = at});
      at += *g.value(v).size;
    }
    return out;
  }
};

//  outer |p......|q......|s......|     Concat(Concat(p, q), s)
TEST_F(GatherTest, ConcatsOfConcatsLieSideBySide) {
  const ValueIndex x = g.Input("x", 64);
  const ValueIndex p = g.Op("p", {x}, 64);
  const ValueIndex q = g.InPlace("q", g.Op("q0", {x}, 64));
  const ValueIndex inner = Concat("inner", {p, q});
  const ValueIndex s = g.Op("s", {x}, 64);
  const ValueIndex outer = Concat("outer", {s, inner});
  Use(outer);
  EXPECT_EQ(Of(p).root, outer);
  EXPECT_EQ(Of(p).offset_in_root, 64);
  EXPECT_EQ(Of(q).offset_in_root, 128);
  EXPECT_EQ(Of(q).sharing, SharingKind::kInPlace);
  EXPECT_EQ(Of(inner).offset_in_root, 64);
  EXPECT_EQ(Of(s).offset_in_root, 0);
}

// p alone is small, and dies before the large one comes; its Concat would be
// there from p on.
TEST_F(GatherTest, DoesNotHoldAWholeForTheSakeOfAPart) {
  const ValueIndex x = g.Input("x", 64);
  const ValueIndex p = g.Op("p", {x}, 64);
  const ValueIndex large = g.Op("large", {x}, 1024);
  const ValueIndex q = g.Op("q", {g.Op("mid", {large}, 8)}, 512);
  Use(Concat("c", {p, q}));
  EXPECT_EQ(Of(p).root, p);
  EXPECT_EQ(Of(q).root, q);
}

TEST_F(GatherTest, AnInputListedTwiceIsLaidDownOnce) {
  const ValueIndex p = g.Op("p", {g.Input("x", 64)}, 64);
  const ValueIndex c = Concat("c", {p, p});
  Use(c);
  EXPECT_EQ(Of(p).root, c);
  EXPECT_EQ(Of(p).offset_in_root, 0);
}

TEST_F(GatherTest, WhatIsNotOursToMoveStays) {
  const ValueIndex x = g.Input("x", 64);
  const ValueIndex w = g.Constant("w", 64);
  const ValueIndex y = g.Op("y", {x}, 64);
  g.Output(y);
  const ValueIndex a = g.Op("a", {x}, 64);
  const ValueIndex c = Concat("c", {x, w, y, a});
  Use(c);
  EXPECT_EQ(Of(x).root, x);
  EXPECT_EQ(Of(w).root, w);
  EXPECT_EQ(Of(y).root, y);
  EXPECT_EQ(Of(a).root, c);
}

TEST_F(GatherTest, AGraphOutputGathersNothing) {
  const ValueIndex a = g.Op("a", {g.Input("x", 64)}, 64);
  g.Output(Concat("c", {a}));
  EXPECT_EQ(Of(a).root, a);
}

TEST_F(StorageTest, TheBufferLivesForAllThatShareIt) {
  const ValueIndex x = g.Input("x", 5);
  const ValueIndex a = g.Op("a", {x}, 5);
  const ValueIndex v = g.View("v", a);
  const ValueIndex b = g.Op("b", {x}, 0);
  Use(v);
  Use(b);
  const std::vector<ValueStorage> storage = Assign();
  const auto placement = BuildProblem(g.graph(), storage, lifespans, 4);
  ASSERT_TRUE(placement.ok());
  ASSERT_EQ(placement->buffer_roots, (std::vector<ValueIndex>{a, b}));
  EXPECT_EQ(placement->problem.buffers[0].size, 8);
  EXPECT_EQ(placement->problem.buffers[0].lifespan, (Lifespan{0, 4}));
  EXPECT_EQ(placement->problem.buffers[0].alignment, 4);
  EXPECT_EQ(placement->problem.buffers[1].size, 0);
}

TEST_F(StorageTest, ASizeThatDoesNotFitNamesTheTensor) {
  const ValueIndex a = g.Op("a", {g.Input("x", 8)}, INT64_MAX - 1);
  Use(a);
  const std::vector<ValueStorage> storage = Assign();
  const auto placement = BuildProblem(g.graph(), storage, lifespans, 64);
  EXPECT_EQ(placement.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(placement.status().message()), HasSubstr("'a'"));
  EXPECT_FALSE(BuildProblem(g.graph(), storage, lifespans, 0).ok());
}

}  // namespace
}  // namespace memplan
