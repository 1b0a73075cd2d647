#ifndef MEMPLAN_PLANNER_ORDER_WINDOW_H_
#define MEMPLAN_PLANNER_ORDER_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "planner/order_problem.h"

namespace memplan {

// A stretch of an order: these steps are to be permuted among themselves, those
// before and after stay where they are.
class OrderWindow {
 public:
  // Stretch [begin, end) of `order`, whose trace is `trace`. O(size of the
  // problem).
  OrderWindow(const OrderProblem& problem, const std::vector<int32_t>& order,
              const OrderTrace& trace, size_t begin, size_t end);

  size_t size() const { return steps_.size(); }
  int64_t live_at_start() const { return live_at_start_; }
  // The peak within the window of the order that it was cut from.
  int64_t given_peak() const { return given_peak_; }

  // What one more step does where `done` are done (by position in the window).
  struct Effect {
    int64_t during = 0;  // live bytes while it runs
    int64_t after = 0;
  };
  Effect EffectOf(size_t step, const uint64_t* done, int64_t live) const;

  const std::vector<int32_t>& before(size_t step) const {
    return steps_[step].before;
  }
  const std::vector<int32_t>& after(size_t step) const {
    return steps_[step].after;
  }
  bool IsReady(size_t step, const uint64_t* done) const;

  // The problem's steps in the order that `positions` gives.
  std::vector<int32_t> ToSteps(const std::vector<int32_t>& positions) const;

  static bool IsDone(const uint64_t* done, int32_t step) {
    return (done[step >> 6] >> (step & 63) & 1) != 0;
  }
  static void SetDone(uint64_t* done, size_t step) {
    done[step >> 6] |= uint64_t{1} << (step & 63);
  }
  size_t words() const { return (steps_.size() + 63) / 64; }

 private:
  struct Read {
    int64_t size = 0;
    std::vector<int32_t> readers;  // in the window
  };
  struct Step {
    int32_t step = 0;  // of the problem
    std::vector<int32_t> before;
    std::vector<int32_t> after;
    std::vector<Read> reads;                      // those that may die here
    std::vector<OrderProblem::InPlace> in_place;  // `read`: index into reads
    int64_t written = 0;  // bytes that begin here, those inside bodies included
    int64_t kept = 0;     // of them, those that somebody reads later
  };
  void AddStep(const OrderProblem& problem, int32_t step, size_t at,
               const std::vector<int64_t>& place);

  std::vector<Step> steps_;
  int64_t live_at_start_ = 0;
  int64_t given_peak_ = 0;
};

// An order of a window: positions in it.
struct WindowOrder {
  std::vector<int32_t> positions;
  int64_t peak = 0;
};

// What the exact search came to.
struct ExactResult {
  std::optional<WindowOrder> better;  // with a peak below `bound`: the lowest
  bool complete = false;              // else: none has a lower one
};

// All sets of steps by ascending bottleneck, until the whole window is one of
// them; those at or above `bound` are left out. Takes from `effort`, a search
// node a set, at most `max_sets`.
ExactResult SearchExactly(const OrderWindow& window, int64_t bound,
                          int64_t max_sets, int64_t& effort);

// The best of `width` partial orders at a time. Unset where effort ends before.
std::optional<WindowOrder> SearchBeam(const OrderWindow& window, size_t width,
                                      int64_t& effort);

}  // namespace memplan

#endif  // MEMPLAN_PLANNER_ORDER_WINDOW_H_
