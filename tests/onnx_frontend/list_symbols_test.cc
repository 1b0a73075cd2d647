#include "onnx_frontend/list_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(ListSymbolsTest, SaysWhereEachSymbolOccurs) {
  const std::vector<SymbolUse> symbols = ListSymbols(Inferred(R"(
    g (float[batch, seq] x, float[seq, 8] w) => (float[batch, seq] y) {
      t = Relu(x)
      y = Exp(t)
    })"));
  ASSERT_EQ(symbols.size(), 2);
  EXPECT_EQ(symbols[0].symbol, "batch");
  EXPECT_THAT(symbols[0].inputs, ElementsAre(Pair("x", 0)));
  EXPECT_EQ(symbols[0].num_values, 3);
  EXPECT_EQ(symbols[1].symbol, "seq");
  EXPECT_THAT(symbols[1].inputs, ElementsAre(Pair("x", 1), Pair("w", 0)));
  EXPECT_EQ(symbols[1].num_values, 4);
}

TEST(ListSymbolsTest, BoundSymbolsAreGone) {
  InputOptions options;
  options.dims = {{"n", 4}};
  EXPECT_THAT(ListSymbols(Inferred(
                  "g (float[n] x) => (float[n] y) { y = Relu(x) }", options)),
              ElementsAre());
}

}  // namespace
}  // namespace memplan
