// Nodes in another order in the file: any bytes, any permutation of each
// graph's nodes, in an order for memory or ONNX Runtime's, too. Nothing but the
// places of nodes may change, and what is read afterwards is what the plan was
// made for.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/check_plan.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/plan_for_file.h"
#include "onnx_frontend/read_model.h"
#include "planner/pattern_record.h"
#include "tests/onnx_frontend/sorted_nodes.h"

namespace memplan {
namespace {

void Require(bool is_true, std::string_view claim) {
  if (is_true) return;
  std::cerr << claim << "\n";
  std::abort();
}

// The sizes of the graphs of each scope; hostile names may give it to several.
using GraphSizes = std::map<std::string, std::vector<int>>;

void CountNodes(const onnx::GraphProto& graph, const std::string& scope,
                GraphSizes& sizes) {
  sizes[scope].push_back(graph.node_size());
  for (int i = 0; i < graph.node_size(); ++i) {
    for (const auto& attribute : graph.node(i).attribute()) {
      if (attribute.has_g()) {
        CountNodes(attribute.g(), BodyScope(scope, i, attribute.name()), sizes);
      }
      for (int k = 0; k < attribute.graphs_size(); ++k) {
        CountNodes(attribute.graphs(k),
                   BodyScope(scope, i, BodyName(attribute.name(), k)), sizes);
      }
    }
  }
}

FileOrders AnyOrders(const Model& model, uint32_t seed) {
  GraphSizes sizes;
  CountNodes(model.proto->graph(), "", sizes);
  std::mt19937 random(seed);
  FileOrders orders;
  for (const auto& [scope, counts] : sizes) {
    if (counts.size() > 1 || random() % 4 == 0) continue;
    std::vector<int64_t>& order = orders[scope];
    for (int i = 0; i < counts[0]; ++i) order.push_back(i);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random() % i]);
    }
  }
  return orders;
}

// What is read of a file. Which of its bytes were left out tells the places of
// weights, which stay inside their nodes.
std::string Content(const Model& model) {
  return model.proto->SerializeAsString();
}

void CheckWritten(std::string_view bytes, const Model& model,
                  const FileOrders& orders, std::string_view written) {
  const auto before = StripBytes(bytes);
  const auto after = StripBytes(written);
  Require(before.ok() && after.ok() && before->size() == after->size(),
          "the file has another length");
  Require(WithSortedNodes(*before) == WithSortedNodes(*after),
          "more than the places of nodes changed");
  const auto read = ReadModelFromBytes(*after, "fuzz.onnx");
  Require(read.ok(), "the model cannot be read any more");
  const auto original = ReadModelFromBytes(*before, "fuzz.onnx");
  Require(original.ok() &&
              Content(*read) == Content(WithNodesInOrder(*original, orders)),
          "the nodes do not stand in the order that was asked for");
  Require(model.left_out.size() == read->left_out.size(), "weights were lost");
}

void TryAnyOrders(std::string_view bytes, const Model& model, uint32_t seed,
                  bool must_do) {
  const FileOrders orders = AnyOrders(model, seed);
  const auto written = EmbedInBytes(bytes, "record", orders);
  // Else a graph is in several pieces.
  Require(written.ok() || !must_do, written.status().ToString());
  Require(written.ok() || absl::IsInvalidArgument(written.status()),
          "the wrong error");
  if (written.ok()) CheckWritten(bytes, model, orders, *written);
}

void TryPlannedOrder(const std::string& bytes, const Model& model,
                     size_t size) {
  PlanOptions options;
  options.solve.solver = "greedy";
  options.storage.in_place = static_cast<InPlaceMode>(size % 4);
  options.order =
      size / 4 % 2 == 0 ? OrderKind::kMemory : OrderKind::kOnnxRuntime;
  auto plan = PlanModel(model, options);
  if (!plan.ok()) return;
  const auto fitted = FitFileToPlan(model, options, *std::move(plan));
  Require(fitted.ok(), "the plan does not fit the file in its order");
  PatternRecord record;
  record.fingerprint = FingerprintModel(fitted->model);
  AddPattern(fitted->plan.pattern, record);
  const auto encoded = EncodeRecord(record);
  if (!encoded.ok()) return;  // names with zero bytes
  const auto written = EmbedInBytes(bytes, *encoded, fitted->orders);
  Require(written.ok(), "the plan cannot be embedded");
  CheckWritten(bytes, model, fitted->orders, *written);
  const auto read = ReadModelFromBytes(*written, "fuzz.onnx");
  Require(read.ok(), "the model with its plan cannot be read");
  const auto checked = CheckEmbeddedPlan(*read, {});
  Require(checked.ok(), "the plan cannot be checked");
  for (const std::string& finding : checked->findings) {
    std::cerr << finding << "\n";
  }
  Require(checked->state == CheckState::kGood, "the plan does not hold");
}

}  // namespace
}  // namespace memplan

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = memplan::ReadModelFromBytes(bytes, "fuzz.onnx");
  if (!model.ok() || model->is_text) return 0;
  const uint32_t seed = static_cast<uint32_t>(size);
  memplan::TryAnyOrders(bytes, *model, seed, /*must_do=*/false);
  // As a writer would write it: no message in pieces.
  const std::string rewritten = model->proto->SerializeAsString();
  const auto again = memplan::ReadModelFromBytes(rewritten, "fuzz.onnx");
  if (!again.ok()) return 0;
  memplan::TryAnyOrders(rewritten, *again, seed + 1, /*must_do=*/true);
  memplan::TryPlannedOrder(rewritten, *again, size);
  return 0;
}
