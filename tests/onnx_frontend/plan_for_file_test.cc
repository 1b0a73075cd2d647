// Plans in orders other than the file's, written into the file.
#include "onnx_frontend/plan_for_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"
#include "onnx_frontend/build_graph.h"
#include "onnx_frontend/check_plan.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/list_symbols.h"
#include "planner/pattern_record.h"
#include "tests/onnx_frontend/graph_test_util.h"
#include "tests/onnx_frontend/sorted_nodes.h"
#include "tests/test_paths.h"

namespace memplan {
namespace {

namespace fs = std::filesystem;

struct Written {
  bool is_reordered = false;
  bool is_lower = false;  // than in file order
};

// Plans the model in the order, writes the plan into it, and looks at what was
// written as somebody who knows nothing of it would.
Written WriteAndCheck(const std::string& bytes, PlanOptions options) {
  const absl::StatusOr<Model> model = ReadModelFromBytes(bytes, "in.onnx");
  EXPECT_TRUE(model.ok()) << model.status();
  absl::StatusOr<Plan> plan = PlanModel(*model, options);
  if (!plan.ok()) return {};  // not a model to plan
  const absl::StatusOr<PlanForFile> fitted =
      FitFileToPlan(*model, options, *std::move(plan));
  EXPECT_TRUE(fitted.ok()) << fitted.status();
  PatternRecord record;
  record.fingerprint = FingerprintModel(fitted->model);
  AddPattern(fitted->plan.pattern, record);
  const absl::StatusOr<std::string> out =
      EmbedInBytes(bytes, *EncodeRecord(record), fitted->orders);
  EXPECT_TRUE(out.ok()) << out.status();

  const std::string stripped = *StripBytes(*out);
  EXPECT_EQ(stripped.size(), StripBytes(bytes)->size());
  EXPECT_EQ(WithSortedNodes(stripped), WithSortedNodes(*StripBytes(bytes)));
  const absl::StatusOr<Model> written = ReadModelFromBytes(*out, "out.onnx");
  EXPECT_TRUE(written.ok()) << written.status();
  const absl::StatusOr<CheckResult> checked =
      CheckEmbeddedPlan(*written, options.inputs);
  EXPECT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(checked->state, CheckState::kGood)
      << testing::PrintToString(checked->findings);
  const OrderKind order = options.order;
  options.order = OrderKind::kFile;
  const absl::StatusOr<Plan> again = PlanModel(*written, options);
  EXPECT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->pattern.arena_size, fitted->plan.pattern.arena_size);
  const absl::StatusOr<Plan> before = PlanModel(*model, options);
  EXPECT_TRUE(before.ok()) << before.status();
  if (order == OrderKind::kMemory) {
    EXPECT_LE(again->pattern.max_live_bytes, before->pattern.max_live_bytes);
  }
  return {!fitted->orders.empty(),
          again->pattern.max_live_bytes < before->pattern.max_live_bytes};
}

std::string FileBytes(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

TEST(PlanForFileTest, TheModelsHereInBothOrders) {
  for (const auto& entry : fs::directory_iterator(SourceDir() + "/models")) {
    const bool is_text = entry.path().extension() == ".onnxtxt";
    if (!is_text && entry.path().extension() != ".onnx") continue;
    SCOPED_TRACE(entry.path());
    const absl::StatusOr<Model> model = ReadModel(entry.path());
    ASSERT_TRUE(model.ok()) << model.status();
    const std::string bytes =
        is_text ? model->proto->SerializeAsString() : FileBytes(entry.path());
    PlanOptions options;
    for (const char* dim : {"batch", "sequence", "past_sequence"}) {
      options.inputs.dims[dim] = 1;
    }
    options.inputs.dims["total_sequence"] = 2;
    std::erase_if(options.inputs.dims, [&](const auto& dim) {
      return bytes.find(dim.first) == std::string::npos;
    });
    for (const OrderKind order :
         {OrderKind::kMemory, OrderKind::kOnnxRuntime}) {
      options.order = order;
      WriteAndCheck(bytes, options);
    }
  }
}

// Two wide branches: the file runs their wide halves first.
constexpr std::string_view kBranches = R"(
  g (float[1] x, float[64] big) => (float[1] y) {
    a = Add(x, big)
    b = Mul(x, big)
    p = ReduceSum(a)
    q = ReduceSum(b)
    y = Add(p, q)
  })";

TEST(PlanForFileTest, TheFileListsTheNodesAsThePlanRunsThem) {
  const absl::StatusOr<Model> model = ModelFromText(kBranches);
  ASSERT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.order = OrderKind::kMemory;
  const Written written =
      WriteAndCheck(model->proto->SerializeAsString(), options);
  EXPECT_TRUE(written.is_reordered);
  EXPECT_TRUE(written.is_lower);
}

TEST(PlanForFileTest, WhatFollowsARuntimeLeavesTheFileAsItIs) {
  const absl::StatusOr<Model> model = ModelFromText(kBranches);
  PlanOptions options;
  options.order = OrderKind::kOnnxRuntime;
  options.runtime = RuntimeKind::kOnnxRuntime;
  absl::StatusOr<Plan> plan = PlanModel(*model, options);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_TRUE(FitFileToPlan(*model, options, *plan)->orders.empty());
}

TEST(PlanForFileTest, StaysInFileOrderWhereCallsTakeAwayWhatWasGained) {
  // The order for memory would run half of each call first.
  const std::string text = R"(
    <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    g (float[1] x, float[64] big) => (float[1] y) {
      p = local.Half(x, big)
      y = Add(p, x)
    }
    <opset_import: ["" : 17], domain: "local">
    Half (m, n) => (o) {
      a = Add(m, n)
      b = Mul(m, n)
      p = ReduceSum(a)
      q = ReduceSum(b)
      o = Add(p, q)
    })";
  const absl::StatusOr<Model> model = ReadModelFromBytes(text, "m.onnxtxt");
  ASSERT_TRUE(model.ok()) << model.status();
  PlanOptions options;
  options.order = OrderKind::kMemory;
  absl::StatusOr<Plan> plan = PlanModel(*model, options);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_LT(plan->order->max_live_bytes, plan->order->file_max_live_bytes);
  const auto fitted = FitFileToPlan(*model, options, *plan);
  ASSERT_TRUE(fitted.ok()) << fitted.status();
  EXPECT_TRUE(fitted->orders.empty());
  EXPECT_EQ(fitted->plan.pattern.max_live_bytes,
            plan->order->file_max_live_bytes);
  EXPECT_EQ(fitted->plan.order->max_live_bytes,
            plan->order->file_max_live_bytes);
  EXPECT_FALSE(fitted->plan.order->proved_minimal);
  WriteAndCheck(model->proto->SerializeAsString(), options);
}

