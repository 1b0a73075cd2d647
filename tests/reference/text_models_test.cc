// The models of the repository, run in the arena.

#include <filesystem>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/reference/compare.h"
#include "tests/test_paths.h"

namespace memplan::reference {
namespace {

std::set<std::string> TextModels() {
  std::set<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourceDir() + "/models")) {
    if (entry.path().extension() == ".onnxtxt") paths.insert(entry.path());
  }
  return paths;
}

TEST(TextModelsTest, RunTheSameInTheArenaWithEverySolverAndSharing) {
  ASSERT_GE(TextModels().size(), 11u);
  for (const std::string& path : TextModels()) {
    SCOPED_TRACE(path);
    const auto model = ReadModel(path);
    ASSERT_TRUE(model.ok()) << model.status();
    InputOptions inputs;
    if (path.ends_with("symbolic_batch.onnxtxt")) inputs.dims["batch"] = 2;
    // Two contents, so that both branches run.
    const auto first = RunWithoutReuse(*model, inputs, 1);
    const auto second = RunWithoutReuse(*model, inputs, 2);
    ASSERT_TRUE(first.ok()) << first.status();
    ASSERT_TRUE(second.ok()) << second.status();
    for (PlanOptions options : SharingModes()) {
      for (const std::string& solver : SolverNames()) {
        options.inputs = inputs;
        options.solve.solver = solver;
        const auto plan = PlanModel(*model, options);
        ASSERT_TRUE(plan.ok()) << plan.status();
        for (const Reference* reference : {&*first, &*second}) {
          const absl::Status same = Compare(*reference, LayoutOf(*plan));
          EXPECT_TRUE(same.ok()) << same << "\n" << Describe(options);
        }
      }
    }
  }
}

}  // namespace
}  // namespace memplan::reference
