#include "planner/order_search.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "planner/order_window.h"

// Three steps, from sure to hopeful:
//
// 1. Cut. A step that every other one must precede or follow splits the order:
//    whatever comes before it is done before, in any order. Each piece is a
//    puzzle of its own, and the highest piece decides. (Serenity cuts where a
//    single tensor crosses; a step that is comparable with all others is such a
//    place, and no tensor count matters.)
// 2. Exact search of each piece, under the best peak that the file's order or a
//    beam reach.
// 3. Where a piece is too large for that: exact search in windows around its
//    worst step, so long as that lowers the peak.

namespace memplan {
namespace {

constexpr size_t kMaxExactSteps = 400;
constexpr int64_t kMaxWindowSets = 20'000;

class OrderSearch {
 public:
  OrderSearch(const OrderProblem& problem, int64_t& effort)
      : problem_(problem), effort_(effort), order_(problem.steps.size()) {
    for (size_t i = 0; i < order_.size(); ++i) {
      order_[i] = static_cast<int32_t>(i);
    }
    trace_ = TraceOrder(problem_, order_);
  }

  FoundOrder Run(const std::vector<int32_t>& other) {
    std::vector<Piece> pieces = Cut();
    TakeBetterPieces(other, pieces);
    for (Piece& piece : pieces) piece.floor = FloorOf(piece);
    // No order is below the highest floor, so pieces below it need no work.
    int64_t floor = problem_.live_at_start;
    for (const Piece& piece : pieces) floor = std::max(floor, piece.floor);
    std::vector<size_t> by_peak(pieces.size());
    for (size_t i = 0; i < by_peak.size(); ++i) by_peak[i] = i;
    std::stable_sort(by_peak.begin(), by_peak.end(), [&](size_t a, size_t b) {
      return PeakOf(pieces[a]) > PeakOf(pieces[b]);
    });
    for (size_t i : by_peak) {
      if (PeakOf(pieces[i]) <= floor) continue;
      if (Improve(pieces[i], floor)) {
        floor = std::max(floor, PeakOf(pieces[i]));
      }
    }
    return {
        .order = order_, .peak = trace_.peak, .proved = trace_.peak <= floor};
  }

 private:
  // A stretch of the order that no other step enters, whatever the order.
  struct Piece {
    size_t begin = 0;
    size_t end = 0;
    int64_t floor = 0;  // no order of the piece is below
  };

  // A step is comparable with all others if, walking in file order, it is the
  // only one that could come next, and walking back, too.
  std::vector<Piece> Cut() const {
    const size_t n = order_.size();
    const auto alone = [&](bool backward) {
      std::vector<size_t> waits(n);
      size_t ready = 0;
      const auto& step = problem_.steps;
      for (size_t i = 0; i < n; ++i) {
        waits[i] = (backward ? step[i].after : step[i].before).size();
        ready += waits[i] == 0 ? 1 : 0;
      }
      std::vector<bool> result(n);
      for (size_t k = 0; k < n; ++k) {
        const size_t i = backward ? n - 1 - k : k;
        result[i] = ready == 1;
        --ready;
        for (int32_t s : backward ? step[i].before : step[i].after) {
          if (--waits[static_cast<size_t>(s)] == 0) ++ready;
        }
      }
      return result;
    };
    const std::vector<bool> forward = alone(false);
    const std::vector<bool> backward = alone(true);
    std::vector<Piece> pieces;
    size_t begin = 0;
    for (size_t i = 0; i < n; ++i) {
      if (i + 1 < n && !(forward[i] && backward[i])) continue;
      pieces.push_back({begin, i + 1});
      begin = i + 1;
    }
    return pieces;
  }

  // A piece has the same steps in any order.
  void TakeBetterPieces(const std::vector<int32_t>& other,
                        const std::vector<Piece>& pieces) {
    const OrderTrace trace = TraceOrder(problem_, other);
    for (const Piece& piece : pieces) {
      if (PeakIn(trace, piece) >= PeakOf(piece)) continue;
      std::copy(other.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                other.begin() + static_cast<std::ptrdiff_t>(piece.end),
                order_.begin() + static_cast<std::ptrdiff_t>(piece.begin));
    }
    trace_ = TraceOrder(problem_, order_);
  }

  static int64_t PeakIn(const OrderTrace& trace, const Piece& piece) {
    return *std::max_element(
        trace.during.begin() + static_cast<std::ptrdiff_t>(piece.begin),
        trace.during.begin() + static_cast<std::ptrdiff_t>(piece.end));
  }

  int64_t PeakOf(const Piece& piece) const { return PeakIn(trace_, piece); }