TEST(PlanForFileTest, ModelsOfTheCorpus) {
  const fs::path folder = fs::path(SharedDir()) / "corpus";
  if (!fs::exists(folder)) GTEST_SKIP() << "no corpus at " << folder;
  std::set<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".onnx" && entry.file_size() > 10'000 &&
        entry.file_size() < 1'000'000) {
      paths.insert(entry.path());
    }
  }
  constexpr size_t kStride = 2;
  size_t number = 0;
  int planned = 0, reordered = 0, lower = 0;
  for (const fs::path& path : paths) {
    if (number++ % kStride != 0) continue;
    SCOPED_TRACE(path);
    const absl::StatusOr<Model> model = ReadModel(path);
    if (!model.ok() || model->is_text) continue;
    PlanOptions options;
    absl::StatusOr<ModelGraph> graph = BuildGraph(*model);
    if (!graph.ok() || !InferShapes(InputOptions(), *graph).ok()) continue;
    for (const auto& symbol : ListSymbols(*graph)) {
      options.inputs.dims[symbol.symbol] = 8;
    }
    options.solve.effort = 1000;
    ++planned;
    for (const OrderKind order :
         {OrderKind::kMemory, OrderKind::kOnnxRuntime}) {
      options.order = order;
      const Written written = WriteAndCheck(FileBytes(path), options);
      reordered += written.is_reordered;
      lower += written.is_lower;
    }
  }
  std::cout << planned << " models, " << reordered << " times reordered, "
            << lower << " times below the file's order\n";
  EXPECT_GE(planned, 50);
  EXPECT_GE(reordered, 30);
  EXPECT_GE(lower, 10);
}

}  // namespace
}  // namespace memplan
