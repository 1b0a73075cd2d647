#include "tests/corpus/fork_pool.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <deque>

namespace memplan {
namespace {

struct Child {
  pid_t pid = 0;
  int pipe = 0;
};

void WriteAll(int fd, const std::string& text) {
  size_t at = 0;
  while (at < text.size()) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written <= 0) _exit(2);
    at += static_cast<size_t>(written);
  }
}

Child Start(const std::function<std::string(size_t)>& task, size_t index,
            unsigned seconds) {
  int ends[2];
  fflush(nullptr);
  if (pipe(ends) != 0) abort();
  const pid_t pid = fork();
  if (pid < 0) abort();
  if (pid == 0) {
    close(ends[0]);
    alarm(seconds);
    WriteAll(ends[1], task(index));
    _exit(0);
  }
  close(ends[1]);
  return {pid, ends[0]};
}

TaskResult Finish(const Child& child) {
  TaskResult result;
  char chunk[65536];
  ssize_t got;
  while ((got = read(child.pipe, chunk, sizeof(chunk))) > 0) {
    result.output.append(chunk, static_cast<size_t>(got));
  }
  close(child.pipe);
  int status = 0;
  waitpid(child.pid, &status, 0);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    result.failure =
        "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  } else if (WEXITSTATUS(status) != 0) {
    result.failure = "exit code " + std::to_string(WEXITSTATUS(status));
  }
  if (!result.failure.empty()) result.output.clear();
  return result;
}

}  // namespace

void RunForked(size_t count, size_t jobs, unsigned seconds,
               const std::function<std::string(size_t)>& task,
               const std::function<void(size_t, const TaskResult&)>& done) {
  std::deque<Child> running;
  size_t finished = 0;
  for (size_t next = 0; finished < count;) {
    if (next < count && running.size() < jobs) {
      running.push_back(Start(task, next++, seconds));
      continue;
    }
    const TaskResult result = Finish(running.front());
    running.pop_front();
    done(finished++, result);
  }
}

}  // namespace memplan
