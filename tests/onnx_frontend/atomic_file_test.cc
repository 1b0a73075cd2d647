#include "onnx_frontend/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace memplan {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest()
      : folder_(fs::path(testing::TempDir()) /
                ("atomic_file_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  size_t Files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, NothingRemainsWithoutCommit) {
  {
    auto file = AtomicFile::Create(Path("new"), 0666);
    ASSERT_TRUE(file.ok() && file->Append("half").ok());
    EXPECT_FALSE(fs::exists(Path("new")));
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(AtomicFileTest, NothingRemainsOfAProgramThatIsKilled) {
  const int fd = open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (fd < 0) GTEST_SKIP() << "the file system has no unnamed files";
  close(fd);
  std::ofstream(Path("old")) << "old";
  for (const char* name : {"old", "new"}) {
    const pid_t pid = fork();
    if (pid == 0) {
      auto file = AtomicFile::Create(Path(name), 0666);
      if (file.ok() && file->Append("half").ok()) kill(getpid(), SIGKILL);
      _exit(1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << name;
  }
  EXPECT_EQ(Files(), 1u);
  EXPECT_EQ(fs::file_size(Path("old")), 3u);
}

TEST_F(AtomicFileTest, TheLastToCommitAFileOfOneNameWins) {
  auto first = AtomicFile::Create(Path("new"), 0640);
  auto second = AtomicFile::Create(Path("new"), 0640);
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_TRUE(first->Append("first").ok() && first->Commit().ok());
  ASSERT_TRUE(second->Append("the second").ok() && second->Commit().ok());
  EXPECT_EQ(Files(), 1u);
  EXPECT_EQ(fs::file_size(Path("new")), 10u);
}

}  // namespace
}  // namespace memplan
