#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/tools/run_program.h"

namespace memplan {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

const char kReshapeToInput[] = R"(
<ir_version: 8, opset_import: ["" : 17]>
reshape (float[2, 12] x, int64[2] target) => (float[a, b] y) {
  h = Relu(x)
  r = Reshape(h, target)
  y = Exp(r)
}
)";

const char kTwoInputs[] = R"(
<ir_version: 8, opset_import: ["" : 17]>
two (float[n, 4] left, float[n, 4] right) => (float[n, 4] y) {
  h = Add(left, right)
  y = Exp(h)
}
)";

// What fits one input and one only.
const char kOneInput[] = R"(
<ir_version: 8, opset_import: ["" : 17]>
one (float[batch, len] x) => (float[batch, len] y) {
  h = Relu(x)
  y = Exp(h)
}
)";

class PlanCommandTest : public ::testing::Test {
 protected:
  PlanCommandTest()
      : folder_(fs::path(::testing::TempDir()) /
                ("memplan_plan_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~PlanCommandTest() override { fs::remove_all(folder_); }
  std::string Path(const char* name) const { return folder_ / name; }

  // Plans a model given as text on stdin.
  static ProgramResult PlanText(const char* model,
                                std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"plan", "-"});
    return RunMemplan(arguments, model);
  }
  static Json PlanJson(const char* model, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const ProgramResult result = PlanText(model, arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  }

  fs::path folder_;
};

TEST_F(PlanCommandTest, ShowsArenaBoundAndProof) {
  const ProgramResult result =
      RunMemplan({"plan", ExampleModel("chain.onnxtxt")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("chain.onnxtxt: "),
                    HasSubstr("49,152 bytes   optimal: proved"),
                    HasSubstr("max live bytes"), HasSubstr("without reuse")));
}

TEST_F(PlanCommandTest, JsonHasTheNamesThatOthersRelyOn) {
  const ProgramResult result =
      RunMemplan({"plan", ExampleModel("chain.onnxtxt"), "--json", "-"});
  ASSERT_EQ(result.exit_code, 0);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("schema_version"), 1);
  EXPECT_EQ(json.at("arena_size"), 49152);
  EXPECT_EQ(json.at("max_live_bytes"), 49152);
  EXPECT_EQ(json.at("optimal"), true);
  EXPECT_EQ(json.at("alignment"), 64);
  EXPECT_TRUE(json.at("solver").is_string());
  EXPECT_EQ(json.at("steps"), 4);
  EXPECT_TRUE(json.at("inputs").is_object());
  EXPECT_EQ(json.at("dims"), Json::object());
  EXPECT_EQ(json.at("unplaced"), Json::array());
  bool found = false;
  for (const Json& value : json.at("values")) {
    if (value.at("name") != "h1") continue;
    found = true;
    EXPECT_EQ(value.at("scope"), "");
    EXPECT_EQ(value.at("kind"), "intermediate");
    EXPECT_EQ(value.at("type"), "float32");
    EXPECT_EQ(value.at("shape"), Json({64, 128}));
    EXPECT_EQ(value.at("size"), 32768);
    EXPECT_TRUE(value.at("offset").is_number());
    EXPECT_EQ(value.at("begin"), 0);
    EXPECT_EQ(value.at("end"), 2);
    EXPECT_EQ(value.at("shares_with"), nullptr);
    EXPECT_EQ(value.at("sharing"), "none");
  }
  EXPECT_TRUE(found);
}

TEST_F(PlanCommandTest, SameInputSameBytes) {
  const std::vector<std::string> arguments = {
      "plan", ExampleModel("inception_cell.onnxtxt"), "--json", "-"};
  const std::string first = RunMemplan(arguments).out;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(RunMemplan(arguments).out, first);
}

TEST_F(PlanCommandTest, OfFilesOnlyOneHasStdout) {
  const std::string json = Path("plan.json");
  const std::string csv = Path("plan.csv");
  const std::string html = Path("plan.html");
  const ProgramResult result =
      RunMemplan({"plan", ExampleModel("chain.onnxtxt"), "--json", json,
                  "--csv", csv, "--html", html});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("arena"));
  EXPECT_EQ(Json::parse(FileContent(json)).at("arena_size"), 49152);
  EXPECT_THAT(FileContent(csv),
              HasSubstr("name,scope,kind,type,shape,size,offset,begin,end,"
                        "sharing,shares_with\n"));
  EXPECT_THAT(FileContent(csv), HasSubstr("h1,,intermediate,float32,64x128"));
  EXPECT_THAT(FileContent(html), HasSubstr("<svg"));
  EXPECT_EQ(RunMemplan({"plan", ExampleModel("chain.onnxtxt"), "--json", "-",
                        "--csv", "-"})
                .exit_code,
            2);
}

