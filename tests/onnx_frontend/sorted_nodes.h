#ifndef MEMPLAN_TESTS_ONNX_FRONTEND_SORTED_NODES_H_
#define MEMPLAN_TESTS_ONNX_FRONTEND_SORTED_NODES_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_frontend/wire_walk.h"

namespace memplan {

// The message's bytes with the nodes of each graph in it sorted: equal for two
// models where they differ in the order of nodes alone. `message` is "model",
// "graph", "node" or "attribute". The bytes must be a readable model's.
inline std::string WithSortedNodes(std::string_view bytes,
                                   std::string_view message = "model") {
  std::string result;
  std::vector<std::string> nodes;
  WireWalk walk(bytes);
  for (WireField field; walk.Next(field);) {
    std::string_view inner;
    const uint32_t number = field.type == WireType::kBytes ? field.number : 0;
    if (message == "model" && number == 7) inner = "graph";
    if (message == "graph" && number == 1) inner = "node";
    if (message == "node" && number == 5) inner = "attribute";
    if (message == "attribute" && (number == 6 || number == 11)) {
      inner = "graph";
    }
    const auto at = [](int64_t offset) { return static_cast<size_t>(offset); };
    std::string copy(bytes.substr(
        at(field.begin),
        at(inner.empty() ? field.end : field.payload_begin) - at(field.begin)));
    if (!inner.empty()) copy += WithSortedNodes(Payload(bytes, field), inner);
    if (inner == "node") nodes.push_back(copy);
    result += inner == "node" ? "(a node)" : copy;
  }
  std::sort(nodes.begin(), nodes.end());
  for (const std::string& node : nodes) result += node;
  return result;
}

}  // namespace memplan

#endif  // MEMPLAN_TESTS_ONNX_FRONTEND_SORTED_NODES_H_
