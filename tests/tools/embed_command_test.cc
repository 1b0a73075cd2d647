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

class EmbedCommandTest : public ::testing::Test {
 protected:
  EmbedCommandTest()
      : folder_(fs::path(::testing::TempDir()) /
                ("memplan_embed_" + std::to_string(getpid()))),
        model_(ExampleModel("mobilenet_v2.onnx")) {
    fs::create_directories(folder_);
  }
  ~EmbedCommandTest() override { fs::remove_all(folder_); }
  std::string Path(const char* name) const { return folder_ / name; }

  fs::path folder_;
  std::string model_;
};

TEST_F(EmbedCommandTest, StripGivesTheOriginalBack) {
  const std::string out = Path("planned.onnx");
  const std::string back = Path("back.onnx");
  ASSERT_EQ(RunMemplan({"embed", model_, "-o", out}).exit_code, 0);
  EXPECT_NE(FileContent(out), FileContent(model_));
  ASSERT_EQ(RunMemplan({"strip", out, "-o", back}).exit_code, 0);
  EXPECT_EQ(FileContent(back), FileContent(model_));
}

TEST_F(EmbedCommandTest, InPlaceWritesTheSameBytes) {
  const std::string out = Path("planned.onnx");
  const std::string same = Path("same.onnx");
  ASSERT_EQ(RunMemplan({"embed", model_, "-o", out}).exit_code, 0);
  fs::copy_file(model_, same);
  ASSERT_EQ(RunMemplan({"embed", same, "--in-place"}).exit_code, 0);
  EXPECT_EQ(FileContent(same), FileContent(out));
  ASSERT_EQ(RunMemplan({"embed", "--in-place", same}).exit_code, 0);
  EXPECT_EQ(FileContent(same), FileContent(out));
  ASSERT_EQ(RunMemplan({"strip", same, "--in-place"}).exit_code, 0);
  EXPECT_EQ(FileContent(same), FileContent(model_));
}

TEST_F(EmbedCommandTest, AnotherOrderIsWrittenIntoTheFile) {
  const std::string model = ExampleModel("resnet50.onnx");
  const std::string out = Path("ordered.onnx");
  const ProgramResult embedded = RunMemplan(
      {"embed", model, "-o", out, "--order", "onnxruntime", "--json", "-"});
  ASSERT_EQ(embedded.exit_code, 0) << embedded.err;
  EXPECT_EQ(RunMemplan({"check", out}).exit_code, 0);
  // The file's own order is now the plan's.
  const ProgramResult planned = RunMemplan({"plan", out, "--json", "-"});
  EXPECT_EQ(planned.out, embedded.out);

  const std::string same = Path("same.onnx");
  fs::copy_file(model, same);
  ASSERT_EQ(RunMemplan({"embed", same, "--in-place", "--order", "onnxruntime"})
                .exit_code,
            0);
  EXPECT_TRUE(FileContent(same) == FileContent(out));
  const ProgramResult piped = RunMemplan(
      {"embed", "-", "-o", "-", "--order", "onnxruntime"}, FileContent(model));
  EXPECT_TRUE(piped.out == FileContent(out));

  // The plan goes, the order stays.
  ASSERT_EQ(RunMemplan({"strip", same, "--in-place"}).exit_code, 0);
  EXPECT_EQ(FileContent(same).size(), FileContent(model).size());
  EXPECT_FALSE(FileContent(same) == FileContent(model));
  ASSERT_EQ(RunMemplan({"embed", same, "--in-place"}).exit_code, 0);
  EXPECT_TRUE(FileContent(same) == FileContent(out));
}

// A sidecar says no more of how it was planned than an embedded plan does, and
// the model beside it keeps its order.
TEST_F(EmbedCommandTest, AnOrderForMemoryHoldsInEachModeOfSharing) {
  const std::string side = Path("plan.memplan");
  const std::string out = Path("ordered.onnx");
  for (const char* file : {"resnet50.onnx", "loop.onnxtxt", "unsorted.onnxtxt",
                           "if_capture.onnxtxt", "inception_cell.onnxtxt"}) {
    const std::string model = ExampleModel(file);
    for (const char* mode : {"off", "views", "safe", "aggressive"}) {
      SCOPED_TRACE(std::string(file) + " " + mode);
      const std::vector<std::string> ways = {"embed",  model,        "--order",
                                             "memory", "--in-place", mode};
      std::vector<std::string> beside = ways;
      beside.insert(beside.end(), {"--sidecar", side});
      ASSERT_EQ(RunMemplan(beside).exit_code, 0);
      const ProgramResult checked =
          RunMemplan({"check", model, "--sidecar", side});
      EXPECT_EQ(checked.exit_code, 0) << checked.out;
      if (model.ends_with("txt")) continue;  // has no place for a plan
      std::vector<std::string> inside = ways;
      inside.insert(inside.end(), {"-o", out});
      ASSERT_EQ(RunMemplan(inside).exit_code, 0);
      EXPECT_EQ(RunMemplan({"check", out}).exit_code, 0);
    }
  }
}

