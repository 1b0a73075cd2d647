#include "onnx_frontend/dim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan {
namespace {

using ::testing::ElementsAre;

const Dim n = Dim::Symbol("n");
const Dim h = Dim::Symbol("h");
const Dim seq = Dim::Symbol("seq");
const Dim unknown;

auto With(std::map<std::string, int64_t, std::less<>> numbers) {
  return [numbers](std::string_view name) -> std::optional<int64_t> {
    const auto found = numbers.find(name);
    if (found == numbers.end()) return std::nullopt;
    return found->second;
  };
}

auto InRange(int64_t low, int64_t high) {
  return [low, high](std::string_view) {
    return std::optional(std::pair(low, high));
  };
}

TEST(DimTest, AnUnknownIsNeitherANumberNorEqualToAnything) {
  EXPECT_TRUE(unknown.is_unknown());
  EXPECT_FALSE(unknown.is_number());
  EXPECT_EQ(unknown.AsNumber(), std::nullopt);
  EXPECT_FALSE(unknown.Equals(Dim()));
  EXPECT_EQ(unknown, Dim());  // the structs are the same
  EXPECT_EQ(unknown.ToString(), "?");
}

TEST(DimTest, ArithmeticWithAnUnknownIsUnknownExceptTimesZero) {
  EXPECT_TRUE((unknown + 1).is_unknown());
  EXPECT_TRUE((n - unknown).is_unknown());
  EXPECT_TRUE((unknown * n).is_unknown());
  EXPECT_EQ(unknown * 0, Dim(0));
  EXPECT_TRUE(FloorDiv(unknown, 2).is_unknown());
  EXPECT_TRUE(Min(unknown, 0).is_unknown());
}

TEST(DimTest, WritesExpressionsWithTheHighestDegreeFirst) {
  EXPECT_EQ(seq.ToString(), "seq");
  EXPECT_EQ((1 + seq * 2).ToString(), "2*seq + 1");
  EXPECT_EQ((Dim(3) - seq).ToString(), "-seq + 3");
  EXPECT_EQ((seq * n * 4 + n - h * 2 - 1).ToString(), "4*n*seq - 2*h + n - 1");
  EXPECT_EQ((h * h * n).ToString(), "h^2*n");
  EXPECT_EQ((n * INT64_MIN).ToString(), "-9223372036854775808*n");
}

TEST(DimTest, EqualExpressionsCompareEqualHoweverTheyWereBuilt) {
  EXPECT_EQ((n + 1) * (n - 1), n * n - 1);
  EXPECT_EQ(n + seq + h, h + n + seq);
  EXPECT_EQ(n - n, Dim(0));
  EXPECT_EQ((n + 5) - n, Dim(5));
  EXPECT_EQ(Dim::Symbol("n"), n);
  EXPECT_FALSE(n.Equals(h));
  EXPECT_FALSE(n.Equals(2));
}

TEST(DimTest, OverflowGivesAnUnknown) {
  EXPECT_TRUE((Dim(INT64_MAX) + 1).is_unknown());
  EXPECT_TRUE((Dim(INT64_MIN) - 1).is_unknown());
  EXPECT_TRUE((Dim(INT64_MAX) * 2).is_unknown());
  EXPECT_TRUE((n * INT64_MAX + n).is_unknown());
  EXPECT_TRUE(FloorDiv(INT64_MIN, -1).is_unknown());
  EXPECT_EQ(n.Evaluate(With({{"n", 5}})), 5);
  EXPECT_EQ((n * n * n).Evaluate(With({{"n", 1LL << 32}})), std::nullopt);
}

TEST(DimTest, DivisionByZeroGivesAnUnknown) {
  EXPECT_TRUE(FloorDiv(6, 0).is_unknown());
  EXPECT_TRUE(CeilDiv(n, 0).is_unknown());
  EXPECT_TRUE(TruncDiv(0, 0).is_unknown());
  EXPECT_TRUE(FloorMod(6, 0).is_unknown());
}

TEST(DimTest, QuotientsOfNumbersRoundAsTheyAreNamed) {
  EXPECT_EQ(FloorDiv(-7, 2), Dim(-4));
  EXPECT_EQ(CeilDiv(-7, 2), Dim(-3));
  EXPECT_EQ(TruncDiv(-7, 2), Dim(-3));
  EXPECT_EQ(FloorDiv(7, -2), Dim(-4));
  EXPECT_EQ(CeilDiv(7, -2), Dim(-3));
  EXPECT_EQ(FloorMod(-7, 3), Dim(2));
  EXPECT_EQ(FloorMod(7, -3), Dim(-2));
  EXPECT_EQ(TruncMod(-7, 3), Dim(-1));
}

TEST(DimTest, QuotientsThatComeOutEvenAreExpressions) {
  EXPECT_EQ(FloorDiv(n * 6, 3), n * 2);
  EXPECT_EQ(FloorDiv(n * seq, seq), n);
  EXPECT_EQ(FloorDiv(n * seq * 768, n * 12), seq * 64);
  EXPECT_EQ(FloorDiv((n + h) * seq, n + h), seq);
  EXPECT_EQ(TruncDiv(n * 2 - 2, 2), n - 1);
  EXPECT_EQ(FloorMod(n * seq, n), Dim(0));
}

TEST(DimTest, TakesOutThePartsThatComeOutEven) {
  EXPECT_EQ(FloorDiv(n * 2 + 3, 2), n + 1);
  EXPECT_EQ(CeilDiv(n * 4 + 1, 4), n + 1);
  EXPECT_EQ(FloorMod(n * 2 + 3, 2), Dim(1));
  EXPECT_EQ(FloorDiv(seq + 2, 2), FloorDiv(seq, 2) + 1);
  EXPECT_EQ(FloorDiv(seq * 2 + 4, 6), FloorDiv(seq + 2, 3));
}

TEST(DimTest, AnUnevenQuotientIsASymbolNamedByItsFormula) {
  const Dim half = FloorDiv(seq + 1, 2);
  EXPECT_EQ(half.ToString(), "floor((seq + 1)/2)");
  EXPECT_EQ((half * 2 + 1).ToString(), "2*floor((seq + 1)/2) + 1");
  EXPECT_EQ(FloorDiv(n, h).ToString(), "floor(n/h)");
  EXPECT_EQ(FloorDiv(n, h * 2).ToString(), "floor(n/(2*h))");
  EXPECT_EQ(TruncDiv(seq - 1, 2).ToString(), "trunc((seq - 1)/2)");
  EXPECT_EQ(half - FloorDiv(seq + 1, 2), Dim(0));
}

TEST(DimTest, CancelsWhatBothSidesOfAQuotientShare) {
  EXPECT_EQ(FloorDiv(n * seq * 2, h * seq * 4), FloorDiv(n, h * 2));
}

TEST(DimTest, AQuotientOfAQuotientIsOneQuotient) {
  EXPECT_EQ(FloorDiv(FloorDiv(n, 2), 3), FloorDiv(n, 6));
  // Strided convolutions, one after the other, do not nest.
  Dim size = h;
  for (int i = 0; i < 5; ++i) size = FloorDiv(size - 1, 2) + 1;
  EXPECT_EQ(size.ToString(), "floor((h + 31)/32)");
}

TEST(DimTest, TruncatesTowardZeroOnlyWhereTheSignIsKnown) {
  EXPECT_EQ(TruncDiv(n + 1, 2), FloorDiv(n + 1, 2));
  const Dim quotient = TruncDiv(n - 3, 2);
  EXPECT_EQ(quotient.Evaluate(With({{"n", 0}})), -1);
  EXPECT_EQ(quotient.Evaluate(With({{"n", 8}})), 2);
}

TEST(DimTest, MinAndMaxAreKnownWhereTheOrderIs) {
  EXPECT_EQ(Min(3, 5), Dim(3));
  EXPECT_EQ(Max(n, n), n);
  EXPECT_EQ(Max(n + 2, n - 1), n + 2);
  EXPECT_EQ(Max(n, 0), n);  // symbols are dimensions
  EXPECT_EQ(Min(n + h, n), n);
  EXPECT_EQ(Max(n, 1).ToString(), "max(n, 1)");
  EXPECT_EQ(Min(h, n), Min(n, h));
  EXPECT_EQ(Min(h, n).Evaluate(With({{"h", 4}, {"n", 3}})), 3);
}

TEST(DimTest, MinAndMaxAbsorbEachOther) {
  EXPECT_EQ(Max(n, Min(n, 512)), n);
  EXPECT_EQ(Min(Max(n, h), h), h);
  EXPECT_EQ(Max(Max(n, h), h), Max(n, h));
}

TEST(DimTest, KnowsWhatIsNeverNegative) {
  EXPECT_TRUE(IsNonNegative(n * 2 + 1));
  EXPECT_TRUE(IsNonNegative(FloorDiv(n, 2)));
  EXPECT_TRUE(IsNonNegative(Max(n - 5, 0)));
  EXPECT_FALSE(IsNonNegative(n - 1));
  EXPECT_FALSE(IsNonNegative(FloorDiv(Dim(0) - n, 2)));
  EXPECT_FALSE(IsNonNegative(unknown));
}

TEST(DimTest, ListsItsSymbolsThoseInQuotientsIncluded) {
  const Dim dim = FloorDiv(seq + n, 2) + Min(h, seq) * 3;
  EXPECT_THAT(dim.Symbols(), ElementsAre("h", "n", "seq"));
  EXPECT_TRUE(Dim(3).Symbols().empty());
}

TEST(DimTest, EvaluatesWhereEachSymbolHasANumber) {
  const Dim dim = FloorDiv(seq - 1, 2) * n + 1;
  EXPECT_EQ(dim.Evaluate(With({{"seq", 8}, {"n", 2}})), 7);
  EXPECT_EQ(dim.Evaluate(With({{"seq", 8}})), std::nullopt);
  EXPECT_EQ(unknown.Evaluate(With({})), std::nullopt);
}

TEST(DimTest, AnUpperBoundNeverUnderstates) {
  EXPECT_EQ((n * 2 + 1).UpperBound(InRange(0, 10)), 21);
  EXPECT_EQ((Dim(5) - n).UpperBound(InRange(1, 10)), 4);
  EXPECT_EQ((n * n).UpperBound(InRange(-3, 2)), 9);
  EXPECT_EQ(FloorDiv(n, 3).UpperBound(InRange(0, 10)), 3);
  EXPECT_EQ(FloorDiv(100, n).UpperBound(InRange(0, 10)), 100);
  EXPECT_EQ((n * n).UpperBound(InRange(0, INT64_MAX)), std::nullopt);
  EXPECT_EQ(n.UpperBound([](std::string_view) { return std::nullopt; }),
            std::nullopt);
}

TEST(DimTest, SubstitutionReachesIntoQuotients) {
  const auto seq_is_even = [](std::string_view name) -> std::optional<Dim> {
    if (name == "seq") return h * 2;
    return std::nullopt;
  };
  EXPECT_EQ((FloorDiv(seq + 1, 2) * n).Substitute(seq_is_even), h * n);
  EXPECT_EQ(n.Substitute(seq_is_even), n);
  const auto to_unknown = [](std::string_view) {
    return std::optional<Dim>(Dim());
  };
  EXPECT_TRUE((n + 1).Substitute(to_unknown).is_unknown());
}

TEST(DimTest, LargeExpressionsBecomeUnknown) {
  Dim sum(0), power(1);
  for (int i = 0; i < 40; ++i) sum = sum + Dim::Symbol("s" + std::to_string(i));
  EXPECT_TRUE(sum.is_unknown());
  for (int i = 0; i < 9; ++i) power = power * n;
  EXPECT_TRUE(power.is_unknown());
  Dim nested = n;
  for (int i = 0; i < 1000; ++i) nested = FloorDiv(nested * 3 + h, n + 7);
  EXPECT_TRUE(nested.is_unknown());
}

TEST(DimTest, ASymbolThatLooksLikeAFormulaIsNotThatFormula) {
  EXPECT_FALSE(Dim::Symbol("floor(n/2)").Equals(FloorDiv(n, 2)));
  EXPECT_FALSE((Dim::Symbol("n + h")).Equals(n + h));
}

// Any expression evaluates to what the same steps give on numbers.
TEST(DimTest, SymbolicStepsAgreeWithStepsOnNumbers) {
  std::mt19937 random(1);
  const std::vector<std::string> names = {"n", "h", "seq"};
  for (int round = 0; round < 3000; ++round) {
    std::map<std::string, int64_t, std::less<>> numbers;
    std::vector<Dim> dims;
    std::vector<int64_t> values;
    for (const std::string& name : names) {
      const int64_t number = 1 + static_cast<int64_t>(random() % 20);
      numbers[name] = number;
      dims.push_back(Dim::Symbol(name));
      values.push_back(number);
    }
    for (int64_t number : {-3, 1, 2, 4}) {
      dims.emplace_back(number);
      values.push_back(number);
    }
    for (int step = 0; step < 8; ++step) {
      const size_t a = random() % dims.size(), b = random() % dims.size();
      const auto apply = [&](const Dim& x, const Dim& y, size_t operation) {
        switch (operation) {
          case 0:
            return x + y;
          case 1:
            return x - y;
          case 2:
            return x * y;
          case 3:
            return FloorDiv(x, y);
          case 4:
            return CeilDiv(x, y);
          case 5:
            return TruncDiv(x, y);
          case 6:
            return FloorMod(x, y);
          case 7:
            return Min(x, y);
          default:
            return Max(x, y);
        }
      };
      const size_t operation = random() % 9;
      const bool divides = operation >= 3 && operation <= 6;
      if (divides && values[b] == 0) continue;
      const auto number =
          apply(Dim(values[a]), Dim(values[b]), operation).AsNumber();
      const Dim dim = apply(dims[a], dims[b], operation);
      if (!number || dim.is_unknown()) continue;
      const auto evaluated = dim.Evaluate(With(numbers));
      ASSERT_EQ(evaluated, number) << dim.ToString();
      const auto bound =
          dim.UpperBound([&](std::string_view name)
                             -> std::optional<std::pair<int64_t, int64_t>> {
            const int64_t x = numbers.find(name)->second;
            return std::pair(x - 1, x + 1);
          });
      ASSERT_GE(bound.value_or(*number), *number) << dim.ToString();
      dims.push_back(dim);
      values.push_back(*number);
    }
  }
}

}  // namespace
}  // namespace memplan
