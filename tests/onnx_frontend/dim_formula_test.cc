#include "onnx_frontend/dim_formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace memplan {
namespace {

std::string Parsed(std::string_view text,
                   TightMinus minus = TightMinus::kIsPartOfAName) {
  const std::optional<Dim> formula = ParseDimFormula(text, minus);
  return formula.has_value() ? formula->ToString() : "none";
}

TEST(ParseDimFormula, ReadsWhatExportersWrite) {
  EXPECT_EQ(Parsed("past_sequence_length + 1"), "past_sequence_length + 1");
  EXPECT_EQ(Parsed("past+seq"), "past + seq");
  EXPECT_EQ(Parsed("2*seq"), "2*seq");
  EXPECT_EQ(Parsed("seq*2 - 1"), "2*seq - 1");
  EXPECT_EQ(Parsed("batch*heads"), "batch*heads");
  EXPECT_EQ(Parsed("(a + b)*(a - b)"), "a^2 - b^2");
  EXPECT_EQ(Parsed("4*(s0.1 + 3)"), "4*s0.1 + 12");
  EXPECT_EQ(Parsed("floor(h/2)"), "floor(h/2)");
  EXPECT_EQ(Parsed("floor((h + 1)/2) + 1"), "floor((h + 1)/2) + 1");
  EXPECT_EQ(Parsed("((s0 - 1)//2) + 1"), "floor((s0 + 1)/2)");
  EXPECT_EQ(Parsed("6*h//3"), "2*h");
}

TEST(ParseDimFormula, AMereNameOrNumberIsNone) {
  for (const char* text : {"batch", "floor", "1", "2 + 3", "0*n", "", " "}) {
    EXPECT_EQ(Parsed(text), "none") << text;
  }
}

TEST(ParseDimFormula, AHyphenMayBePartOfAName) {
  EXPECT_EQ(Parsed("batch-size"), "none");
  EXPECT_EQ(Parsed("seq-1"), "none");
  EXPECT_EQ(Parsed("seq -1"), "none");
  EXPECT_EQ(Parsed("seq - 1"), "seq - 1");
  EXPECT_EQ(Parsed("seq-1", TightMinus::kSubtracts), "seq - 1");
  EXPECT_EQ(Parsed("input-0_dim0", TightMinus::kSubtracts), "none");
}

TEST(ParseDimFormula, WhatIsNoFormulaIsNone) {
  for (const char* text :
       {"a +", "+ a", "a b", "2seq", "a/2", "a::b + 1", "(a", "a)", "a ** 2",
        "floor(a)", "floor(a/2", "a + 1.5", "a // 0", "a % 2", "f(a)",
        "99999999999999999999*a", "0*(b", "a + \xc3\xa9", "?"}) {
    EXPECT_EQ(Parsed(text, TightMinus::kSubtracts), "none") << text;
  }
}

TEST(ParseDimFormula, HostileTextsEndInNone) {
  const std::string brackets(500, '(');
  EXPECT_EQ(Parsed(brackets + "a" + std::string(500, ')')), "none");
  EXPECT_EQ(Parsed(std::string(100'000, '(')), "none");
  std::string sum = "a";
  for (int i = 0; i < 400; ++i) sum += "+b" + std::to_string(i);
  EXPECT_EQ(Parsed(sum), "none");
  std::string power = "a";
  while (power.size() < 1000) power += "*(a+b)";
  EXPECT_EQ(Parsed(power), "none");
  std::string floors = "a";
  for (int i = 0; i < 40; ++i) floors = "floor(" + floors + "/a)";
  EXPECT_EQ(Parsed(floors), "none");
}

}  // namespace
}  // namespace memplan
