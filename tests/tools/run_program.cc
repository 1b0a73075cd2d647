#include "tests/tools/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
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

struct Running {
  pid_t pid = 0;
  int out = 0;
  int err = 0;
};

Running Start(const std::vector<std::string>& arguments,
              const std::string& input) {
  std::vector<char*> argv = {const_cast<char*>(MEMPLAN_PROGRAM)};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const int in = TemporaryFile(input);
  Running running;
  running.out = TemporaryFile("");
  running.err = TemporaryFile("");
  running.pid = fork();
  if (running.pid == 0) {
    dup2(in, STDIN_FILENO);
    dup2(running.out, STDOUT_FILENO);
    dup2(running.err, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(in);
  return running;
}

ProgramResult Finish(const Running& running) {
  int status = 0;
  waitpid(running.pid, &status, 0);
  ProgramResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  result.out = TakeContent(running.out);
  result.err = TakeContent(running.err);
  return result;
}

// Whether the process has a handler for SIGINT.
bool CatchesInterrupt(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigCgt:", 0) != 0) continue;
    const uint64_t mask = std::stoull(line.substr(7), nullptr, 16);
    return (mask >> (SIGINT - 1) & 1) != 0;
  }
  return false;
}

}  // namespace

ProgramResult RunMemplan(const std::vector<std::string>& arguments,
                         const std::string& input) {
  return Finish(Start(arguments, input));
}

ProgramResult InterruptMemplan(const std::vector<std::string>& arguments,
                               const std::string& input) {
  const Running running = Start(arguments, input);
  for (int i = 0; i < 3000 && !CatchesInterrupt(running.pid); ++i) {
    usleep(10'000);
  }
  kill(running.pid, SIGINT);
  return Finish(running);
}

std::string ExampleModel(const std::string& name) {
  return SourceDir() + "/models/" + name;
}

std::string FileContent(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace memplan