  // What each step needs at least: all that it reads and writes.
  int64_t FloorOf(const Piece& piece) const {
    int64_t floor = 0;
    for (size_t i = piece.begin; i < piece.end; ++i) {
      const OrderProblem::Step& step =
          problem_.steps[static_cast<size_t>(order_[i])];
      int64_t bytes = step.inside;
      const auto size = [&](int32_t g) {
        return problem_.groups[static_cast<size_t>(g)].size;
      };
      for (int32_t g : step.reads) bytes += size(g);
      for (int32_t g : step.writes) bytes += size(g);
      std::vector<int32_t> taken;
      for (const OrderProblem::InPlace& pair : step.in_place) {
        if (std::find(taken.begin(), taken.end(), pair.read) != taken.end()) {
          continue;
        }
        taken.push_back(pair.read);
        bytes -= size(pair.read);
      }
      floor = std::max(floor, bytes);
    }
    return floor;
  }

  // Lowers the piece's peak, not below `floor`. True if the peak is then proved
  // to be the lowest.
  bool Improve(const Piece& piece, int64_t floor) {
    const size_t length = piece.end - piece.begin;
    const int64_t wished = std::max(floor, piece.floor);
    int64_t sets = 0;
    if (length <= kMaxExactSteps) {
      // A small taste first: most pieces need no beam.
      sets = 2'000;
      if (TryExact(piece, sets)) return true;
    }
    for (const size_t width : {size_t{1}, size_t{8}, size_t{64}}) {
      if (PeakOf(piece) <= wished) return PeakOf(piece) <= piece.floor;
      if (!BeamFits(length, width)) break;
      const OrderWindow window = WindowOf(piece.begin, piece.end);
      const auto found = SearchBeam(window, width, effort_);
      if (found && found->peak < PeakOf(piece)) {
        Apply(piece.begin, window.ToSteps(found->positions));
      }
    }
    if (length <= kMaxExactSteps && TryExact(piece, effort_ / 2)) return true;
    SlideWindows(piece, wished);
    return PeakOf(piece) <= piece.floor;
  }

  bool BeamFits(size_t length, size_t width) const {
    return static_cast<int64_t>(length * width) <= effort_;
  }

  bool TryExact(const Piece& piece, int64_t max_sets) {
    const OrderWindow window = WindowOf(piece.begin, piece.end);
    const ExactResult result =
        SearchExactly(window, PeakOf(piece), max_sets, effort_);
    if (result.better) {
      Apply(piece.begin, window.ToSteps(result.better->positions));
    }
    return result.complete;
  }

  // Exact search around the worst step, in larger and larger windows, until
  // none of them helps.
  void SlideWindows(const Piece& piece, int64_t wished) {
    const size_t length = piece.end - piece.begin;
    while (PeakOf(piece) > wished && effort_ > 0) {
      const size_t worst = WorstStep(piece);
      bool is_lower = false;
      for (size_t size = 16; size <= 128 && !is_lower; size *= 2) {
        const size_t wide = std::min(size, length);
        for (size_t before : {wide / 2, wide - 2, size_t{2}}) {
          is_lower = TryWindow(piece, worst, wide, before);
          if (is_lower || effort_ <= 0) break;
        }
        if (wide == length) break;
      }
      if (!is_lower) return;
    }
  }

  bool TryWindow(const Piece& piece, size_t worst, size_t wide, size_t before) {
    size_t begin = worst - std::min(worst - piece.begin, before);
    begin = std::min(begin, piece.end - wide);
    const OrderWindow window = WindowOf(begin, begin + wide);
    const ExactResult result =
        SearchExactly(window, window.given_peak(), kMaxWindowSets, effort_);
    if (!result.better) return false;
    Apply(begin, window.ToSteps(result.better->positions));
    return true;
  }

  size_t WorstStep(const Piece& piece) const {
    return static_cast<size_t>(
        std::max_element(
            trace_.during.begin() + static_cast<std::ptrdiff_t>(piece.begin),
            trace_.during.begin() + static_cast<std::ptrdiff_t>(piece.end)) -
        trace_.during.begin());
  }

  OrderWindow WindowOf(size_t begin, size_t end) const {
    return OrderWindow(problem_, order_, trace_, begin, end);
  }

  void Apply(size_t begin, const std::vector<int32_t>& steps) {
    std::copy(steps.begin(), steps.end(),
              order_.begin() + static_cast<std::ptrdiff_t>(begin));
    trace_ = TraceOrder(problem_, order_);
  }

  const OrderProblem& problem_;
  int64_t& effort_;
  std::vector<int32_t> order_;
  OrderTrace trace_;
};

}  // namespace

FoundOrder SearchOrder(const OrderProblem& problem,
                       const std::vector<int32_t>& other, int64_t& effort) {
  return OrderSearch(problem, effort).Run(other);
}

}  // namespace memplan
