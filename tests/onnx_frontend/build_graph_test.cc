#include "onnx_frontend/build_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> Operators(const ModelGraph& graph, BodyIndex body) {
  std::vector<std::string> operators;
  for (NodeIndex node : graph.bodies[static_cast<size_t>(body)].nodes) {
    operators.push_back(graph.nodes[static_cast<size_t>(node)].op_type);
  }
  return operators;
}

std::string ErrorOf(std::string_view text) {
  const absl::StatusOr<ModelGraph> graph = GraphFromText(text);
  return graph.ok() ? "" : std::string(graph.status().message());
}

TEST(BuildGraphTest, ResolvesNamesToIndices) {
  const auto graph = GraphFromText(R"(
    g (float[4] x) => (float[4] y) { t = Relu(x)  y = Exp(t) })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  ASSERT_EQ(graph->values.size(), 3);
  EXPECT_EQ(graph->values[0].kind, ValueKind::kInput);
  EXPECT_EQ(ValueNamed(*graph, "t").kind, ValueKind::kIntermediate);
  EXPECT_EQ(ValueNamed(*graph, "y").kind, ValueKind::kOutput);
  EXPECT_EQ(graph->nodes[1].inputs[0], graph->nodes[0].outputs[0]);
}

TEST(BuildGraphTest,
     ConstantNodesBecomeInitializersAndKeepTheirPlaceInTheFile) {
  const auto graph = GraphFromText(R"(
    g (float[4] x) => (float[2,2] y) {
      s = Constant<value = int64[2] {2, 2}>()
      y = Reshape(x, s)
    })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Operators(*graph, 0), ElementsAre("Reshape"));
  EXPECT_EQ(graph->nodes[0].file_index, 1);
  const ModelValue& s = ValueNamed(*graph, "s");
  EXPECT_EQ(s.kind, ValueKind::kInitializer);
  EXPECT_EQ(KnownInts(*s.value), (std::vector<int64_t>{2, 2}));
}

TEST(BuildGraphTest, SortsUnsortedNodesStablyAndWarns) {
  const auto graph = GraphFromText(R"(
    g (float[4] x) => (float[4] y) {
      y = Add(b, a)
      b = Exp(a)
      c = Neg(x)
      a = Relu(x)
    })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Operators(*graph, 0), ElementsAre("Neg", "Relu", "Exp", "Add"));
  EXPECT_THAT(graph->warnings, ElementsAre(HasSubstr("they were sorted")));
}

TEST(BuildGraphTest, SortingSeesWhatABodyCaptures) {
  const auto graph = GraphFromText(R"(
    g (float[4] x, bool c) => (float[4] y) {
      y = If (c) <
        then_branch = t () => (float[4] a) { a = Neg(late) },
        else_branch = e () => (float[4] b) { b = Neg(x) } >
      late = Relu(x)
    })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Operators(*graph, 0), ElementsAre("Relu", "If"));
}

TEST(BuildGraphTest, NamesTheCycle) {
  EXPECT_THAT(ErrorOf(R"(
    g (float[4] x) => (float[4] y) {
      a = Add(x, b)
      b = Relu(a)
      y = Exp(b)
    })"),
              HasSubstr("cycle: 'Add_0' -> 'Relu_1' -> 'Add_0'"));
}

TEST(BuildGraphTest, NamesTheMissingInput) {
  EXPECT_THAT(ErrorOf("g (float[4] x) => (float[4] y) { y = Add(x, ghost) }"),
              HasSubstr("node 0 (Add): its input 'ghost' is no input"));
}

TEST(BuildGraphTest, RefusesASecondProducer) {
  EXPECT_THAT(ErrorOf(R"(
    g (float[4] x) => (float[4] y) { y = Relu(x)  y = Exp(x) })"),
              HasSubstr("node 1 (Exp): 'y' is defined twice"));
}

TEST(BuildGraphTest, OfAConstantThatIsThereTwiceTheLastOneCounts) {
  const auto graph = GraphFromText(R"(
    g (float[4] x) => (float[4] y) {
      c = Constant<value_int = 1>()
      y = Relu(x)
      c = Constant<value_int = 2>()
    })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(KnownInts(*ValueNamed(*graph, "c").value), std::vector<int64_t>{2});
  EXPECT_THAT(graph->warnings,
              ElementsAre(HasSubstr("constant 'c' is there twice")));
}

