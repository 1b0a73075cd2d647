#include "gtest/gtest.h"
#include "tests/onnx_frontend/rules/rule_test_util.h"

namespace memplan {
namespace {

TensorValue Scalar(int64_t value) {
  return TensorValue::Scalar(ElementType::kInt64, value);
}

Type Pair() {
  return OneNode("SequenceConstruct", 11)
      .Input(Float({2, 3}))
      .Input(Float({4, 3}))
      .Run()
      .Output();
}

TEST(SequenceTest, RemembersEachElement) {
  EXPECT_EQ(ToString(Pair()), "sequence(float32[?, 3])");
  const auto at = [](int64_t place) {
    return OneNode("SequenceAt", 11)
        .Input(Pair())
        .Known(Scalar(place))
        .Run()
        .ToString();
  };
  EXPECT_EQ(at(0), "float32[2, 3]");
  EXPECT_EQ(at(-1), "float32[4, 3]");
  EXPECT_EQ(at(2), "node 'n' (SequenceAt): position 2 of 2 elements");
}

TEST(SequenceTest, ConcatenatesWhatItHolds) {
  EXPECT_EQ(OneNode("ConcatFromSequence", 11)
                .Attr("axis", int64_t{0})
                .Input(Pair())
                .Run()
                .ToString(),
            "float32[6, 3]");
  EXPECT_EQ(OneNode("ConcatFromSequence", 11)
                .Attr("axis", int64_t{0})
                .Attr("new_axis", int64_t{1})
                .Input(Pair())
                .Run()
                .ToString(),
            "float32[2, ?, 3]");
  EXPECT_EQ(OneNode("ConcatFromSequence", 11)
                .Attr("axis", int64_t{0})
                .Input(Type::Sequence(Float({2, 3})))
                .Run()
                .ToString(),
            "float32[?, 3]");
}

TEST(SequenceTest, InsertsErasesAndCounts) {
  const Type three = OneNode("SequenceInsert", 11)
                         .Input(Pair())
                         .Input(Float({5, 3}))
                         .Known(Scalar(0))
                         .Run()
                         .Output();
  const Type two =
      OneNode("SequenceErase", 11).Input(three).Known(Scalar(1)).Run().Output();
  EXPECT_EQ(OneNode("ConcatFromSequence", 11)
                .Attr("axis", int64_t{0})
                .Input(two)
                .Run()
                .ToString(),
            "float32[9, 3]");
  OneNode length("SequenceLength", 11);
  EXPECT_EQ(length.Input(three).Run().Content(), Scalar(3));
}

TEST(SequenceTest, WhereAnInsertionGoesMayBeUnknown) {
  const Type sequence = OneNode("SequenceInsert", 11)
                            .Input(Pair())
                            .Input(Float({5, 3}))
                            .Input(Int64({}))
                            .Run()
                            .Output();
  EXPECT_EQ(ToString(sequence), "sequence(float32[?, 3])");
  EXPECT_EQ(sequence.elements, nullptr);
}

TEST(SequenceTest, AnEmptySequenceTakesTheTypeOfWhatIsInserted) {
  const Type empty =
      OneNode("SequenceEmpty", 11).Attr("dtype", int64_t{1}).Run().Output();
  EXPECT_EQ(ToString(empty), "sequence(float32[...])");
  EXPECT_EQ(OneNode("SequenceInsert", 11)
                .Input(empty)
                .Input(Float({2}))
                .Run()
                .ToString(),
            "sequence(float32[2])");
}

TEST(SequenceTest, SplitsIntoPieces) {
  const auto last_of = [](OneNode split) {
    return OneNode("SequenceAt", 11)
        .Input(split.Run().Output())
        .Known(Scalar(-1))
        .Run()
        .ToString();
  };
  EXPECT_EQ(last_of(OneNode("SplitToSequence", 11).Input(Float({5, 3}))),
            "float32[1, 3]");
  EXPECT_EQ(last_of(OneNode("SplitToSequence", 11)
                        .Attr("keepdims", int64_t{0})
                        .Input(Float({5, 3}))),
            "float32[3]");
  EXPECT_EQ(
      last_of(
          OneNode("SplitToSequence", 11).Input(Float({5, 3})).Known(Scalar(2))),
      "float32[1, 3]");
  EXPECT_EQ(
      last_of(OneNode("SplitToSequence", 11).Input(Float({5, 3})).Ints({1, 4})),
      "float32[4, 3]");
}

TEST(SequenceTest, OptionalsKnowWhetherTheyHoldSomething) {
  const Type full = OneNode("Optional", 15).Input(Float({2})).Run().Output();
  const Type empty = OneNode("Optional", 15)
                         .Absent()
                         .Attr("type", Type::Tensor(ElementType::kFloat))
                         .Run()
                         .Output();
  const auto has = [](OneNode node) { return node.Run().Content()->ints[0]; };
  EXPECT_EQ(has(OneNode("OptionalHasElement", 15).Input(full)), Dim(1));
  EXPECT_EQ(has(OneNode("OptionalHasElement", 15).Input(empty)), Dim(0));
  EXPECT_EQ(has(OneNode("OptionalHasElement", 18).Absent()), Dim(0));
  EXPECT_EQ(has(OneNode("OptionalHasElement", 18).Input(Float({2}))), Dim(1));
  EXPECT_EQ(OneNode("OptionalGetElement", 15).Input(full).Run().ToString(),
            "float32[2]");
  EXPECT_EQ(
      OneNode("OptionalGetElement", 18).Input(Float({2})).Run().ToString(),
      "float32[2]");
}

}  // namespace
}  // namespace memplan
