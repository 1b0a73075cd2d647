#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "planner/order_window.h"

// Beam search: all partial orders of the same length side by side, the best
// `width` of them go on. Better is: the lower peak so far, then fewer live
// bytes. Of orders of the same set of steps one goes on, since they have the
// same future. A step that costs nothing (see order_exact.cc) is taken at once.

namespace memplan {
namespace {

struct Partial {
  std::vector<uint64_t> done;
  std::vector<int32_t> ready;  // ascending
  int64_t height = 0;
  int64_t live = 0;
  int32_t trail = -1;  // its last link
};

// An order as a list that grows at its end and shares its beginning.
struct Link {
  int32_t parent;
  int32_t step;
};

struct Candidate {
  int64_t height;
  int64_t live;
  uint64_t set_hash;
  int32_t partial;
  int32_t step;
};

class BeamSearch {
 public:
  BeamSearch(const OrderWindow& window, size_t width)
      : window_(window), width_(width), step_hash_(window.size()) {
    uint64_t state = 0;
    for (uint64_t& hash : step_hash_) {  // SplitMix64: the same on any machine
      state += 0x9E3779B97F4A7C15;
      hash = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
      hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
    }
  }

  std::optional<WindowOrder> Run(int64_t& effort) {
    std::vector<Partial> beam(1);
    beam[0].done.assign(window_.words(), 0);
    beam[0].live = window_.live_at_start();
    for (size_t s = 0; s < window_.size(); ++s) {
      if (window_.before(s).empty()) {
        beam[0].ready.push_back(static_cast<int32_t>(s));
      }
    }
    hashes_.assign(1, 0);
    for (size_t length = 0; length < window_.size(); ++length) {
      if (effort <= 0) return std::nullopt;
      CollectCandidates(beam, effort);
      beam = Advance(beam);
    }
    return PathOf(beam[0]);
  }

 private:
  void CollectCandidates(const std::vector<Partial>& beam, int64_t& effort) {
    candidates_.clear();
    for (size_t p = 0; p < beam.size(); ++p) {
      const Partial& from = beam[p];
      effort -= 1 + static_cast<int64_t>(from.ready.size()) / 16;
      const size_t first = candidates_.size();
      for (int32_t s : from.ready) {
        const OrderWindow::Effect effect = window_.EffectOf(
            static_cast<size_t>(s), from.done.data(), from.live);
        const bool is_free =
            effect.during <= from.height && effect.after <= from.live;
        if (is_free) candidates_.resize(first);
        candidates_.push_back({std::max(from.height, effect.during),
                               effect.after,
                               hashes_[p] ^ step_hash_[static_cast<size_t>(s)],
                               static_cast<int32_t>(p), s});
        if (is_free) break;
      }
    }
    std::sort(
        candidates_.begin(), candidates_.end(),
        [](const Candidate& a, const Candidate& b) {
          return std::tie(a.height, a.live, a.set_hash, a.partial, a.step) <
                 std::tie(b.height, b.live, b.set_hash, b.partial, b.step);
        });
  }

  std::vector<Partial> Advance(const std::vector<Partial>& beam) {
    std::vector<Partial> next;
    std::vector<uint64_t> next_hashes;
    for (const Candidate& c : candidates_) {
      if (next.size() == width_) break;
      if (std::find(next_hashes.begin(), next_hashes.end(), c.set_hash) !=
          next_hashes.end()) {
        continue;
      }
      next_hashes.push_back(c.set_hash);
      next.push_back(Step(beam[static_cast<size_t>(c.partial)], c));
    }
    hashes_ = std::move(next_hashes);
    return next;
  }

  Partial Step(const Partial& from, const Candidate& c) {
    Partial to = from;
    OrderWindow::SetDone(to.done.data(), static_cast<size_t>(c.step));
    to.ready.erase(std::lower_bound(to.ready.begin(), to.ready.end(), c.step));
    for (int32_t s : window_.after(static_cast<size_t>(c.step))) {
      if (!window_.IsReady(static_cast<size_t>(s), to.done.data())) continue;
      to.ready.insert(std::lower_bound(to.ready.begin(), to.ready.end(), s), s);
    }
    to.height = c.height;
    to.live = c.live;
    to.trail = static_cast<int32_t>(links_.size());
    links_.push_back({from.trail, c.step});
    return to;
  }

  WindowOrder PathOf(const Partial& last) const {
    WindowOrder path = {.positions = {}, .peak = last.height};
    for (int32_t at = last.trail; at >= 0;
         at = links_[static_cast<size_t>(at)].parent) {
      path.positions.push_back(links_[static_cast<size_t>(at)].step);
    }
    std::reverse(path.positions.begin(), path.positions.end());
    return path;
  }

  const OrderWindow& window_;
  const size_t width_;
  std::vector<uint64_t> step_hash_;  // a set's hash is the XOR of its steps'
  std::vector<uint64_t> hashes_;     // by partial of the beam
  std::vector<Candidate> candidates_;
  std::vector<Link> links_;
};

}  // namespace

std::optional<WindowOrder> SearchBeam(const OrderWindow& window, size_t width,
                                      int64_t& effort) {
  return BeamSearch(window, width).Run(effort);
}

}  // namespace memplan
