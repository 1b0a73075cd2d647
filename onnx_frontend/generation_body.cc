// The bodies of a text generation loop. B samples of S tokens, W beams each;
// the encoder sees [B, S] (Whisper's: features of sound, [B, F, frames]), the
// decoder B * W rows. Names of the inputs:
// onnxruntime/contrib_ops/cpu/transformers/subgraph_gpt.cc, subgraph_t5_*.cc,
// subgraph_whisper_*.cc.
#include "onnx_frontend/generation_body.h"

#include <string>
#include <string_view>
#include <utility>

#include "onnx_frontend/merge_types.h"
#include "onnx_frontend/node_context.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

constexpr int64_t kGpt = 0;
constexpr int64_t kT5 = 1;
constexpr int64_t kWhisper = 2;

struct Generation {
  bool has_encoder = false;
  bool hears = false;  // Whisper
  Dim batch;
  Dim rows;  // batch times beams
  Dim beams;
  Dim prompt;  // S
  Dim first;   // how many tokens the decoder begins with, after an encoder
  Dim heard;   // the length of what the encoder gives to the decoder
  Dim most;    // max_length
  Dim tokens;  // what the decoder gets at a step
  // How many tokens the decoder has seen after a step: at the last one, all but
  // the one that it makes. Unknown where nobody says how many there may be.
  Dim length;
  Dim past;  // how long the past is
};

// The decoder gets the whole prompt at first, unless another body does that,
// and then one token a step.
Dim TokensOf(NodeContext& node, std::string_view attribute, const Dim& prompt) {
  if (attribute == "init_decoder") return prompt;
  if (node.HasAttribute("init_decoder")) return 1;
  return node.DataDependentDim("tokens", prompt);
}

const ModelValue* InputNamed(const ModelGraph& graph, const ModelBody& body,
                             std::string_view name) {
  for (const ValueIndex input : body.inputs) {
    const ModelValue& value = graph.values[static_cast<size_t>(input)];
    if (value.name == name) return &value;
  }
  return nullptr;
}

// A decoder with an encoder may take all tokens so far instead of one.
bool TakesAllTokens(const Generation& it, const Type& input_ids) {
  return it.has_encoder && input_ids.has_shape() &&
         input_ids.shape->size() == 2 && !(*input_ids.shape)[1].Equals(1);
}

void AddLengths(NodeContext& node, const ModelBody& body, Generation& it) {
  const Dim& most = it.most;
  if (!most.is_number() || most.number() < 1) return;
  const bool is_first = body.attribute == "init_decoder";
  it.length = is_first ? it.prompt : node.DataDependentDim("length", most - 1);
  const ModelValue* ids = InputNamed(node.graph(), body, "input_ids");
  if (InputNamed(node.graph(), body, "past_sequence_length") != nullptr ||
      InputNamed(node.graph(), body, "past_seq_len") != nullptr) {
    it.past = most;  // present is written into past's buffer
  } else if (ids != nullptr && !TakesAllTokens(it, ids->declared)) {
    it.past = it.length - it.tokens;
  }
}

// Whisper's encoder shortens what it hears: its second output,
// [B, length, size], says how much.
Dim HeardLength(const ModelGraph& graph, const ModelNode& node) {
  for (const BodyIndex index : node.bodies) {
    const ModelBody& body = graph.bodies[static_cast<size_t>(index)];
    if (body.attribute != "encoder" || body.outputs.size() < 2) continue;
    const Type& states =
        graph.values[static_cast<size_t>(body.outputs[1])].type;
    if (states.has_shape() && states.shape->size() == 3) {
      return (*states.shape)[1];
    }
  }
  return Dim::Unknown();
}

int64_t ModelType(const NodeContext& node) {
  if (node.op_type() == "WhisperBeamSearch") return kWhisper;
  return node.Int("model_type", kGpt);
}

