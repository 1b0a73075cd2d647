#include "onnx_frontend/embed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/own_fields.h"
#include "onnx_frontend/read_model.h"
#include "onnx_frontend/wire_walk.h"
#include "planner/pattern_record.h"
#include "planner/strings.h"
#include "tests/test_paths.h"

namespace memplan {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class EmbedTest : public testing::Test {
 protected:
  EmbedTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::path(testing::TempDir()) / (std::string("embed_") + info->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~EmbedTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  static std::string Read(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
  }
  size_t Files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

// With metadata of others, a key twice among it, and an unknown field.
std::string Model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.mutable_graph()->add_node()->set_op_type("Relu");
  for (const char* value : {"one", "two"}) {
    auto* entry = model.add_metadata_props();
    entry->set_key("author");
    entry->set_value(value);
  }
  std::string unknown;
  AppendBytesHeader(999, 4, unknown);
  return model.SerializeAsString() + unknown + "news";
}

const std::string kRecord = [] {
  PatternRecord record;
  record.patterns.emplace_back();
  return *EncodeRecord(record);
}();

TEST_F(EmbedTest, AppendsTheRecordAndTouchesNothingElse) {
  const std::string in = Write("in.onnx", Model());
  auto result = EmbedRecord(in, Path("out.onnx"), kRecord);
  ASSERT_TRUE(result.ok()) << result.status();
  const std::string out = Read(Path("out.onnx"));
  EXPECT_EQ(out, Model() + MakePatternField(kRecord));
  EXPECT_EQ(result->file_bytes, static_cast<int64_t>(out.size()));
  EXPECT_EQ(result->records_removed, 0);
  EXPECT_EQ(Read(in), Model());
  EXPECT_EQ(Files(), 2u) << "no temporary file stays";
  auto model = ReadModel(Path("out.onnx"));
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->embedded_records.size(), 1u);
  EXPECT_TRUE(DecodeBase64Record(model->embedded_records[0]).ok());
  EXPECT_EQ(model->proto->metadata_props_size(), 2);
}

TEST_F(EmbedTest, InPlaceGivesTheSameBytes) {
  const std::string path = Write("m.onnx", Model());
  for (int i = 0; i < 2; ++i) {
    auto result = EmbedInPlace(path, kRecord);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->records_removed, i);
    EXPECT_EQ(Read(path), Model() + MakePatternField(kRecord));
    EXPECT_EQ(result->file_bytes, static_cast<int64_t>(Read(path).size()));
  }
  ASSERT_TRUE(EmbedInPlace(path, std::string(30'000, 'r')).ok());
  EXPECT_EQ(Read(path), Model() + MakePatternField(std::string(30'000, 'r')));
  auto result = StripInPlace(path);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->records_removed, 1);
  EXPECT_EQ(Read(path), Model());
  EXPECT_EQ(StripInPlace(path)->records_removed, 0);
}

TEST_F(EmbedTest, ReplacesRecordsWhereverTheyStand) {
  const std::string field = MakePatternField("old");
  onnx::ModelProto more;
  more.set_producer_name("a tool that appends");
  const std::string tail = more.SerializeAsString();
  for (const std::string& bytes :
       {field + Model() + tail, Model() + field + tail,
        field + field + Model() + field + tail + field}) {
    const std::string path = Write("m.onnx", bytes);
    EXPECT_EQ(*StripBytes(bytes), Model() + tail);
    ASSERT_TRUE(EmbedInPlace(path, kRecord).ok());
    EXPECT_EQ(Read(path), Model() + tail + MakePatternField(kRecord));
    Write("m.onnx", bytes);
    ASSERT_TRUE(StripInPlace(path).ok());
    EXPECT_EQ(Read(path), Model() + tail);
  }
  EXPECT_EQ(Files(), 1u);
}

TEST_F(EmbedTest, WritesOntoItselfAndThroughLinks) {
  const std::string path = Write("m.onnx", Model());
  ASSERT_TRUE(EmbedRecord(path, path, kRecord).ok());
  EXPECT_EQ(Read(path), Model() + MakePatternField(kRecord));
  fs::create_symlink("m.onnx", Path("link.onnx"));
  ASSERT_TRUE(StripRecord(path, Path("link.onnx")).ok());
  EXPECT_TRUE(fs::is_symlink(Path("link.onnx")));
  EXPECT_EQ(Read(path), Model());
}

TEST_F(EmbedTest, KeepsPermissions) {
  const std::string in = Write("in.onnx", Model());
  fs::permissions(in, fs::perms(0640));
  ASSERT_TRUE(EmbedRecord(in, Path("out.onnx"), kRecord).ok());
  struct stat info;
  ASSERT_EQ(stat(Path("out.onnx").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777 & ~0640u, 0u);
  fs::permissions(Path("out.onnx"), fs::perms(0600));
  ASSERT_TRUE(EmbedRecord(in, Path("out.onnx"), kRecord).ok());
  ASSERT_EQ(stat(Path("out.onnx").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(EmbedTest, RefusesWhatIsNoBinaryModel) {
  const std::string text =
      Write("m.onnxtxt", "<ir_version: 8> g (float[2] x) => () {}");
  auto result = EmbedInPlace(text, kRecord);
  EXPECT_TRUE(absl::IsInvalidArgument(result.status()));
  EXPECT_THAT(std::string(AsStd(result.status().message())),
              HasSubstr("--sidecar"));
  const std::string cut = Write("cut.onnx", Model().substr(0, 9));
  EXPECT_TRUE(absl::IsInvalidArgument(EmbedInPlace(cut, kRecord).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      EmbedRecord(cut, Path("out.onnx"), kRecord).status()));
  EXPECT_FALSE(fs::exists(Path("out.onnx")));
  EXPECT_TRUE(absl::IsNotFound(
      EmbedRecord(Path("none"), Path("out"), kRecord).status()));
  EXPECT_TRUE(absl::IsNotFound(
      EmbedRecord(Write("m.onnx", Model()), Path("no/out"), kRecord).status()));
  EXPECT_EQ(Read(cut), Model().substr(0, 9));
}

TEST_F(EmbedTest, WarnsWhereExternalDataStaysBehind) {
  onnx::ModelProto model;
  auto* tensor = model.mutable_graph()->add_initializer();
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = tensor->add_external_data();
  entry->set_key("location");
  entry->set_value("weights.bin");
  const std::string in = Write("m.onnx", model.SerializeAsString());
  fs::create_directories(Path("elsewhere"));
  auto result = EmbedRecord(in, Path("elsewhere/m.onnx"), kRecord);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->warnings, ElementsAre(HasSubstr("'weights.bin'")));
  EXPECT_THAT(EmbedRecord(in, Path("n.onnx"), kRecord)->warnings, IsEmpty());
  EXPECT_THAT(EmbedInPlace(in, kRecord)->warnings, IsEmpty());
}

TEST_F(EmbedTest, TheExampleForDevicesReadsThePlan) {
  MemoryPattern pattern;
  pattern.arena_size = 512;
  pattern.alignment = 64;
  pattern.num_steps = 3;
  pattern.optimal = true;
  pattern.tensors = {
      {"conv1", "", 100, 128, {0, 2}, SharingKind::kNone, {}, false},
      {"t", "1.body", 8, 0, {1, 3}, SharingKind::kNone, {}, false}};
  PatternRecord record;
  record.patterns.push_back(pattern);
  const std::string path = Write("m.onnx", Model());
  ASSERT_TRUE(EmbedInPlace(path, *EncodeRecord(record)).ok());
  FILE* program =
      popen((std::string(MEMPLAN_READ_PLAN) + " " + path).c_str(), "r");
  ASSERT_NE(program, nullptr);
  std::string text(4096, '\0');
  text.resize(fread(text.data(), 1, text.size(), program));
  EXPECT_EQ(pclose(program), 0);
  EXPECT_EQ(text,
            "arena 512 bytes, alignment 64, 2 tensors, optimal\n"
            "       128        100  [0, 2)  conv1\n"
            "         0          8  [1, 3)  1.body/t\n");
}

TEST_F(EmbedTest, ASidecarHoldsTheBareRecord) {
  ASSERT_TRUE(WriteSidecar(Path("m.plan"), kRecord).ok());
  EXPECT_EQ(Read(Path("m.plan")), kRecord);
  EXPECT_EQ(*ReadSidecar(Path("m.plan")), kRecord);
  EXPECT_TRUE(
      absl::IsInvalidArgument(ReadSidecar(Write("m.onnx", Model())).status()));
}

// Every model of the corpus, where it is there: embedded and stripped, it is
// the same bytes again, by both ways.
TEST_F(EmbedTest, StripOfEmbedIsTheSameFile) {
  const fs::path corpus = fs::path(SharedDir()) / "corpus";
  if (!fs::exists(corpus)) GTEST_SKIP() << "no corpus beside the sources";
  int models = 0;
  for (const auto& file : fs::recursive_directory_iterator(corpus)) {
    if (file.path().extension() != ".onnx") continue;
    const std::string original = Read(file.path());
    auto embedded = EmbedInBytes(original, kRecord);
    if (!embedded.ok()) {
      EXPECT_FALSE(ReadModel(file.path()).ok()) << file.path();
      continue;
    }
    ++models;
    const std::string plain = *StripBytes(original);
    EXPECT_EQ(plain, original);
    ASSERT_EQ(*StripBytes(*embedded), original) << file.path();
    if (models % 20 != 0) continue;  // by files: some, for the time it takes
    const std::string path = Write("m.onnx", original);
    ASSERT_TRUE(EmbedInPlace(path, kRecord).ok());
    EXPECT_EQ(Read(path), *embedded);
    ASSERT_TRUE(StripInPlace(path).ok());
    EXPECT_EQ(Read(path), original);
  }
  EXPECT_GT(models, 1000);
}

}  // namespace
}  // namespace memplan
