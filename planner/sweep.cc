#include "planner/sweep.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "planner/bounds.h"

namespace memplan {
namespace {

// Below so many events, comparing sorts them as fast.
constexpr size_t kMinCountedEvents = 4096;
constexpr int kDigitBits = 11;
constexpr uint64_t kDigits = uint64_t{1} << kDigitBits;

void SortByComparing(std::vector<SweepEvent>& events) {
  const auto key = [](const SweepEvent& event) {
    return std::tie(event.step, event.is_begin, event.index);
  };
  std::sort(events.begin(), events.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

// Radix sort from the lowest digit: each pass keeps the order of the one
// before, and the first one that of the indices.
void SortByCounting(std::vector<SweepEvent>& events) {
  const auto [first, last] = std::minmax_element(
      events.begin(), events.end(),
      [](const auto& a, const auto& b) { return a.step < b.step; });
  const int64_t origin = first->step;
  const auto key = [origin](const SweepEvent& event) {
    return static_cast<uint64_t>(event.step - origin) * 2 +
           (event.is_begin ? 1 : 0);
  };
  const uint64_t largest = static_cast<uint64_t>(last->step - origin) * 2 + 1;
  std::vector<SweepEvent> sorted(events.size());
  for (int shift = 0; shift < 64 && largest >> shift != 0;
       shift += kDigitBits) {
    const auto digit = [&](const SweepEvent& event) {
      return (key(event) >> shift) % kDigits;
    };
    std::array<size_t, kDigits> place = {};
    for (const SweepEvent& event : events) ++place[digit(event)];
    size_t begin = 0;
    for (size_t& count : place) begin += std::exchange(count, begin);
    for (const SweepEvent& event : events)
      sorted[place[digit(event)]++] = event;
    events.swap(sorted);
  }
}

}  // namespace

std::vector<SweepEvent> Sweep(const Problem& problem,
                              absl::FunctionRef<bool(const Buffer&)> keep) {
  std::vector<SweepEvent> events;
  events.reserve(problem.buffers.size() * 2);
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (CannotConflict(buffer) || !keep(buffer)) continue;
    const int32_t index = static_cast<int32_t>(i);
    events.push_back({buffer.lifespan.begin, index, true});
    events.push_back({buffer.lifespan.end, index, false});
  }
  if (events.size() < kMinCountedEvents) {
    SortByComparing(events);
  } else {
    SortByCounting(events);
  }
  return events;
}

std::vector<SweepEvent> Sweep(const Problem& problem) {
  return Sweep(problem, [](const Buffer&) { return true; });
}

}  // namespace memplan
