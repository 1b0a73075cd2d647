#include "onnx_frontend/fingerprint.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "onnx_frontend/read_model.h"

namespace memplan {
namespace {

onnx::ModelProto Parsed(const std::string& text) {
  auto model = ReadModelFromBytes(text, "m.onnxtxt");
  EXPECT_TRUE(model.ok()) << model.status();
  return *model->proto;
}

onnx::ModelProto Example() {
  onnx::ModelProto model = Parsed(R"(
    < ir_version: 8, opset_import: ["" : 17, "local" : 1] >
    g (float[N, 4] x, bool c) => (float[N, 4] y) {
      two = Constant <value = float {2.0}> ()
      a = local.Twice (x)
      b = Reshape <allowzero = 0> (a, shape)
      y = If (c) <then_branch = g1 () => (float[N, 4] t) { t = Relu (b) },
                  else_branch = g2 () => (float[N, 4] e) { e = Mul (b, w) }>
    }
    < domain: "local", opset_import: ["" : 17] >
    Twice (v) => (r) { r = Add (v, v) })");
  auto* graph = model.mutable_graph();
  auto* shape = graph->add_initializer();
  shape->set_name("shape");
  shape->set_data_type(onnx::TensorProto::INT64);
  shape->add_dims(2);
  shape->add_int64_data(-1);
  shape->add_int64_data(4);
  auto* weight = graph->add_initializer();
  weight->set_name("w");
  weight->set_data_type(onnx::TensorProto::FLOAT);
  weight->add_dims(4);
  weight->set_raw_data(std::string(16, 'w'));
  return model;
}

Fingerprint Of(const onnx::ModelProto& model) {
  auto read = ReadModelFromBytes(model.SerializeAsString(), "m.onnx");
  EXPECT_TRUE(read.ok()) << read.status();
  return FingerprintModel(*read);
}

struct Change {
  const char* what;
  std::function<void(onnx::ModelProto&)> make;
};

onnx::NodeProto& Node(onnx::ModelProto& m, int i) {
  return *m.mutable_graph()->mutable_node(i);
}

TEST(FingerprintTest, EveryChangeOfTheStructureIsNoticed) {
  const std::vector<Change> changes = {
      {"operator", [](auto& m) { Node(m, 2).set_op_type("Expand"); }},
      {"domain", [](auto& m) { Node(m, 2).set_domain("other"); }},
      {"edge", [](auto& m) { Node(m, 2).set_input(0, "x"); }},
      {"empty input", [](auto& m) { Node(m, 2).add_input(""); }},
      {"output's name", [](auto& m) { Node(m, 1).set_output(0, "z"); }},
      {"more outputs", [](auto& m) { Node(m, 3).add_output("q"); }},
      {"attribute", [](auto& m) { Node(m, 2).mutable_attribute(0)->set_i(1); }},
      {"attribute's name",
       [](auto& m) { Node(m, 2).mutable_attribute(0)->set_name("axis"); }},
      {"no attribute", [](auto& m) { Node(m, 2).clear_attribute(); }},
      {"order",
       [](auto& m) { m.mutable_graph()->mutable_node()->SwapElements(0, 1); }},
      {"a node less",
       [](auto& m) { m.mutable_graph()->mutable_node()->RemoveLast(); }},
      {"node in a body",
       [](auto& m) {
         Node(m, 3)
             .mutable_attribute(0)
             ->mutable_g()
             ->mutable_node(0)
             ->set_op_type("Exp");
       }},
      {"node in a function",
       [](auto& m) {
         m.mutable_functions(0)->mutable_node(0)->set_op_type("Sub");
       }},
      {"dimension",
       [](auto& m) {
         m.mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_tensor_type()
             ->mutable_shape()
             ->mutable_dim(1)
             ->set_dim_value(5);
       }},
      {"symbol",
       [](auto& m) {
         m.mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_tensor_type()
             ->mutable_shape()
             ->mutable_dim(0)
             ->set_dim_param("M");
       }},
      {"no rank",
       [](auto& m) {
         m.mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_tensor_type()
             ->clear_shape();
       }},
      {"element type",
       [](auto& m) {
         m.mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_tensor_type()
             ->set_elem_type(11);
       }},
      {"initializer's shape",
       [](auto& m) {
         m.mutable_graph()->mutable_initializer(1)->set_dims(0, 2);
       }},
      {"initializer's type",
       [](auto& m) {
         m.mutable_graph()->mutable_initializer(1)->set_data_type(10);
       }},
      {"small integer",
       [](auto& m) {
         m.mutable_graph()->mutable_initializer(0)->set_int64_data(1, 2);
       }},
      {"opset", [](auto& m) { m.mutable_opset_import(0)->set_version(18); }},
      {"value_info",
       [](auto& m) { m.mutable_graph()->add_value_info()->set_name("a"); }},
      {"IR below 4", [](auto& m) { m.set_ir_version(3); }},
  };
  const Fingerprint before = Of(Example());
  for (const Change& change : changes) {
    onnx::ModelProto model = Example();
    change.make(model);
    EXPECT_NE(Of(model), before) << change.what;
  }
}

TEST(FingerprintTest, WeightsNamesAndMetadataDoNotMatter) {
  const std::vector<Change> changes = {
      {"weight",
       [](auto& m) {
         m.mutable_graph()->mutable_initializer(1)->set_raw_data(
             std::string(16, 'v'));
       }},
      {"weight, typed",
       [](auto& m) {
         auto* w = m.mutable_graph()->mutable_initializer(1);
         w->clear_raw_data();
         for (int i = 0; i < 4; ++i) w->add_float_data(1);
       }},
      {"weight, external",
       [](auto& m) {
         auto* w = m.mutable_graph()->mutable_initializer(1);
         w->clear_raw_data();
         w->set_data_location(onnx::TensorProto::EXTERNAL);
         w->add_external_data()->set_key("location");
       }},
      {"constant's value",
       [](auto& m) {
         Node(m, 0).mutable_attribute(0)->mutable_t()->set_float_data(0, 3);
       }},
      {"integers, raw",
       [](auto& m) {
         auto* s = m.mutable_graph()->mutable_initializer(0);
         s->clear_int64_data();
         s->set_raw_data(std::string(8, '\xff') + '\4' + std::string(7, '\0'));
       }},
      {"node's name", [](auto& m) { Node(m, 1).set_name("n"); }},
      {"graph's name", [](auto& m) { m.mutable_graph()->set_name("h"); }},
      {"documentation", [](auto& m) { Node(m, 1).set_doc_string("d"); }},
      {"producer", [](auto& m) { m.set_producer_name("p"); }},
      {"metadata", [](auto& m) { m.add_metadata_props()->set_key("k"); }},
      {"newer IR", [](auto& m) { m.set_ir_version(9); }},
      {"order of initializers",
       [](auto& m) {
         m.mutable_graph()->mutable_initializer()->SwapElements(0, 1);
       }},
      {"order of attributes",
       [](auto& m) { Node(m, 3).mutable_attribute()->SwapElements(0, 1); }},
      {"ONNX's domain by name",
       [](auto& m) {
         m.mutable_opset_import(0)->set_domain("ai.onnx");
         Node(m, 2).set_domain("ai.onnx");
       }},
  };
  const Fingerprint before = Of(Example());
  for (const Change& change : changes) {
    onnx::ModelProto model = Example();
    change.make(model);
    EXPECT_EQ(Of(model), before) << change.what;
  }
}

TEST(FingerprintTest, FloatsThatDecideAboutShapesDoMatter) {
  onnx::ModelProto model = Example();
  onnx::NodeProto& node = Node(model, 2);
  node.set_op_type("Resize");
  node.clear_input();
  for (const char* name : {"a", "", "scales"}) node.add_input(name);
  auto* scales = model.mutable_graph()->add_initializer();
  scales->set_name("scales");
  scales->set_data_type(onnx::TensorProto::FLOAT);
  scales->add_dims(2);
  scales->add_float_data(1);
  scales->add_float_data(2);
  const Fingerprint before = Of(model);
  scales->set_float_data(1, 3);
  EXPECT_NE(Of(model), before);
}

TEST(FingerprintTest, QuantizedBiasesAreWeights) {
  onnx::ModelProto model = Example();
  onnx::NodeProto& node = Node(model, 2);
  node.set_op_type("QLinearConv");
  while (node.input_size() < 8) node.add_input("x");
  node.add_input("bias");
  auto* bias = model.mutable_graph()->add_initializer();
  bias->set_name("bias");
  bias->set_data_type(onnx::TensorProto::INT32);
  bias->add_dims(1);
  bias->add_int32_data(1);
  const Fingerprint before = Of(model);
  bias->set_int32_data(0, 2);
  EXPECT_EQ(Of(model), before);
}

// Plans in the field carry these numbers: they may never change.
TEST(FingerprintTest, IsTheSameOnEveryMachine) {
  EXPECT_EQ(ToString(Of(Example())), "4806a0538a34ac9fa81c36e37fd7daef");
}

}  // namespace
}  // namespace memplan