TEST(BuildGraphTest, RefusesAnOutputThatNobodyProduces) {
  EXPECT_THAT(ErrorOf("g (float[4] x) => (float[4] z) { y = Relu(x) }"),
              HasSubstr("output 'z' is produced by no node"));
}

TEST(BuildGraphTest, TheEmptyNameIsNoValue) {
  onnx::ModelProto proto;  // the text syntax has no empty name
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(17);
  proto.mutable_graph()->add_input()->set_name("x");
  proto.mutable_graph()->add_output()->set_name("y");
  onnx::NodeProto* split = proto.mutable_graph()->add_node();
  split->set_op_type("Split");
  split->add_input("x");
  split->add_input("");
  for (const char* name : {"", "y", ""}) split->add_output(name);
  const auto model = ReadModelFromBytes(proto.SerializeAsString(), "test.onnx");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto graph = BuildGraph(*model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_FALSE(graph->nodes[0].outputs[0].has_value());
  EXPECT_TRUE(graph->nodes[0].outputs[1].has_value());
  EXPECT_FALSE(graph->nodes[0].inputs[1].has_value());
  EXPECT_EQ(graph->values.size(), 2);
}

TEST(BuildGraphTest, ScopesOfBodiesCountConstantsAndNest) {
  const auto graph = GraphFromText(R"(
    g (float[4] x, bool c) => (float[4] y) {
      k = Constant<value_float = 1.0>()
      y = If (c) <
        then_branch = t () => (float[4] a) {
          n = Neg(x)
          a = If (c) <
            then_branch = tt () => (float[4] p) { p = Exp(n) },
            else_branch = te () => (float[4] q) { q = Abs(x) } >
        },
        else_branch = e () => (float[4] b) { b = Neg(x) } >
    })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  ValueNamed(*graph, "n", "1.then_branch");
  ValueNamed(*graph, "p", "1.then_branch/1.then_branch");
  ValueNamed(*graph, "b", "1.else_branch");
  // A captured value is the one of the graph around the body.
  const ModelNode& exp =
      graph->nodes[static_cast<size_t>(graph->bodies[2].nodes[0])];
  EXPECT_EQ(exp.op_type, "Exp");
  EXPECT_EQ(graph->values[static_cast<size_t>(*exp.inputs[0])].name, "n");
}

TEST(BuildGraphTest, ABodysOwnNameHidesTheOneAroundIt) {
  const auto graph = GraphFromText(R"(
    g (float[4] x, bool c) => (float[4] y) {
      n = Relu(x)
      y = If (c) <
        then_branch = t () => (float[4] a) { n = Neg(x)  a = Exp(n) },
        else_branch = e () => (float[4] b) { b = Abs(n) } >
    })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  for (const ModelNode& node : graph->nodes) {
    if (node.op_type != "Exp" && node.op_type != "Abs") continue;
    EXPECT_EQ(graph->values[static_cast<size_t>(*node.inputs[0])].scope,
              node.op_type == "Exp" ? "1.then_branch" : "");
  }
}

constexpr std::string_view kFunctions = R"(
  <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
  g (float[4] x) => (float[4] y) { y = local.Outer<alpha = 0.5>(x) }
  <domain: "local", opset_import: ["" : 17, "local" : 1]>
  Outer<alpha>(a) => (b) {
    t = LeakyRelu<alpha: float = @alpha>(a)
    b = local.Inner(t)
  }
  <domain: "local", opset_import: ["" : 17]>
  Inner(a) => (b) { n = Neg(a)  b = Exp(n) }
)";

