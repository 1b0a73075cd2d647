// Each text model has the arena that models/README.md gives and explains.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "tests/test_paths.h"

namespace memplan {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string ModelPath(const std::string& file) {
  return SourceDir() + "/models/" + file;
}

Plan PlanFile(const std::string& file, const PlanOptions& options = {}) {
  const auto model = ReadModel(ModelPath(file));
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) return {};
  auto plan = PlanModel(*model, options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? *std::move(plan) : Plan{};
}

PlanOptions WithDims(const std::map<std::string, int64_t>& dims) {
  PlanOptions options;
  options.inputs.dims = dims;
  return options;
}

struct Case {
  std::string file;
  int64_t arena_size;
};

class TextModelTest : public testing::TestWithParam<Case> {};

TEST_P(TextModelTest, HasTheArenaOfTheReadme) {
  const Plan plan = PlanFile(GetParam().file);
  EXPECT_EQ(plan.pattern.max_live_bytes, GetParam().arena_size);
  EXPECT_EQ(plan.pattern.arena_size, GetParam().arena_size);
  EXPECT_TRUE(plan.pattern.optimal);

  std::ifstream file(ModelPath("README.md"));
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  const size_t row = readme.find("| `" + GetParam().file + "` |");
  ASSERT_NE(row, std::string::npos);
  EXPECT_THAT(readme.substr(row, readme.find('\n', row) - row),
              HasSubstr("| " + std::to_string(GetParam().arena_size) + " |"));
}

INSTANTIATE_TEST_SUITE_P(Readme, TextModelTest,
                         testing::Values(Case{"chain.onnxtxt", 49152},
                                         Case{"unsorted.onnxtxt", 49152},
                                         Case{"diamond.onnxtxt", 12288},
                                         Case{"residual.onnxtxt", 32768},
                                         Case{"inception_cell.onnxtxt", 53248},
                                         Case{"view_chain.onnxtxt", 3136},
                                         Case{"unused_output.onnxtxt", 7168},
                                         Case{"if_capture.onnxtxt", 16384},
                                         Case{"loop.onnxtxt", 4672},
                                         Case{"mixed_types.onnxtxt", 3968}));

TEST(SymbolicBatchTest, TheArenaGrowsWithTheBatch) {
  const std::string file = "symbolic_batch.onnxtxt";
  for (const int64_t batch : {1, 8, 1000}) {
    const Plan plan = PlanFile(file, WithDims({{"batch", batch}}));
    EXPECT_EQ(plan.pattern.arena_size, 5120 * batch);
    EXPECT_TRUE(plan.pattern.optimal);
  }
}

TEST(SymbolicBatchTest, WithoutABatchOnlyTheShapeArithmeticIsPlaced) {
  const Plan plan = PlanFile("symbolic_batch.onnxtxt");
  for (const PatternTensor& tensor : plan.pattern.tensors) {
    EXPECT_LE(tensor.size, 32) << tensor.name;
  }
}

TEST(UnsortedTest, Warns) {
  EXPECT_THAT(PlanFile("unsorted.onnxtxt").warnings, SizeIs(1));
  EXPECT_THAT(PlanFile("chain.onnxtxt").warnings, IsEmpty());
}

}  // namespace
}  // namespace memplan
