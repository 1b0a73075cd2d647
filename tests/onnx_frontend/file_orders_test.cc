#include "onnx_frontend/file_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"
#include "onnx_frontend/lower_graph.h"
#include "onnx_frontend/reorder_bytes.h"
#include "onnx_frontend/wire_walk.h"
#include "planner/order_onnxruntime.h"
#include "tests/onnx_frontend/graph_test_util.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// The orders for the file where each body runs its nodes in the sequence of
// their names; those without a name keep their place among each other.
FileOrders OrdersByName(const Model& model) {
  absl::StatusOr<ModelGraph> resolved = BuildGraph(model);
  EXPECT_TRUE(resolved.ok()) << resolved.status();
  const absl::StatusOr<Graph> graph = LowerGraph(*resolved);
  EXPECT_TRUE(graph.ok()) << graph.status();
  Schedule schedule = FileOrder(*graph);
  for (std::vector<NodeIndex>& order : schedule.orders) {
    std::stable_sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) {
      return graph->nodes[static_cast<size_t>(a)].name <
             graph->nodes[static_cast<size_t>(b)].name;
    });
  }
  return OrdersForFile(model, *graph, schedule);
}

// A model of nodes without names in text: `names` gives them some, by the first
// output.
Model Named(std::string_view text,
            const std::map<std::string, std::string>& names) {
  absl::StatusOr<Model> model = ModelFromText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  auto proto = std::make_shared<onnx::ModelProto>(*model->proto);
  const auto name_nodes = [&](const auto& self, auto* nodes) -> void {
    for (onnx::NodeProto& node : *nodes) {
      const auto it = names.find(node.output(0));
      if (it != names.end()) node.set_name(it->second);
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) {
          self(self, attribute.mutable_g()->mutable_node());
        }
      }
    }
  };
  name_nodes(name_nodes, proto->mutable_graph()->mutable_node());
  for (auto& function : *proto->mutable_functions()) {
    name_nodes(name_nodes, function.mutable_node());
  }
  model->proto = std::move(proto);
  return *std::move(model);
}

TEST(FileOrdersTest, NodesFollowTheScheduleAndConstantsTheirFirstReader) {
  const Model model = Named(R"(
    g (float[2] x) => (float[2] y) {
      c = Constant<value = float[2] {1.0, 2.0}>()
      d = Constant<value = float[2] {3.0, 4.0}>()
      a = Add(x, c)
      b = Add(x, d)
      y = Add(a, b)
    })",
                            {{"b", "1"}, {"a", "2"}, {"y", "3"}});
  EXPECT_THAT(OrdersByName(model),
              ElementsAre(Pair("", ElementsAre(1, 3, 0, 2, 4))));
}

TEST(FileOrdersTest, AFileThatIsInOrderStays) {
  const Model model = Named(R"(
    g (float[2] x) => (float[2] y) {
      c = Constant<value = float[2] {1.0, 2.0}>()
      a = Exp(x)
      y = Add(a, c)
    })",
                            {{"a", "1"}, {"y", "2"}});
  // The constant could stand later, but nobody has asked for it.
  EXPECT_THAT(OrdersByName(model), IsEmpty());
}

TEST(FileOrdersTest, BodiesHaveOrdersOfTheirOwnAndCapturesCount) {
  const Model model = Named(
      R"(
    g (float[2] x, bool flag) => (float[2] y, float[2] z) {
      z = Exp(x)
      a = Exp(x)
      y = If (flag) <
        then_branch = t () => (float[2] s) { p = Exp(a) q = Abs(x) s = Add(p, q) },
        else_branch = e () => (float[2] s) { p = Abs(x) s = Exp(p) }
      >
    })",
      {{"y", "1"}, {"q", "1"}, {"p", "2"}, {"s", "3"}, {"a", "2"}, {"z", "3"}});
  // The If wants to be first, but needs `a` before.
  EXPECT_THAT(OrdersByName(model),
              ElementsAre(Pair("", ElementsAre(1, 2, 0)),
                          Pair("2.then_branch", ElementsAre(1, 0, 2))));
}

TEST(FileOrdersTest, AShadowedNameIsNoCapture) {
  const Model model = Named(R"(
    g (float[2] x, bool flag) => (float[2] t) {
      a = Exp(x)
      b = If (flag) <
        then_branch = t () => (float[2] s) { t = Exp(x) s = Exp(t) },
        else_branch = e () => (float[2] s) { s = Exp(x) }
      >
      t = Add(a, b)
    })",
                            {{"b", "1"}, {"a", "2"}, {"t", "3"}, {"s", "4"}});
  EXPECT_THAT(OrdersByName(model), ElementsAre(Pair("", ElementsAre(1, 0, 2))));
}

constexpr std::string_view kCall = R"(
  <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
  g (float[2] x, bool flag) => (float[2] y) {
    a = Abs(x)
    b, c = local.twice(x, a)
    d = Exp(b)
    y = Sum(a, c, d)
  }
  <opset_import: ["" : 17], domain: "local">
  twice (m, n) => (o, p) { o = Exp(m) p = Exp(n) }
)";

