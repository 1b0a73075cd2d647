#ifndef MEMPLAN_TESTS_CORPUS_FORK_POOL_H_
#define MEMPLAN_TESTS_CORPUS_FORK_POOL_H_

#include <cstddef>
#include <functional>
#include <string>

namespace memplan {

// How one task ended.
struct TaskResult {
  std::string output;   // what the task returned; "" where it did not end well
  std::string failure;  // "" or "signal 11 (Segmentation fault)", "exit code 1"
};

// Runs tasks 0 to count - 1, each in a process of its own, so that a crash, a
// sanitizer's report or a hang (past `seconds`) is one task's failure. `jobs`
// run at a time; `done` hears of them in order.
void RunForked(size_t count, size_t jobs, unsigned seconds,
               const std::function<std::string(size_t)>& task,
               const std::function<void(size_t, const TaskResult&)>& done);

}  // namespace memplan

#endif  // MEMPLAN_TESTS_CORPUS_FORK_POOL_H_