TEST(BuildGraphTest, InlinesFunctionsByScopeNestedOnesToo) {
  const auto model = ReadModelFromBytes(kFunctions, "test.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto graph = BuildGraph(*model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Operators(*graph, 0), ElementsAre("LeakyRelu", "Neg", "Exp"));
  ValueNamed(*graph, "t", "0.Outer");
  ValueNamed(*graph, "n", "0.Outer/1.Inner");
  const auto* alpha =
      std::get_if<float>(&graph->nodes[0].attributes.at(0).value);
  ASSERT_NE(alpha, nullptr);
  EXPECT_EQ(*alpha, 0.5F);
  EXPECT_EQ(graph->nodes[2].outputs[0], graph->bodies[0].outputs[0]);
}

constexpr std::string_view kNormalized = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (float[2,3,4,5] x) => (float[2,3,4,5] y) {
    t = MeanVarianceNormalization(x)
    y = MeanVarianceNormalization<axes = [1]>(t)
  })";

TEST(BuildGraphTest, ExpandsASpecificationsFunctionThatHasNoRule) {
  const auto model = ReadModelFromBytes(kNormalized, "test.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  auto graph = BuildGraph(
      *model, [](const std::string&, const std::string& op, int64_t opset) {
        // Its nodes are of the opset that the function was written for.
        EXPECT_EQ(opset, op == "MeanVarianceNormalization" ? 17 : 13) << op;
        return op != "MeanVarianceNormalization";
      });
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Operators(*graph, 0), Contains("ReduceMean").Times(4));
  EXPECT_THAT(Operators(*graph, 0), Not(Contains("MeanVarianceNormalization")));
  ASSERT_TRUE(InferShapes({}, *graph).ok());
  // Over the default axes, 0, 2 and 3; then over those that are given.
  EXPECT_EQ(ToString(*ValueNamed(*graph, "X_RM", "0.MeanVarianceNormalization")
                          .type.shape),
            "[1, 3, 1, 1]");
  EXPECT_EQ(ToString(*ValueNamed(*graph, "X_RM", "1.MeanVarianceNormalization")
                          .type.shape),
            "[2, 1, 4, 5]");
}

TEST(BuildGraphTest, LeavesASpecificationsFunctionThatHasARuleAsItIs) {
  const auto model = ReadModelFromBytes(kNormalized, "test.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto graph = BuildGraph(*model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Operators(*graph, 0), ElementsAre("MeanVarianceNormalization",
                                                "MeanVarianceNormalization"));
}

TEST(BuildGraphTest, AFunctionThatCallsItselfIsAnError) {
  const auto model = ReadModelFromBytes(R"(
    <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    g (float[4] x) => (float[4] y) { y = local.F(x) }
    <domain: "local", opset_import: ["local" : 1]>
    F(a) => (b) { b = local.F(a) }
  )",
                                        "test.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto graph = BuildGraph(*model);
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(std::string(graph.status().message()),
              HasSubstr("does it call itself?"));
}

// 2^40 calls in the end, with and without a node to show for it.
TEST(BuildGraphTest, FunctionsThatDoubleAtEachLevelAreAnError) {
  for (const std::string_view innermost : {"b = Relu(a)", ""}) {
    std::string text = R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
      g (float[4] x) => (float[4] y) { y = f.F0(x) })";
    for (int i = 0; i < 40; ++i) {
      const std::string callee = "f.F" + std::to_string(i + 1);
      text += "<domain: \"f\", opset_import: [\"\" : 17, \"f\" : 1]> F" +
              std::to_string(i) + " (a) => (b) { t = " + callee +
              "(a) b = " + callee + "(t) }";
    }
    text += "<domain: \"f\", opset_import: [\"\" : 17]> F40 (a) => (" +
            std::string(innermost.empty() ? "a" : "b") + ") { " +
            std::string(innermost) + " }";
    const auto model = ReadModelFromBytes(text, "test.onnxtxt");
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_THAT(std::string(BuildGraph(*model).status().message()),
                HasSubstr("more than 1000000 nodes once"));
  }
}

TEST(BuildGraphTest, AnInputThatIsReturnedIsBoth) {
  const auto graph = GraphFromText(
      "g (float[4] x) => (float[4] y, float[4] x) { y = Relu(x) }");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const ModelValue& x = ValueNamed(*graph, "x");
  EXPECT_TRUE(x.is_graph_input);
  EXPECT_TRUE(x.is_graph_output);
  EXPECT_EQ(x.kind, ValueKind::kInput);
  EXPECT_THAT(graph->warnings, IsEmpty());
}

}  // namespace
}  // namespace memplan
