#include "onnx_frontend/bind_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "onnx_frontend/list_symbols.h"
#include "planner/usage_error.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// ONNX's text format has no place for a formula: declare the mask's here.
ModelGraph Decoder(const std::string& formula) {
  ModelGraph graph = *GraphFromText(R"(
    g (int64[batch, seq] ids, float[batch, 2, past, 8] cache,
       float[batch, total] mask) => (m, c) {
      m = Relu(mask)
      c = Relu(cache)
    })");
  for (ModelValue& value : graph.values) {
    if (value.name == "mask") (*value.declared.shape)[1] = Dim::Symbol(formula);
  }
  return graph;
}

std::string MaskOf(const std::string& formula, const InputOptions& options) {
  ModelGraph graph = Decoder(formula);
  const auto dims = InferShapes(options, graph);
  if (!dims.ok()) {
    EXPECT_TRUE(IsUsageError(dims.status())) << dims.status();
    return std::string(dims.status().message());
  }
  return TypeOf(graph, "m");
}

TEST(SymbolFormulas, FollowFromTheNamesInThem) {
  InputOptions options;
  options.dims = {{"batch", 2}, {"past", 3}, {"seq", 1}};
  EXPECT_EQ(MaskOf("past + seq", options), "float32[2, 4]");
  EXPECT_EQ(MaskOf("past*2 - seq", options), "float32[2, 5]");
  EXPECT_EQ(MaskOf("past-seq", options), "float32[2, 2]");
  EXPECT_EQ(MaskOf("floor(past/2)", options), "float32[2, 1]");
}

TEST(SymbolFormulas, FollowFromInputShapesToo) {
  InputOptions options;
  options.shapes = {{"cache", {"2", "2", "7", "8"}}};
  EXPECT_EQ(MaskOf("past + 1", options), "float32[2, 8]");
}

TEST(SymbolFormulas, StaySymbolicInTheNamesThatAreLeft) {
  InputOptions options;
  options.dims = {{"past", 3}};
  EXPECT_EQ(MaskOf("past + seq", options), "float32[batch, seq + 3]");
}

TEST(SymbolFormulas, MayBeBoundThemselves) {
  InputOptions options;
  options.dims = {{"past + seq", 4}};
  EXPECT_EQ(MaskOf("past + seq", options), "float32[batch, 4]");
  options.dims["past"] = 3;
  EXPECT_EQ(MaskOf("past + seq", options), "float32[batch, 4]");
  options.dims["seq"] = 1;
  EXPECT_EQ(MaskOf("past + seq", options), "float32[batch, 4]");
}

TEST(SymbolFormulas, AConflictNamesBothSides) {
  InputOptions options;
  options.dims = {{"past + seq", 4}, {"past", 3}, {"seq", 2}};
  EXPECT_EQ(MaskOf("past + seq", options),
            "dimension 'past + seq' is 4 by --dim past + seq=4, and 5 by --dim "
            "past=3 and --dim seq=2");
  options.dims = {{"past", 3}};
  options.shapes = {{"mask", {"1", "9"}}};
  EXPECT_EQ(MaskOf("past + 1", options),
            "dimension 'past + 1' is 9 by dimension 1 of --input-shape mask, "
            "and 4 by --dim past=3");
}

TEST(SymbolFormulas, AreNoLessThanNothing) {
  InputOptions options;
  options.dims = {{"past", 3}};
  EXPECT_EQ(MaskOf("past - 5", options),
            "dimension 'past - 5' comes to -2 by --dim past=3");
}

TEST(SymbolFormulas, WhatIsNoneStaysASymbol) {
  InputOptions options;
  options.dims = {{"past", 3}};
  EXPECT_EQ(MaskOf("past/2", options), "float32[batch, past/2]");
  EXPECT_EQ(MaskOf("past-size", options), "float32[batch, past-size]");
  EXPECT_EQ(MaskOf("None + past", options), "float32[batch, None + past]");
}

TEST(SymbolFormulas, AreListedByTheNamesToBind) {
  ModelGraph graph = Decoder("past + extra");
  ASSERT_TRUE(InferShapes({}, graph).ok());
  std::vector<std::string> names;
  for (const SymbolUse& use : ListSymbols(graph)) names.push_back(use.symbol);
  EXPECT_THAT(names, ElementsAre("batch", "extra", "past", "seq"));
  EXPECT_THAT(ListSymbols(graph)[1].inputs, ElementsAre(Pair("mask", 1)));
}

TEST(SymbolFormulas, AnUnknownNameGetsAHint) {
  InputOptions options;
  options.dims = {{"extar", 3}};
  EXPECT_THAT(MaskOf("past + extra", options), HasSubstr("'extra'"));
}

TEST(SymbolFormulas, AUsersOwnNamesCount) {
  ModelGraph graph = *GraphFromText("g (float[?, ?] x) => (y) { y = Relu(x) }");
  InputOptions options;
  options.shapes = {{"x", {"n", "2*n"}}};
  options.dims = {{"n", 3}};
  ASSERT_TRUE(InferShapes(options, graph).ok());
  EXPECT_EQ(TypeOf(graph, "y"), "float32[3, 6]");
}

TEST(DimOption, IsQuotedForTheShellWhereItMustBe) {
  EXPECT_EQ(DimOption("batch_size"), "--dim batch_size=N");
  EXPECT_EQ(DimOption("past + seq"), "--dim 'past + seq=N'");
  EXPECT_EQ(DimOption("it's"), "--dim 'it'\\''s=N'");
}

}  // namespace
}  // namespace memplan
