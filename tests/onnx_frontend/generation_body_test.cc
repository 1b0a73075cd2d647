#include "onnx_frontend/generation_body.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace memplan {
namespace {

ValueIndex AddValue(ModelGraph& graph, std::string name, Type declared) {
  ModelValue value;
  value.name = std::move(name);
  value.type = declared;
  value.declared = std::move(declared);
  graph.values.push_back(std::move(value));
  return static_cast<ValueIndex>(graph.values.size() - 1);
}

Type Int32(Shape shape) {
  return Type::Tensor(ElementType::kInt32, std::move(shape));
}

Type Float(Shape shape) {
  return Type::Tensor(ElementType::kFloat, std::move(shape));
}

// A generation node over 2 prompts of 8 tokens, with one body.
ModelGraph OneLoop(const std::string& op, const std::string& attribute) {
  ModelGraph graph;
  graph.bodies.resize(2);
  graph.bodies[1].attribute = attribute;
  ModelNode node;
  node.op_type = op;
  node.domain = "com.microsoft";
  node.name = "loop";
  node.inputs = {AddValue(graph, "input_ids", Int32({2, 8})),
                 AddValue(graph, "max_length", Int32({1})), std::nullopt,
                 AddValue(graph, "num_beams", Int32({1}))};
  graph.values.back().value =
      TensorValue::Vector(ElementType::kInt32, {Dim(3)});
  node.outputs = {AddValue(graph, "sequences", Type())};
  graph.nodes.push_back(std::move(node));
  return graph;
}

std::string InputType(ModelGraph& graph, std::string name, Type declared) {
  const ValueIndex input =
      AddValue(graph, std::move(name), std::move(declared));
  graph.bodies[1].inputs.push_back(input);
  TypeGenerationBody(graph, 0, 1);
  return ToString(graph.values[static_cast<size_t>(input)].type);
}

TEST(GenerationBodyTest, ADecoderGetsThePromptAndThenTokenByToken) {
  ModelGraph graph = OneLoop("GreedySearch", "decoder");
  EXPECT_EQ(InputType(graph, "input_ids", Int32({Dim(), Dim()})),
            "int32[2, tokens(sequences)]");
  EXPECT_EQ(graph.symbol_ranges.at("tokens(sequences)"),
            std::make_pair(int64_t{0}, int64_t{8}));
  EXPECT_EQ(InputType(graph, "past_0", Float({2, Dim(), 4, Dim(), 16})),
            "float32[2, 2, 4, ?, 16]");
}

void SayMaxLength(ModelGraph& graph, int64_t length) {
  graph.values[1].value =
      TensorValue::Vector(ElementType::kInt32, {Dim(length)});
}

TEST(GenerationBodyTest, MaxLengthBoundsWhatTheDecoderHasSeen) {
  ModelGraph graph = OneLoop("GreedySearch", "decoder");
  SayMaxLength(graph, 12);
  InputType(graph, "input_ids", Int32({Dim(), Dim()}));
  EXPECT_EQ(InputType(graph, "attention_mask", Int32({Dim(), Dim()})),
            "int32[2, length(sequences)]");
  EXPECT_EQ(graph.symbol_ranges.at("length(sequences)"),
            std::make_pair(int64_t{0}, int64_t{11}));
  EXPECT_EQ(InputType(graph, "past_0", Float({2, Dim(), 4, Dim(), 16})),
            "float32[2, 2, 4, length(sequences) - tokens(sequences), 16]");
  // One buffer for past and present, from the start.
  InputType(graph, "past_sequence_length", Int32({1}));
  EXPECT_EQ(InputType(graph, "past_1", Float({2, Dim(), 4, Dim(), 16})),
            "float32[2, 2, 4, 12, 16]");
}

TEST(GenerationBodyTest, ADecoderMayTakeAllTokensInsteadOfOne) {
  ModelGraph graph = OneLoop("BeamSearch", "decoder");
  graph.nodes[0].attributes.push_back({"model_type", int64_t{1}});
  SayMaxLength(graph, 10);
  EXPECT_EQ(InputType(graph, "input_ids", Int32({Dim(), Dim()})),
            "int32[6, length(sequences)]");
  EXPECT_EQ(InputType(graph, "past_key_self_0", Float({Dim(), 4, Dim(), 16})),
            "float32[6, 4, ?, 16]");
}

TEST(GenerationBodyTest, EachBeamIsARow) {
  ModelGraph graph = OneLoop("BeamSearch", "decoder");
  graph.nodes[0].attributes.push_back({"model_type", int64_t{1}});
  EXPECT_EQ(InputType(graph, "input_ids", Int32({Dim(), 1})), "int32[6, 1]");
  EXPECT_EQ(InputType(graph, "past_cross_key_0", Float({Dim(), 4, Dim(), 16})),
            "float32[6, 4, 8, 16]");
}

TEST(GenerationBodyTest, AnEncoderSeesEachPromptOnce) {
  ModelGraph graph = OneLoop("BeamSearch", "encoder");
  graph.nodes[0].attributes.push_back({"model_type", int64_t{1}});
  EXPECT_EQ(InputType(graph, "encoder_input_ids", Int32({Dim(), Dim()})),
            "int32[2, 8]");
  EXPECT_EQ(InputType(graph, "decoder_input_ids", Int32({Dim(), Dim()})),
            "int32[2, 1]");
}

// Adds an encoder that gives states of 1500 positions to the loop.
void AddEncoder(ModelGraph& graph) {
  ModelBody encoder;
  encoder.attribute = "encoder";
  encoder.outputs = {AddValue(graph, "logits", Float({2, 1, 99})),
                     AddValue(graph, "states", Float({2, 1500, 64}))};
  graph.bodies.push_back(std::move(encoder));
  graph.nodes[0].bodies = {1, 2};
}

TEST(GenerationBodyTest, WhispersDecoderReadsAsMuchAsItsEncoderGives) {
  ModelGraph graph = OneLoop("WhisperBeamSearch", "decoder");
  AddEncoder(graph);
  SayMaxLength(graph, 12);
  EXPECT_EQ(InputType(graph, "input_ids", Int32({Dim(), 1})), "int32[6, 1]");
  EXPECT_EQ(InputType(graph, "past_key_cross_0", Float({Dim(), 4, Dim(), 16})),
            "float32[6, 4, 1500, 16]");
  EXPECT_EQ(InputType(graph, "past_key_self_0", Float({Dim(), 4, Dim(), 16})),
            "float32[6, 4, length(sequences) - 1, 16]");
  EXPECT_EQ(InputType(graph, "cache_indirection", Int32({Dim(), Dim(), Dim()})),
            "int32[2, 3, 12]");
}

TEST(GenerationBodyTest, WhispersEncoderHearsTheNodesOwnInput) {
  ModelGraph graph = OneLoop("BeamSearch", "encoder");
  graph.nodes[0].attributes.push_back({"model_type", int64_t{2}});
  graph.values[0].type = Float({2, 80, 3000});
  EXPECT_EQ(InputType(graph, "encoder_input_ids", Float({Dim(), 80, Dim()})),
            "float32[2, 80, 3000]");
}

TEST(GenerationBodyTest, OtherBodiesStayAsTheyAre) {
  ModelGraph graph = OneLoop("SomeOtherLoop", "decoder");
  EXPECT_EQ(InputType(graph, "input_ids", Int32({Dim(), Dim()})),
            "int32[?, ?]");
}

}  // namespace
}  // namespace memplan
