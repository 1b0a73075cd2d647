#include "onnx_frontend/onnxruntime_graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/onnxruntime_cast_pairs.h"
#include "onnx_frontend/onnxruntime_casts.h"
#include "onnx_frontend/onnxruntime_dequantize.h"
#include "onnx_frontend/onnxruntime_facts.h"

namespace memplan {
namespace {

// Where values and nodes go when others leave; unset: they leave.
using Moves = std::vector<std::optional<int32_t>>;

template <typename T>
void MoveAll(const Moves& moves, std::vector<T>& items) {
  size_t kept = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!moves[i]) continue;
    if (kept != i) items[kept] = std::move(items[i]);
    ++kept;
  }
  items.resize(kept);
}

void Renumber(const Moves& moves, std::vector<std::optional<int32_t>>& links) {
  for (std::optional<int32_t>& link : links) {
    if (link) link = moves[static_cast<size_t>(*link)];
  }
}

void RemoveNodes(const std::vector<bool>& is_gone, ModelGraph& graph) {
  Moves moves(graph.nodes.size());
  int32_t next = 0;
  for (size_t n = 0; n < moves.size(); ++n) {
    if (!is_gone[n]) moves[n] = next++;
  }
  MoveAll(moves, graph.nodes);
  for (ModelBody& body : graph.bodies) {
    for (NodeIndex& n : body.nodes) n = *moves[static_cast<size_t>(n)];
  }
}

// A float32 value whose Cast to float16 is gone takes the name and the place of
// the model's float16 value; copies that nobody makes any more go.
void MergeSingles(const std::vector<InsertedCast>& casts,
                  const std::vector<bool>& is_gone, ModelGraph& graph,
                  OnnxRuntimeFacts& facts) {
  Moves moves(graph.values.size());
  for (size_t v = 0; v < moves.size(); ++v) moves[v] = static_cast<int32_t>(v);
  Moves kept = moves;
  for (const InsertedCast& cast : casts) {
    if (!is_gone[static_cast<size_t>(cast.node)]) continue;
    const auto single = static_cast<size_t>(cast.single);
    kept[single].reset();
    if (!cast.makes_half) continue;
    const auto half = static_cast<size_t>(cast.half);
    moves[single] = cast.half;
    graph.values[half].type = graph.values[single].type;
    facts.values[half] = facts.values[single];
  }
  int32_t next = 0;
  for (std::optional<int32_t>& to : kept) {
    if (to) to = next++;
  }
  for (std::optional<int32_t>& to : moves) to = kept[static_cast<size_t>(*to)];
  MoveAll(kept, graph.values);
  MoveAll(kept, facts.values);
  for (ModelNode& node : graph.nodes) {
    Renumber(moves, node.inputs);
    Renumber(moves, node.outputs);
  }
}

}  // namespace

void MakeOnnxRuntimeGraph(ModelGraph& graph, OnnxRuntimeFacts& facts) {
  for (const ValueIndex original : RepeatDequantize(graph)) {
    OnnxRuntimeFacts::Value copy = facts.values[static_cast<size_t>(original)];
    facts.values.push_back(std::move(copy));
  }
  const std::vector<InsertedCast> casts = InsertCasts(graph);
  facts.values.resize(graph.values.size());
  for (const InsertedCast& cast : casts) {
    OnnxRuntimeFacts::Value& single =
        facts.values[static_cast<size_t>(cast.single)];
    single = facts.values[static_cast<size_t>(cast.half)];
    single.element_bytes = 4;
  }
  const std::vector<bool> is_gone = RemoveCastPairs(graph);
  MergeSingles(casts, is_gone, graph, facts);
  RemoveNodes(is_gone, graph);
  facts.rules.clear();
  for (const ModelNode& node : graph.nodes) {
    facts.rules.push_back(OnnxRuntimeRulesOf(node));
  }
}

}  // namespace memplan
