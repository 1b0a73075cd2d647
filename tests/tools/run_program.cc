#include "tests/tools/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/test_paths.h"

namespace memplan {
namespace {

// An unnamed file: no pipe that both sides could wait for.
int TemporaryFile(const std::string& content) {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) std::abort();
  std::fwrite(content.data(), 1, content.size(), file);
  std::fflush(file);
  const int fd = dup(fileno(file));
  std::fclose(file);
  lseek(fd, 0, SEEK_SET);
  return fd;
}

std::string TakeContent(int fd) {
  std::string content;
  char chunk[65536];
  lseek(fd, 0, SEEK_SET);
  ssize_t got;
  while ((got = read(fd, chunk, sizeof(chunk))) > 0) {
    content.append(chunk, static_cast<size_t>(got));
  }
  close(fd);
  return content;
}

}  // namespace

ProgramResult RunMemplan(const std::vector<std::string>& arguments,
                         const std::string& input) {
  std::vector<char*> argv = {const_cast<char*>(MEMPLAN_PROGRAM)};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const int in = TemporaryFile(input);
  const int out = TemporaryFile("");
  const int err = TemporaryFile("");
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  close(in);
  ProgramResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  result.out = TakeContent(out);
  result.err = TakeContent(err);
  return result;
}

std::string ExampleModel(const std::string& name) {
  return SourceDir() + "/models/" + name;
}

std::string FileContent(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace memplan
