#include "planner/order_window.h"

#include <algorithm>

namespace memplan {
namespace {

constexpr size_t kMaxInPlace = 64;  // pairs of one step; a mask holds them

}  // namespace

OrderWindow::OrderWindow(const OrderProblem& problem,
                         const std::vector<int32_t>& order,
                         const OrderTrace& trace, size_t begin, size_t end)
    : steps_(end - begin),
      live_at_start_(begin == 0 ? problem.live_at_start
                                : trace.after[begin - 1]) {
  // By step: its place relative to the window's first.
  std::vector<int64_t> place(problem.steps.size());
  for (size_t i = 0; i < order.size(); ++i) {
    place[static_cast<size_t>(order[i])] =
        static_cast<int64_t>(i) - static_cast<int64_t>(begin);
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    given_peak_ = std::max(given_peak_, trace.during[begin + i]);
    AddStep(problem, order[begin + i], i, place);
  }
}

void OrderWindow::AddStep(const OrderProblem& problem, int32_t step, size_t at,
                          const std::vector<int64_t>& place) {
  const int64_t count = static_cast<int64_t>(steps_.size());
  const OrderProblem::Step& source = problem.steps[static_cast<size_t>(step)];
  Step& own = steps_[at];
  own.step = step;
  for (int32_t s : source.before) {
    const int64_t earlier = place[static_cast<size_t>(s)];
    if (earlier < 0) continue;
    own.before.push_back(static_cast<int32_t>(earlier));
    steps_[static_cast<size_t>(earlier)].after.push_back(
        static_cast<int32_t>(at));
  }
  own.written = source.inside;
  for (int32_t g : source.writes) {
    const OrderProblem::Group& group = problem.groups[static_cast<size_t>(g)];
    own.written += group.size;
    if (group.stays || !group.readers.empty()) own.kept += group.size;
  }
  std::vector<int32_t> groups;  // of own.reads
  for (int32_t g : source.reads) {
    const OrderProblem::Group& group = problem.groups[static_cast<size_t>(g)];
    Read read = {.size = group.size, .readers = {}};
    bool may_die = !group.stays;
    for (int32_t reader : group.readers) {
      const int64_t when = place[static_cast<size_t>(reader)];
      may_die = may_die && when < count;
      if (when >= 0 && when < count) {
        read.readers.push_back(static_cast<int32_t>(when));
      }
    }
    if (!may_die) continue;
    own.reads.push_back(std::move(read));
    groups.push_back(g);
  }
  for (const OrderProblem::InPlace& pair : source.in_place) {
    const auto at_read = std::find(groups.begin(), groups.end(), pair.read);
    if (at_read == groups.end() || own.in_place.size() == kMaxInPlace) continue;
    own.in_place.push_back(
        {pair.write, static_cast<int32_t>(at_read - groups.begin())});
  }
}

bool OrderWindow::IsReady(size_t step, const uint64_t* done) const {
  for (int32_t s : steps_[step].before) {
    if (!IsDone(done, s)) return false;
  }
  return true;
}

OrderWindow::Effect OrderWindow::EffectOf(size_t step, const uint64_t* done,
                                          int64_t live) const {
  const Step& own = steps_[step];
  Effect effect = {live + own.written, live + own.kept};
  const auto is_last_reader = [&](const Read& read) {
    for (int32_t reader : read.readers) {
      if (reader != static_cast<int32_t>(step) && !IsDone(done, reader)) {
        return false;
      }
    }
    return true;
  };
  for (const Read& read : own.reads) {
    if (is_last_reader(read)) effect.after -= read.size;
  }
  uint64_t taken = 0;  // by pair
  for (size_t p = 0; p < own.in_place.size(); ++p) {
    const OrderProblem::InPlace& pair = own.in_place[p];
    const Read& read = own.reads[static_cast<size_t>(pair.read)];
    bool is_free = is_last_reader(read);
    for (size_t q = 0; q < p && is_free; ++q) {
      is_free = (taken >> q & 1) == 0 || (own.in_place[q].write != pair.write &&
                                          own.in_place[q].read != pair.read);
    }
    if (!is_free) continue;
    taken |= uint64_t{1} << p;
    effect.during -= read.size;
  }
  return effect;
}

std::vector<int32_t> OrderWindow::ToSteps(
    const std::vector<int32_t>& positions) const {
  std::vector<int32_t> result;
  result.reserve(positions.size());
  for (int32_t p : positions) {
    result.push_back(steps_[static_cast<size_t>(p)].step);
  }
  return result;
}

}  // namespace memplan