TEST_F(EmbedCommandTest, AddKeepsThePlansOrder) {
  const std::string out = Path("planned.onnx");
  const std::string model = ExampleModel("resnet50.onnx");
  ASSERT_EQ(RunMemplan({"embed", model, "-o", out}).exit_code, 0);
  const ProgramResult added = RunMemplan(
      {"embed", out, "--in-place", "--add", "--order", "onnxruntime"});
  EXPECT_NE(added.exit_code, 0);
  EXPECT_THAT(added.err, HasSubstr("--order file"));
}

TEST_F(EmbedCommandTest, PlanWithAnOutputEmbeds) {
  const std::string out = Path("planned.onnx");
  const std::string other = Path("other.onnx");
  ASSERT_EQ(RunMemplan({"embed", model_, "-o", out}).exit_code, 0);
  ASSERT_EQ(RunMemplan({"plan", model_, "-o", other}).exit_code, 0);
  EXPECT_EQ(FileContent(other), FileContent(out));
}

TEST_F(EmbedCommandTest, WorksOnPipes) {
  const std::string model = FileContent(model_);
  const ProgramResult embedded = RunMemplan({"embed", "-", "-o", "-"}, model);
  ASSERT_EQ(embedded.exit_code, 0) << embedded.err;
  const ProgramResult stripped =
      RunMemplan({"strip", "-", "-o", "-"}, embedded.out);
  ASSERT_EQ(stripped.exit_code, 0) << stripped.err;
  EXPECT_TRUE(stripped.out == model);
}

