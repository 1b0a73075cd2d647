#include "tools/model_options.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "planner/usage_error.h"

namespace memplan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string UsageMessage(const ModelOptions& options) {
  const auto plan = ToPlanOptions(options, {});
  EXPECT_TRUE(IsUsageError(plan.status())) << plan.status();
  return std::string(plan.status().message());
}

TEST(ToPlanOptions, CarriesEachOptionOver) {
  ModelOptions model;
  model.dims = {"batch=8"};
  model.input_shapes = {"x:1,3"};
  model.input_shape_lists = {"a:1x3,b:2x2"};
  model.input_values = {"shape:1,-1"};
  model.bounds = {"boxes=100,4"};
  model.place = {"outputs"};
  model.order = "memory";
  model.runtime = "onnxruntime";
  model.in_place = "views";
  model.alignment = 256;
  SearchOptions search;
  search.solver = "auto";
  search.capacity = "1KiB";
  search.effort = 7;
  search.time_limit = 1.5;
  search.threads = 2;
  const auto options = ToPlanOptions(model, search);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->inputs.dims.at("batch"), 8);
  EXPECT_THAT(options->inputs.shapes.at("x"), ElementsAre("1", "3"));
  EXPECT_THAT(options->inputs.shapes.at("b"), ElementsAre("2", "2"));
  EXPECT_THAT(options->inputs.values.at("shape"), ElementsAre("1", "-1"));
  EXPECT_THAT(options->inputs.bounds.at("boxes"), ElementsAre(100, 4));
  EXPECT_TRUE(options->storage.place_outputs);
  EXPECT_FALSE(options->storage.place_inputs);
  EXPECT_EQ(options->order, OrderKind::kMemory);
  EXPECT_EQ(options->runtime, RuntimeKind::kOnnxRuntime);
  EXPECT_EQ(options->storage.in_place, InPlaceMode::kViews);
  EXPECT_EQ(options->alignment, 256);
  EXPECT_EQ(options->solve.capacity, 1024);
  EXPECT_EQ(options->solve.effort, 7);
  EXPECT_EQ(options->solve.time_limit_seconds, 1.5);
  EXPECT_EQ(options->solve.threads, 2);
}

TEST(ToPlanOptions, NamesBothSidesOfAContradiction) {
  ModelOptions dims;
  dims.dims = {"batch=1", "batch=1", "batch=2"};
  EXPECT_EQ(UsageMessage(dims), "--dim batch=2 contradicts --dim batch=1");
  ModelOptions shapes;
  shapes.input_shapes = {"x:1,3"};
  shapes.input_shape_lists = {"x:2x3"};
  EXPECT_EQ(UsageMessage(shapes),
            "--input-shape x:2,3 contradicts --input-shape x:1,3");
}

TEST(ToPlanOptions, NamesTheOptionThatIsMalformed) {
  ModelOptions options;
  options.input_values = {"shape"};
  EXPECT_THAT(UsageMessage(options), HasSubstr("--input-value 'shape'"));
}

TEST(ToPlanOptions, AnAlignmentIsAPowerOfTwo) {
  for (const int64_t alignment :
       {int64_t{0}, int64_t{-64}, int64_t{48}, int64_t{1} << 40}) {
    ModelOptions options;
    options.alignment = alignment;
    EXPECT_THAT(UsageMessage(options), HasSubstr("power of two"));
  }
}

TEST(NormalizeArguments, GivesEachShapeItsOption) {
  EXPECT_THAT(
      NormalizeArguments({"plan", "--overwrite-input-shape", "a:1,3", "b:2,2",
                          "m.onnx", "--json", "-"}),
      ElementsAre("plan", "--overwrite-input-shape", "a:1,3",
                  "--overwrite-input-shape", "b:2,2", "m.onnx", "--json", "-"));
}

TEST(NormalizeArguments, LeavesTheRestAlone) {
  EXPECT_THAT(NormalizeArguments({"plan", "--input-shape", "1,3", "m:1.onnx"}),
              ElementsAre("plan", "--input-shape", "1,3", "m:1.onnx"));
  EXPECT_THAT(NormalizeArguments({"plan", "m.onnx", "a:1,3"}),
              ElementsAre("plan", "m.onnx", "a:1,3"));
}

TEST(NormalizeArguments, EmbedInPlaceWithoutAModeMeansTheFile) {
  EXPECT_THAT(NormalizeArguments({"embed", "--in-place", "m.onnx"}),
              ElementsAre("embed", "--same-file", "m.onnx"));
  EXPECT_THAT(NormalizeArguments({"embed", "m.onnx", "--in-place"}),
              ElementsAre("embed", "m.onnx", "--same-file"));
  EXPECT_THAT(NormalizeArguments({"embed", "--in-place", "off", "m.onnx"}),
              ElementsAre("embed", "--in-place", "off", "m.onnx"));
  EXPECT_THAT(NormalizeArguments({"plan", "--in-place", "m.onnx"}),
              ElementsAre("plan", "--in-place", "m.onnx"));
}

}  // namespace
}  // namespace memplan
