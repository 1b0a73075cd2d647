#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx_frontend/mapped_file.h"
#include "tests/tools/run_program.h"
#include "tools/interrupt.h"

namespace memplan {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

class HostileFilesTest : public ::testing::Test {
 protected:
  HostileFilesTest()
      : folder_(fs::path(::testing::TempDir()) /
                ("memplan_files_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~HostileFilesTest() override { fs::remove_all(folder_); }

  std::string Path(const char* name) const { return folder_ / name; }
  std::string Write(const char* name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  size_t Files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), {}));
  }
  // Each command that reads a model.
  std::vector<Arguments> Commands(const std::string& model) const {
    return {{"plan", model},
            {"inspect", model},
            {"check", model},
            {"export", model},
            {"strip", model, "-o", Path("out")},
            {"strip", model, "--in-place"},
            {"embed", model, "-o", Path("out")},
            {"embed", model, "--in-place"},
            {"embed", model, "--sidecar", Path("out")}};
  }

  fs::path folder_;
};

TEST_F(HostileFilesTest, WhatIsNoFileIsCodeSevenAndLeavesNothing) {
  fs::create_symlink("loop", Path("loop"));
  for (const std::string& model :
       {Path("missing.onnx"), folder_.string(), std::string("/dev/zero"),
        std::string("/dev/null"), Path("loop")}) {
    for (const Arguments& command : Commands(model)) {
      const ProgramResult result = RunMemplan(command);
      EXPECT_EQ(result.exit_code, 7) << command[0] << " " << model;
      EXPECT_THAT(result.err, HasSubstr("memplan: " + model + ": "));
    }
  }
  EXPECT_EQ(Files(), 1u);
}

TEST_F(HostileFilesTest, WhatIsNoModelIsCodeThreeAndStays) {
  for (const char* bytes :
       {"", "\x08", "no model at all", "\xff\xff\xff\xff"}) {
    const std::string model = Write("m.onnx", bytes);
    for (const Arguments& command : Commands(model)) {
      EXPECT_EQ(RunMemplan(command).exit_code, 3) << command[0] << bytes;
    }
    EXPECT_EQ(FileContent(model), bytes);
  }
  EXPECT_EQ(Files(), 1u);
}

// A cut model may be a whole one: where it was cut between two of its fields.
TEST_F(HostileFilesTest, AModelCutAnywhereIsAnErrorOrPlanned) {
  const std::string whole = FileContent(ExampleModel("resnet50.onnx"));
  ASSERT_GT(whole.size(), 10'000u);
  const size_t step = whole.size() / 40;
  for (size_t cut = 1; cut < whole.size(); cut += step) {
    const std::string model = Write("m.onnx", whole.substr(0, cut));
    for (const char* command : {"plan", "check"}) {
      EXPECT_THAT(RunMemplan({command, model}).exit_code, AnyOf(0, 1, 3))
          << command << " of the first " << cut << " bytes";
    }
  }
}

TEST_F(HostileFilesTest, AFullDiskIsSaid) {
  const std::string model =
      Write("m.onnx", FileContent(ExampleModel("resnet50.onnx")));
  for (const Arguments& command :
       std::vector<Arguments>{{"embed", model, "-o", "/dev/full"},
                              {"embed", model, "--sidecar", "/dev/full"},
                              {"plan", model, "--json", "/dev/full"},
                              {"plan", model, "--csv", "/dev/full"},
                              {"export", model, "-o", "/dev/full"}}) {
    const ProgramResult result = RunMemplan(command);
    EXPECT_EQ(result.exit_code, 7) << command[0] << " " << command[2];
    EXPECT_THAT(result.err, HasSubstr("/dev/full: No space left on device"));
  }
}

TEST_F(HostileFilesTest, ALinkedModelIsChangedWhereItIs) {
  const std::string original = FileContent(ExampleModel("resnet50.onnx"));
  Write("m.onnx", original);
  fs::create_symlink("m.onnx", Path("link"));
  EXPECT_EQ(RunMemplan({"embed", Path("link"), "--in-place"}).exit_code, 0);
  EXPECT_EQ(RunMemplan({"check", Path("m.onnx")}).exit_code, 0);
  EXPECT_EQ(RunMemplan({"strip", Path("link"), "-o", Path("link")}).exit_code,
            0);
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(FileContent(Path("m.onnx")), original);
  EXPECT_EQ(Files(), 2u);
}

TEST_F(HostileFilesTest, AModelThatIsCutWhileItIsReadIsNoCrash) {
  const std::string model = Write("m.onnx", std::string(10'000, 'x'));
  const auto cut_and_read = [&] {
    EndWhereAFileIsCut();
    const auto file = MappedFile::Open(model);
    fs::resize_file(model, 0);
    volatile const char* const byte = file->bytes().data();
    (void)*byte;
  };
  EXPECT_EXIT(cut_and_read(), ::testing::ExitedWithCode(7), "cut short");
}

TEST_F(HostileFilesTest, AReadOnlyModelIsNotReplaced) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write to every file";
  const std::string original = FileContent(ExampleModel("resnet50.onnx"));
  const std::string model = Write("m.onnx", original);
  ASSERT_EQ(chmod(model.c_str(), 0444), 0);
  EXPECT_EQ(RunMemplan({"embed", model, "--in-place"}).exit_code, 7);
  EXPECT_EQ(RunMemplan({"embed", model, "-o", model}).exit_code, 7);
  EXPECT_EQ(FileContent(model), original);
  EXPECT_EQ(Files(), 1u);
}

}  // namespace
}  // namespace memplan