TEST_F(EmbedCommandTest, InspectShowsWhatPlanSaid) {
  const std::string out = Path("planned.onnx");
  const ProgramResult plan =
      RunMemplan({"plan", model_, "-o", out, "--json", "-"});
  ASSERT_EQ(plan.exit_code, 0);
  const ProgramResult inspected = RunMemplan({"inspect", out, "--json", "-"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  const Json expected = Json::parse(plan.out);
  const Json json = Json::parse(inspected.out);
  for (const char* key : {"schema_version", "arena_size", "max_live_bytes",
                          "lower_bound", "optimal", "alignment", "solver",
                          "steps", "inputs", "dims", "unplaced"}) {
    EXPECT_EQ(json.at(key), expected.at(key)) << key;
  }
  ASSERT_EQ(json.at("values").size(), expected.at("values").size());
  for (size_t i = 0; i < json.at("values").size(); ++i) {
    const Json& value = json.at("values")[i];
    const Json& planned = expected.at("values")[i];
    EXPECT_EQ(value.at("name"), planned.at("name"));
    EXPECT_EQ(value.value("offset", -1), planned.value("offset", -1));
    EXPECT_EQ(value.at("sharing"), planned.at("sharing"));
    EXPECT_EQ(value.at("shares_with"), planned.at("shares_with"));
    if (!planned.contains("offset")) continue;
    EXPECT_EQ(value.at("begin"), planned.at("begin"));
    EXPECT_EQ(value.at("end"), planned.at("end"));
  }
  const ProgramResult text = RunMemplan({"inspect", out});
  EXPECT_THAT(text.out, AllOf(HasSubstr("tensor"), HasSubstr("offset"),
                              HasSubstr("optimal"), HasSubstr("step")));
}

TEST_F(EmbedCommandTest, ASidecarDoesAsWell) {
  const std::string sidecar = Path("plan.bin");
  ASSERT_EQ(RunMemplan({"embed", model_, "--sidecar", sidecar}).exit_code, 0);
  EXPECT_EQ(RunMemplan({"check", model_, "--sidecar", sidecar}).exit_code, 0);
  EXPECT_EQ(RunMemplan({"inspect", model_, "--sidecar", sidecar}).exit_code, 0);
}

TEST_F(EmbedCommandTest, CheckTellsGoodMissingStaleAndDamaged) {
  const std::string out = Path("planned.onnx");
  const std::string sidecar = Path("plan.bin");
  ASSERT_EQ(RunMemplan({"embed", model_, "-o", out}).exit_code, 0);
  const ProgramResult good = RunMemplan({"check", out, "--json", "-"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(Json::parse(good.out).at("state"), "good");
  const ProgramResult missing = RunMemplan({"check", model_});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.out, HasSubstr("no plan"));
  ASSERT_EQ(RunMemplan({"embed", model_, "--sidecar", sidecar}).exit_code, 0);
  const ProgramResult stale = RunMemplan(
      {"check", ExampleModel("resnet50.onnx"), "--sidecar", sidecar});
  EXPECT_EQ(stale.exit_code, 6);
  EXPECT_THAT(stale.out, HasSubstr("stale"));
  std::string bytes = FileContent(out);
  // A letter of the base64 record, which stands at the end of the file.
  bytes[bytes.size() - 100] = bytes[bytes.size() - 100] == 'A' ? 'B' : 'A';
  const ProgramResult damaged = RunMemplan({"check", "-"}, bytes);
  EXPECT_EQ(damaged.exit_code, 1) << damaged.out;
  EXPECT_THAT(damaged.out, HasSubstr("damaged"));
}

TEST_F(EmbedCommandTest, PlansForOtherShapesStayOnlyWhereAsked) {
  const std::string gpt = ExampleModel("bert_base.onnx");
  const std::string one = Path("one.onnx");
  const std::string two = Path("two.onnx");
  ASSERT_EQ(RunMemplan({"embed", gpt, "--dim", "batch=1", "--dim", "sequence=8",
                        "-o", one})
                .exit_code,
            0);
  ASSERT_EQ(RunMemplan({"embed", one, "--dim", "batch=2", "--dim", "sequence=8",
                        "--add", "-o", two})
                .exit_code,
            0);
  EXPECT_EQ(Json::parse(RunMemplan({"inspect", two, "--json", "-"}).out)
                .at("patterns"),
            2);
  ASSERT_EQ(RunMemplan({"embed", two, "--dim", "batch=4", "--dim", "sequence=8",
                        "-o", one})
                .exit_code,
            0);
  EXPECT_EQ(Json::parse(RunMemplan({"inspect", one, "--json", "-"}).out)
                .at("patterns"),
            1);
}

TEST_F(EmbedCommandTest, NeedsToKnowWhereTo) {
  EXPECT_EQ(RunMemplan({"embed", model_}).exit_code, 2);
  EXPECT_EQ(RunMemplan({"strip", model_}).exit_code, 2);
  EXPECT_EQ(
      RunMemplan({"embed", model_, "-o", Path("a"), "--in-place"}).exit_code,
      2);
}

TEST_F(EmbedCommandTest, AFailureLeavesNoFile) {
  const std::string out = Path("planned.onnx");
  EXPECT_EQ(
      RunMemplan({"embed", model_, "--capacity", "1", "-o", out}).exit_code, 5);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(RunMemplan({"embed", model_, "-o", Path("no/folder")}).exit_code,
            7);
}

TEST_F(EmbedCommandTest, InspectListsOpenDimensions) {
  const ProgramResult result =
      RunMemplan({"inspect", ExampleModel("bert_base.onnx"), "--dims"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("batch"), HasSubstr("input_ids[0]"),
                                HasSubstr("--dim batch=N")));
  const ProgramResult known =
      RunMemplan({"inspect", ExampleModel("chain.onnxtxt"), "--dims"});
  EXPECT_EQ(known.out, "every dimension is known\n");
}

TEST_F(EmbedCommandTest, ExportsForOthers) {
  const std::string model = ExampleModel("chain.onnxtxt");
  EXPECT_THAT(RunMemplan({"export", model}).out,
              HasSubstr("#define MODEL_ARENA_SIZE 49152"));
  EXPECT_THAT(RunMemplan({"export", model, "--prefix", "net"}).out,
              HasSubstr("#define NET_ARENA_SIZE 49152"));
  const ProgramResult problem =
      RunMemplan({"export", model, "--format", "minimalloc"});
  EXPECT_THAT(problem.out, HasSubstr("h1,0,2,32768"));
  EXPECT_EQ(RunMemplan({"solve", "-"}, problem.out).exit_code, 0);
  // Format version, subgraph, count: twelve bytes before the offsets.
  const std::string tflm =
      RunMemplan({"export", model, "--format", "tflm"}).out;
  ASSERT_GT(tflm.size(), 12u);
  EXPECT_EQ(tflm.size() % 4, 0u);
  EXPECT_EQ(tflm[0], 1);
  EXPECT_EQ(RunMemplan({"export", model, "--prefix", "1"}).exit_code, 2);
}

TEST_F(EmbedCommandTest, InspectNeedsAPlan) {
  const ProgramResult result = RunMemplan({"inspect", model_});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("carries no plan"));
}

}  // namespace
}  // namespace memplan
