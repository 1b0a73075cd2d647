// Values from numpy.einsum and the node tests in the specification.

#include <gtest/gtest.h>

#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

std::string Einsum(std::string equation, std::vector<Shape> inputs) {
  OneNode node("Einsum", 12);
  node.Attr("equation", std::move(equation));
  for (Shape& input : inputs) node.Input(Float(std::move(input)));
  return node.Run().ToString();
}

TEST(EinsumRules, ExplicitResults) {
  EXPECT_EQ(Einsum("ij->ji", {{3, 4}}), "float32[4, 3]");
  EXPECT_EQ(Einsum("ij->i", {{3, 4}}), "float32[3]");
  EXPECT_EQ(Einsum("bij, bjk -> bik", {{5, 2, 3}, {5, 3, 4}}),
            "float32[5, 2, 4]");
  EXPECT_EQ(Einsum("i,i->", {{5}, {5}}), "float32[]");
  EXPECT_EQ(Einsum("bhid,bhjd->bhij", {{2, 8, Dim::Symbol("s"), 64},
                                       {2, 8, Dim::Symbol("t"), 64}}),
            "float32[2, 8, s, t]");
}

TEST(EinsumRules, ImplicitResultsAreInTheOrderOfTheAlphabet) {
  EXPECT_EQ(Einsum("ba", {{3, 4}}), "float32[4, 3]");
  EXPECT_EQ(Einsum("ij,jk", {{2, 3}, {3, 4}}), "float32[2, 4]");
  EXPECT_EQ(Einsum("ii", {{3, 3}}), "float32[]");
}

TEST(EinsumRules, TheEllipsisBroadcasts) {
  EXPECT_EQ(Einsum("...ii ->...i", {{3, 5, 5}}), "float32[3, 5]");
  EXPECT_EQ(Einsum("...ij,...jk->...ik", {{7, 1, 2, 3}, {6, 3, 4}}),
            "float32[7, 6, 2, 4]");
  EXPECT_EQ(Einsum("...ij,jk", {{7, 2, 3}, {3, 4}}), "float32[7, 2, 4]");
  EXPECT_EQ(Einsum("i...j->j...i", {{2, 3, 4, 5}}), "float32[5, 3, 4, 2]");
}

TEST(EinsumRules, AOneGivesWayToAnotherSize) {
  EXPECT_EQ(Einsum("ij,ij->ij", {{1, 4}, {3, 4}}), "float32[3, 4]");
}

TEST(EinsumRules, EquationsThatDoNotFitAreErrors) {
  EXPECT_NE(Einsum("ij,jk->ik", {{2, 3}, {4, 5}}).find("'j'"),
            std::string::npos);
  EXPECT_NE(Einsum("ij->i", {{2, 3, 4}}).find("subscripts"), std::string::npos);
  EXPECT_NE(Einsum("i.j->i", {{2, 3}}).find("no equation"), std::string::npos);
  EXPECT_NE(Einsum("ij,jk->ik", {{2, 3}}).find("operands"), std::string::npos);
}

}  // namespace
}  // namespace memplan
