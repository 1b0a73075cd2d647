#ifndef MEMPLAN_TESTS_ONNX_FRONTEND_GRAPH_TEST_UTIL_H_
#define MEMPLAN_TESTS_ONNX_FRONTEND_GRAPH_TEST_UTIL_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/infer_shapes.h"
#include "onnx_frontend/read_model.h"
#include "planner/strings.h"

namespace memplan {

// A model in ONNX's text syntax, after a header of IR 8 and opset 17.
inline absl::StatusOr<Model> ModelFromText(std::string_view graph) {
  return ReadModelFromBytes(
      absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]>\n",
                   AsAbsl(graph)),
      "test.onnxtxt");
}

// The graph with its names resolved; errors go through.
inline absl::StatusOr<ModelGraph> GraphFromText(std::string_view graph) {
  const absl::StatusOr<Model> model = ModelFromText(graph);
  if (!model.ok()) return model.status();
  absl::StatusOr<ModelGraph> built = BuildGraph(*model);
  // Node protos point into the model, which ends here; the tests do not follow
  // them.
  if (built.ok()) {
    for (ModelNode& node : built->nodes) node.proto = nullptr;
  }
  return built;
}

inline const ModelValue& ValueNamed(const ModelGraph& graph,
                                    std::string_view name,
                                    std::string_view scope = "") {
  for (const ModelValue& value : graph.values) {
    if (value.name == name && value.scope == scope) return value;
  }
  ADD_FAILURE() << "no value '" << name << "' in scope '" << scope << "'";
  static const ModelValue none;
  return none;
}

// The graph with types; fails the test where it has none.
inline ModelGraph Inferred(std::string_view text,
                           const InputOptions& options = {}) {
  absl::StatusOr<ModelGraph> graph = GraphFromText(text);
  if (!graph.ok()) {
    ADD_FAILURE() << graph.status();
    return {};
  }
  const auto dims = InferShapes(options, *graph);
  EXPECT_TRUE(dims.ok()) << dims.status();
  return *std::move(graph);
}

inline std::string TypeOf(const ModelGraph& graph, std::string_view name,
                          std::string_view scope = "") {
  return ToString(ValueNamed(graph, name, scope).type);
}

}  // namespace memplan

#endif  // MEMPLAN_TESTS_ONNX_FRONTEND_GRAPH_TEST_UTIL_H_
