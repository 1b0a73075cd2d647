#include "tools/progress.h"

#include <unistd.h>

#include <chrono>
#include <iostream>

#include "absl/strings/str_format.h"
#include "planner/numbers_text.h"

namespace memplan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kFirst = std::chrono::seconds(1);
constexpr auto kBetween = std::chrono::milliseconds(200);

}  // namespace

std::function<void(const SolveProgress&)> ProgressOnTerminal() {
  if (!isatty(STDERR_FILENO)) return nullptr;
  return [next = Clock::now() + kFirst](const SolveProgress& at) mutable {
    if (Clock::now() < next) return;
    next = Clock::now() + kBetween;
    std::cerr << absl::StrFormat("\r\033[Karena %s, lower bound %s, gap %s, %s",
                                 Grouped(at.arena_size),
                                 Grouped(at.lower_bound),
                                 Grouped(at.arena_size - at.lower_bound),
                                 Counted(at.search_nodes, "search node"))
              << std::flush;
  };
}

void ClearProgress() {
  if (isatty(STDERR_FILENO)) std::cerr << "\r\033[K" << std::flush;
}

}  // namespace memplan
