#include "tools/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace memplan {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WriteOutputTest : public ::testing::Test {
 protected:
  WriteOutputTest()
      : folder_(fs::path(::testing::TempDir()) /
                ("memplan_output_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~WriteOutputTest() override { fs::remove_all(folder_); }

  std::string Path(const char* name) const { return folder_ / name; }
  size_t NumFiles() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_),
                                             fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WriteOutputTest, WritesAllAndLeavesNothingBehind) {
  const std::string bytes = std::string(3'000'000, 'x') + '\0';
  ASSERT_TRUE(WriteOutput(Path("a"), bytes).ok());
  EXPECT_EQ(*ReadInput(Path("a")), bytes);
  ASSERT_TRUE(WriteOutput(Path("a"), "new").ok());
  EXPECT_EQ(*ReadInput(Path("a")), "new");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(WriteOutputTest, KeepsPermissionsAndLinks) {
  ASSERT_TRUE(WriteOutput(Path("a"), "old").ok());
  ASSERT_EQ(chmod(Path("a").c_str(), 0640), 0);
  fs::create_symlink("a", Path("link"));
  ASSERT_TRUE(WriteOutput(Path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(*ReadInput(Path("a")), "new");
  struct stat info;
  ASSERT_EQ(stat(Path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

TEST_F(WriteOutputTest, ADeviceStaysADevice) {
  ASSERT_TRUE(WriteOutput("/dev/null", "gone").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteOutputTest, SaysWhatTheSystemSays) {
  const absl::Status missing = WriteOutput(Path("no/such/folder"), "x");
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()),
              HasSubstr("No such file or directory"));
  const absl::Status full = WriteOutput("/dev/full", "x");
  EXPECT_THAT(std::string(full.message()),
              HasSubstr("/dev/full: No space left on device"));
}

TEST_F(WriteOutputTest, ALinkToNowhereIsNotReplaced) {
  fs::create_symlink("nowhere", Path("link"));
  EXPECT_THAT(std::string(WriteOutput(Path("link"), "x").message()),
              HasSubstr("leads nowhere"));
  EXPECT_TRUE(fs::is_symlink(Path("link")));
}

TEST_F(WriteOutputTest, AFailureLeavesTheOldFile) {
  ASSERT_TRUE(WriteOutput(Path("a"), "old").ok());
  fs::create_directory(Path("folder"));
  EXPECT_FALSE(WriteOutput(Path("folder"), "x").ok());
  EXPECT_EQ(*ReadInput(Path("a")), "old");
  EXPECT_EQ(NumFiles(), 2u);
}

TEST(ReadInput, NamesTheFileThatIsMissing) {
  const auto bytes = ReadInput("/no/such/file");
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(bytes.status().message()),
              HasSubstr("/no/such/file: No such file"));
}

}  // namespace
}  // namespace memplan
