#include "tools/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "tools/exit_code.h"

namespace memplan {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void EndForBusError(int) {
  constexpr char kMessage[] =
      "memplan: the model file was cut short while it was read\n";
  [[maybe_unused]] const ssize_t ignored =
      write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(static_cast<int>(ExitCode::kInputOutput));
}

void Interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

const std::atomic<bool>* CancelOnInterrupt() {
  struct sigaction action = {};
  action.sa_handler = Interrupt;
  // Once: the default action comes back with the first signal.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &interrupted;
}

void EndWhereAFileIsCut() {
  struct sigaction action = {};
  action.sa_handler = EndForBusError;
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace memplan