TEST(FileOrdersTest, ACallStaysTogether) {
  absl::StatusOr<Model> model = ReadModelFromBytes(kCall, "call.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  absl::StatusOr<ModelGraph> resolved = BuildGraph(*model);
  const absl::StatusOr<Graph> graph = LowerGraph(*resolved);
  ASSERT_TRUE(graph.ok()) << graph.status();
  // o = Exp(m), d = Exp(b), a = Abs(x), p = Exp(n), y: the call is begun first,
  // and needs `a` whole.
  Schedule schedule = FileOrder(*graph);
  ASSERT_EQ(schedule.orders[0].size(), 5u);
  schedule.orders[0] = {1, 3, 0, 2, 4};
  EXPECT_THAT(OrdersForFile(*model, *graph, schedule), IsEmpty());
  schedule.orders[0] = {0, 1, 2, 3, 4};
  EXPECT_THAT(OrdersForFile(*model, *graph, schedule), IsEmpty());
}

TEST(FileOrdersTest, RandomNodesStayInOrderThoughACallIsBegunBefore) {
  absl::StatusOr<Model> model = ReadModelFromBytes(R"(
    <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    g (float[2] x) => (float[2] r, float[2] p, float[2] o) {
      r = RandomNormalLike(x)
      o, p = local.twice(x)
    }
    <opset_import: ["" : 17], domain: "local">
    twice (m) => (o, p) { o = Exp(m) p = RandomNormalLike(m) }
  )",
                                                   "call.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  absl::StatusOr<ModelGraph> resolved = BuildGraph(*model);
  const absl::StatusOr<Graph> graph = LowerGraph(*resolved);
  ASSERT_TRUE(graph.ok()) << graph.status();
  Schedule schedule = FileOrder(*graph);
  schedule.orders[0] = {1, 0, 2};
  EXPECT_THAT(OrdersForFile(*model, *graph, schedule), IsEmpty());
}

// A node as bytes, with a field that nobody knows.
std::string NodeBytes(const std::string& op) {
  onnx::NodeProto node;
  node.set_op_type(op);
  std::string bytes = node.SerializeAsString();
  AppendBytesHeader(99, op.size(), bytes);
  bytes += op;
  std::string field;
  AppendBytesHeader(1, bytes.size(), field);
  return field + bytes;
}

std::string Field(uint32_t number, const std::string& payload) {
  std::string field;
  AppendBytesHeader(number, payload.size(), field);
  return field + payload;
}

absl::StatusOr<std::string> InOrder(const std::string& file,
                                    const FileOrders& orders) {
  const auto size = static_cast<int64_t>(file.size());
  const auto ranges = RangesInOrder(file, {{0, size}}, orders);
  if (!ranges.ok()) return ranges.status();
  std::string bytes;
  for (const ByteRange& range : *ranges) {
    bytes += file.substr(static_cast<size_t>(range.begin),
                         static_cast<size_t>(range.end - range.begin));
  }
  return bytes;
}

TEST(ReorderBytesTest, NodesChangeTheirSlotsAndNothingElse) {
  const std::string a = NodeBytes("A"), b = NodeBytes("Bbb"),
                    c = NodeBytes("Cc");
  const std::string name = Field(2, "name"), unknown = Field(77, "between");
  const std::string model = Field(2, "producer") +
                            Field(7, a + name + b + unknown + c) +
                            Field(999, "news");
  EXPECT_EQ(*InOrder(model, {{"", {2, 0, 1}}}),
            Field(2, "producer") + Field(7, c + name + a + unknown + b) +
                Field(999, "news"));
  EXPECT_EQ(*InOrder(model, {}), model);
}

TEST(ReorderBytesTest, BodiesChangeInsideTheirNodes) {
  const std::string a = NodeBytes("A"), b = NodeBytes("Bbb");
  const auto with_bodies = [&](const std::string& first,
                               const std::string& second) {
    const std::string attributes =
        Field(5, Field(6, first) + Field(1, "body")) +
        Field(5, Field(1, "more") + Field(11, "") + Field(11, second));
    return Field(1, Field(4, "Op") + attributes);
  };
  const std::string model = Field(7, a + with_bodies(a + b, b + a));
  EXPECT_EQ(*InOrder(model, {{"", {1, 0}}, {"1.body", {1, 0}}}),
            Field(7, with_bodies(b + a, b + a) + a));
  EXPECT_EQ(*InOrder(model, {{"1.more[1]", {1, 0}}}),
            Field(7, a + with_bodies(a + b, a + b)));
}

TEST(ReorderBytesTest, RefusesAGraphInPiecesAndAFileThatChanged) {
  const std::string a = NodeBytes("A");
  EXPECT_THAT(
      InOrder(Field(7, a + a) + Field(7, a), {{"", {1, 0}}}).status().message(),
      HasSubstr("several pieces"));
  EXPECT_THAT(InOrder(Field(7, a + a + a), {{"", {1, 0}}}).status().message(),
              HasSubstr("a graph of 3 nodes, not 2"));
}

}  // namespace
}  // namespace memplan