TEST_F(PlanCommandTest, TakesEverySpellingOfADimension) {
  for (const std::vector<std::string>& dims :
       std::vector<std::vector<std::string>>{
           {"--dim", "n=3"}, {"--dim=n=3"}, {"-f", "n:3"}, {"-d", "n=3"}}) {
    EXPECT_EQ(PlanJson(kTwoInputs, dims).at("dims").at("n"), 3) << dims[0];
  }
}

TEST_F(PlanCommandTest, TakesEverySpellingOfAShape) {
  const Json expected = {3, 4};
  for (const std::vector<std::string>& shape :
       std::vector<std::vector<std::string>>{
           {"--input-shape", "x:3,4"},
           {"--input-shape", "x:[3,4]"},
           {"--input-shape=x:3x4"},
           {"--input-shape", "3,4"},
           {"--overwrite-input-shape", "x:3,4"},
           {"--input-shapes", "x:3x4"},
           {"--input-shape", "-1,4", "--dim", "batch=3"}}) {
    EXPECT_EQ(PlanJson(kOneInput, shape).at("inputs").at("x"), expected)
        << shape[0] << " " << shape.back();
  }
}

TEST_F(PlanCommandTest, TakesSeveralShapesBehindOneOption) {
  for (const std::vector<std::string>& shapes :
       std::vector<std::vector<std::string>>{
           {"--input-shapes", "left:3x4,right:3x4"},
           {"--overwrite-input-shape", "left:3,4", "right:3,4"}}) {
    EXPECT_EQ(PlanJson(kTwoInputs, shapes).at("inputs").at("right"),
              Json({3, 4}));
  }
}

TEST_F(PlanCommandTest, AnInputsContentGivesShapes) {
  const Json json = PlanJson(kReshapeToInput, {"--input-value", "target:-1,8"});
  EXPECT_EQ(json.at("unplaced"), Json::array());
  for (const Json& value : json.at("values")) {
    if (value.at("name") != "r") continue;
    EXPECT_EQ(value.at("shape"), Json({3, 8}));
  }
}

TEST_F(PlanCommandTest, AnInputsContentIsOfItsType) {
  const ProgramResult half =
      PlanText(kReshapeToInput, {"--input-value", "target:2.5,8"});
  EXPECT_EQ(half.exit_code, 2);
  EXPECT_THAT(half.err, HasSubstr("--input-value: 'target' is int64[2], and "
                                  "'2.5' is no integer"));
  const ProgramResult many =
      PlanText(kReshapeToInput, {"--input-value", "target:1,3,8"});
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_THAT(many.err, HasSubstr("has 2 elements, [2], and 3 were given"));
}

TEST_F(PlanCommandTest, WithoutItNoNumberIsInvented) {
  const Json json = PlanJson(kReshapeToInput, {});
  for (const Json& value : json.at("values")) {
    EXPECT_NE(value.at("name"), "r");
  }
  ASSERT_FALSE(json.at("unplaced").empty());
  const Json& first = json.at("unplaced").front();
  EXPECT_EQ(first.at("name"), "r");
  EXPECT_THAT(first.at("reason").get<std::string>(), HasSubstr("target"));
}

TEST_F(PlanCommandTest, AsksForTheDimensionThatHasNoValue) {
  const ProgramResult result = PlanText(kOneInput, {"--require-complete"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("the plan is incomplete"), HasSubstr("'batch'"),
                    HasSubstr("--dim batch=N")));
}

TEST_F(PlanCommandTest, NamesTheNearestName) {
  const ProgramResult dim = PlanText(kOneInput, {"--dim", "bacth=3"});
  EXPECT_EQ(dim.exit_code, 2);
  EXPECT_THAT(dim.err, HasSubstr("'batch'"));
  const ProgramResult input =
      PlanText(kTwoInputs, {"--input-shape", "rihgt:3,4"});
  EXPECT_EQ(input.exit_code, 2);
  EXPECT_THAT(input.err, HasSubstr("'right'"));
}