Generation GenerationOf(NodeContext& node, const ModelBody& body) {
  const std::string& attribute = body.attribute;
  Generation it;
  const bool has_beams =
      node.op_type() != "GreedySearch" && node.op_type() != "Sampling";
  it.has_encoder = ModelType(node) != kGpt;
  it.hears = ModelType(node) == kWhisper;
  it.batch = DimOf(node, 0, 0);
  it.beams = has_beams ? ScalarDim(node, 3) : Dim(1);
  it.prompt = DimOf(node, 0, 1);
  it.first = it.hears && node.HasInput(10) ? DimOf(node, 10, 1) : Dim(1);
  it.heard = it.hears ? HeardLength(node.graph(), node.node()) : it.prompt;
  it.most = ScalarDim(node, 1);
  it.rows = it.batch * it.beams;
  it.tokens = it.has_encoder ? Dim(1) : TokensOf(node, attribute, it.prompt);
  AddLengths(node, body, it);
  return it;
}

bool IsGeneration(const NodeContext& node) {
  if (node.node().domain != "com.microsoft") return false;
  const std::string& op = node.op_type();
  if (op != "BeamSearch" && op != "GreedySearch" && op != "Sampling" &&
      op != "WhisperBeamSearch") {
    return false;
  }
  const int64_t model = ModelType(node);
  return model == kGpt || model == kT5 || model == kWhisper;
}

// The shape of the input of this name; declared dimensions that the loop does
// not decide (heads, their size) stay.
Shape InputShape(const Generation& it, bool in_encoder, std::string_view name,
                 Shape declared) {
  const size_t rank = declared.size();
  const Dim rows = in_encoder ? it.batch : it.rows;
  const bool of_encoder = name.substr(0, 8) == "encoder_";
  if (name == "decoder_input_ids" && rank == 2) return {rows, it.first};
  if (name == "cache_indirection" && rank == 3) {
    return {it.batch, it.beams, it.most};
  }
  if (rank == 1) return {1};  // the length of the past, the number of beams
  if (of_encoder && rank >= 2) {
    declared[0] = rows;
    declared[1] = in_encoder ? it.prompt : it.heard;
  } else if ((name == "input_ids" || name == "position_ids") && rank == 2) {
    const bool all =
        TakesAllTokens(it, Type::Tensor(ElementType::kInt32, declared));
    declared = {rows, all ? it.length : it.tokens};
  } else if (name == "attention_mask" && rank == 2) {
    declared = {rows, it.length};
  } else if (rank == 5) {  // GPT's past: [2, rows, heads, length, size]
    declared = {2, rows, declared[2], it.past, declared[4]};
  } else if (rank == 4) {  // T5's: [rows, heads, length, size]
    const bool cross = name.find("cross") != std::string_view::npos;
    declared = {rows, declared[1], cross ? it.heard : it.past, declared[3]};
  } else {
    declared = UnknownShape(rank);
  }
  return declared;
}

}  // namespace

void TypeGenerationBody(ModelGraph& graph, NodeIndex node, BodyIndex body) {
  NodeContext context(graph, node);
  if (!IsGeneration(context)) return;
  const ModelBody& it = graph.bodies[static_cast<size_t>(body)];
  const Generation generation = GenerationOf(context, it);
  for (const ValueIndex input : it.inputs) {
    ModelValue& value = graph.values[static_cast<size_t>(input)];
    if (!value.declared.has_shape()) continue;
    Shape declared = *value.declared.shape;
    for (Dim& dim : declared) {
      if (!dim.is_number()) dim = Dim::Unknown();
    }
    const bool in_encoder = it.attribute == "encoder";
    value.type.shape =
        InputShape(generation, in_encoder, value.name, std::move(declared));
    if (generation.hears && in_encoder && value.name == "encoder_input_ids") {
      value.type.shape = ShapeOf(context, 0);
    }
    if (IsComplete(value.type)) {
      value.unknown_reason.clear();
    } else {
      value.unknown_reason =
          "shape depends on how many steps the generation has made";
    }
  }
}

}  // namespace memplan
