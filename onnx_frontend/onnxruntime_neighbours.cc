#include "onnx_frontend/onnxruntime_neighbours.h"

#include <algorithm>
#include <cstddef>

#include "planner/order_onnxruntime.h"
#include "planner/reads.h"

namespace memplan {
namespace {

// Who reads what alone: what the planner's Graph says of sizes is not needed.
Graph LinksOf(const ModelGraph& graph) {
  Graph links;
  links.values.resize(graph.values.size());
  for (size_t v = 0; v < graph.values.size(); ++v) {
    links.values[v].kind = graph.values[v].kind;
  }
  for (const ModelNode& node : graph.nodes) {
    Node& added = links.nodes.emplace_back();
    added.file_slot = node.file_slot;
    added.bodies = node.bodies;
    for (const auto& input : node.inputs) {
      if (input) added.inputs.push_back(*input);
    }
    for (const auto& output : node.outputs) {
      if (output) added.outputs.push_back(*output);
    }
  }
  for (const ModelBody& body : graph.bodies) {
    Body& added = links.bodies.emplace_back();
    added.nodes = body.nodes;
    added.inputs = body.inputs;
    added.outputs = body.outputs;
  }
  return links;
}

}  // namespace

Neighbours NeighboursOf(const ModelGraph& graph) {
  const Graph links = LinksOf(graph);
  Neighbours found;
  found.index = IndexGraph(links);
  found.schedule = OnnxRuntimeOrder(links);
  found.readers.resize(graph.values.size());
  const auto reads = ReadsByNode(links, found.index);
  for (size_t n = 0; n < reads.size(); ++n) {
    for (ValueIndex v : reads[n]) {
      found.readers[static_cast<size_t>(v)].push_back(
          static_cast<NodeIndex>(n));
    }
  }
  found.is_output.resize(graph.values.size());
  for (const ModelBody& body : graph.bodies) {
    for (ValueIndex v : body.outputs) {
      found.is_output[static_cast<size_t>(v)] = true;
    }
    found.by_file_slot.push_back(body.nodes);
    std::stable_sort(found.by_file_slot.back().begin(),
                     found.by_file_slot.back().end(),
                     [&](NodeIndex a, NodeIndex b) {
                       return graph.nodes[static_cast<size_t>(a)].file_slot <
                              graph.nodes[static_cast<size_t>(b)].file_slot;
                     });
  }
  return found;
}

}  // namespace memplan