TEST_F(PlanCommandTest, ABareShapeNeedsOneInput) {
  const ProgramResult result = PlanText(kTwoInputs, {"--input-shape", "3,4"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the model has 2 inputs"));
}

TEST_F(PlanCommandTest, UsageErrorsAreCodeTwo) {
  const std::string model = ExampleModel("chain.onnxtxt");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{
           {},
           {"plan"},
           {"plan", model, "--no-such-option"},
           {"plan", model, "--solver", "magic"},
           {"plan", model, "--alignment", "48"},
           {"plan", model, "--dim", "n"},
           {"plan", model, "--in-place", "always"},
           {"plan", model, "--capacity", "much"},
           {"no-such-command"}}) {
    const ProgramResult result = RunMemplan(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, testing::Not(IsEmpty()));
  }
}

TEST_F(PlanCommandTest, HelpAndVersionAreNoErrors) {
  EXPECT_EQ(RunMemplan({"--help"}).exit_code, 0);
  EXPECT_THAT(RunMemplan({"plan", "--help"}).out, HasSubstr("--dim"));
  EXPECT_THAT(RunMemplan({"--version"}).out, HasSubstr("memplan "));
}

TEST_F(PlanCommandTest, ABadModelIsCodeThree) {
  for (const char* content : {"", "\x08", "this is no model"}) {
    const ProgramResult result = RunMemplan({"plan", "-"}, content);
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr("memplan: "));
  }
}

TEST_F(PlanCommandTest, TheCapacityIsProvedTooSmallOrNotReached) {
  const std::string model = ExampleModel("chain.onnxtxt");
  const ProgramResult proved = RunMemplan({"plan", model, "--capacity", "1K"});
  EXPECT_EQ(proved.exit_code, 5);
  EXPECT_THAT(proved.err, AllOf(HasSubstr("proved"), HasSubstr("1,024"),
                                HasSubstr("49,152"), HasSubstr("48,128")));
  const ProgramResult open =
      RunMemplan({"plan", model, "--capacity", "50000", "--solver", "none"});
  EXPECT_EQ(open.exit_code, 1) << open.err;
  EXPECT_THAT(open.err, HasSubstr("50,000"));
  EXPECT_EQ(RunMemplan({"plan", model, "--capacity", "48KiB"}).exit_code, 0);
}

TEST_F(PlanCommandTest, WhatTheSystemRefusesIsCodeSeven) {
  const ProgramResult missing = RunMemplan({"plan", "/no/such/model.onnx"});
  EXPECT_EQ(missing.exit_code, 7);
  EXPECT_THAT(missing.err, HasSubstr("/no/such/model.onnx"));
  const ProgramResult full = RunMemplan(
      {"plan", ExampleModel("chain.onnxtxt"), "--json", "/dev/full"});
  EXPECT_EQ(full.exit_code, 7);
  EXPECT_THAT(full.err, HasSubstr("No space left"));
}

TEST_F(PlanCommandTest, AnUnsortedModelIsPlannedWithAWarning) {
  const ProgramResult result =
      RunMemplan({"plan", ExampleModel("unsorted.onnxtxt"), "--json", "-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("memplan: warning: "));
  EXPECT_EQ(Json::parse(result.out).at("arena_size"), 49152);
}

TEST_F(PlanCommandTest, TheCallersBytesComeInWhereTheUserWantsThem) {
  const std::string model = ExampleModel("chain.onnxtxt");
  const Json json = Json::parse(
      RunMemplan({"plan", model, "--place", "inputs,outputs", "--json", "-"})
          .out);
  for (const Json& value : json.at("values")) {
    EXPECT_TRUE(value.contains("offset")) << value.at("name");
  }
}

TEST_F(PlanCommandTest, EveryOffsetIsAligned) {
  for (const int alignment : {1, 16, 256, 4096}) {
    const Json json =
        PlanJson(kOneInput, {"--input-shape", "x:3,5", "--place", "outputs",
                             "--alignment", std::to_string(alignment)});
    EXPECT_EQ(json.at("alignment"), alignment);
    for (const Json& value : json.at("values")) {
      if (!value.contains("offset")) continue;
      EXPECT_EQ(value.at("offset").get<int64_t>() % alignment, 0);
    }
  }
}

}  // namespace
}  // namespace memplan
