// Many short searches instead of a long one. Whether a search finds a plan soon
// depends on luck: one strategy builds it without a wrong turn, the next one is
// lost in a subtree for hours. On hard problems perhaps one try in a hundred is
// a lucky one, and it then needs few nodes more than there are buffers. So each
// strategy gets about that many, and in the next round another seed shakes it
// up. One search a round, in turn, gets more nodes, and more each time: for
// proofs, which no luck can shorten.
//
//     height
//      best |----.                        every fourth round, later every
//           |     '--------.              second, looks half way between the
//      half |      o        '--.          lower bound and the best plan (at
//           |              o    '-- best  3/4, 7/8... when that fails), for
//     bound |x  x x   x x x    x x x      progress where the bound is too low
//           +-------------------- rounds
//
// The searches of a round are independent. Threads share them out, but the
// result is that of the first one, in their order, that found a plan or proved
// that there is none, as if they had run one after the other; those behind it
// do not count.
#include "planner/solvers/portfolio.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "planner/solvers/exact_search.h"

namespace memplan {
namespace {

constexpr Strategy kStrategies[] = {
    {Preference::kDuration, SlotChoice::kLowestFloor},
    {Preference::kArea, SlotChoice::kLowestFloor},
    {Preference::kBreadth, SlotChoice::kLowestFloor},
    {Preference::kSize, SlotChoice::kLowestFloor},
    {Preference::kDuration, SlotChoice::kLeastSlack},
    {Preference::kArea, SlotChoice::kLeastSlack},
    {Preference::kBreadth, SlotChoice::kLeastSlack},
    {Preference::kSize, SlotChoice::kLeastSlack},
    {Preference::kDuration, SlotChoice::kAlwaysLowest},
    {Preference::kArea, SlotChoice::kAlwaysLowest},
};
constexpr size_t kNumStrategies = std::size(kStrategies);
constexpr int64_t kRoundsPerLadder = 4;
// After a third of the effort the bound seems to be out of reach: every second
// round climbs.
constexpr int64_t kLateRoundsPerLadder = 2;

// The searches of one round, at one height.
struct Round {
  int64_t height = 0;
  uint64_t seed = 0;
  int64_t nodes_each = 0;
  size_t long_search = 0;  // the one with more nodes
  int64_t nodes_long = 0;
  int64_t nodes_left = 0;  // for the round

  int64_t NodesFor(size_t search) const {
    int64_t before = static_cast<int64_t>(search) * nodes_each;
    if (search > long_search) before += nodes_long - nodes_each;
    const int64_t wanted = search == long_search ? nodes_long : nodes_each;
    return std::clamp<int64_t>(nodes_left - before, 0, wanted);
  }
};

struct RoundResult {
  SearchOutcome outcome;  // of the first search that was decisive, if any was
  int64_t nodes = 0;
  bool was_stopped = false;
};

class RoundRunner {
 public:
  RoundRunner(const SearchProblem& problem, const Round& round,
              const PortfolioOptions& options,
              std::function<void(int64_t)> report)
      : problem_(problem),
        round_(round),
        options_(options),
        report_(std::move(report)) {}

  RoundResult Run() {
    std::vector<std::thread> helpers;
    for (int i = 1; i < options_.threads; ++i) {
      helpers.emplace_back([this] { Work(/*is_caller=*/false); });
    }
    Work(/*is_caller=*/true);
    for (std::thread& helper : helpers) helper.join();
    RoundResult result;
    result.was_stopped = was_stopped_;
    for (SearchOutcome& outcome : outcomes_) {
      result.nodes += outcome.nodes;
      if (outcome.kind == SearchOutcome::Kind::kGivenUp) continue;
      result.outcome = std::move(outcome);
      break;
    }
    return result;
  }

 private:
  void Work(bool is_caller) {
    while (true) {
      const size_t search = next_++;
      if (search >= kNumStrategies) return;
      const int64_t max_nodes = round_.NodesFor(search);
      if (max_nodes == 0 || was_stopped_ || search > first_decisive_) continue;
      Strategy strategy = kStrategies[search];
      strategy.seed = round_.seed;
      int64_t counted = 0;
      const auto stop = [&](int64_t nodes) {
        const int64_t all = nodes_ += nodes - counted;
        counted = nodes;
        if (is_caller) report_(all);
        if (options_.should_stop && options_.should_stop()) was_stopped_ = true;
        return was_stopped_ || search > first_decisive_;
      };
      outcomes_[search] = SearchAt(problem_, round_.height, strategy,
                                   options_.rules, max_nodes, stop);
      if (outcomes_[search].kind == SearchOutcome::Kind::kGivenUp) continue;
      size_t first = first_decisive_;
      while (search < first &&
             !first_decisive_.compare_exchange_weak(first, search)) {
      }
    }
  }

  const SearchProblem& problem_;
  const Round round_;
  const PortfolioOptions& options_;
  const std::function<void(int64_t)> report_;
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> first_decisive_ = kNumStrategies;
  std::atomic<bool> was_stopped_ = false;
  std::atomic<int64_t> nodes_ = 0;
  SearchOutcome outcomes_[kNumStrategies];
};

// Where to look between the lower bound and the best plan: 1/2 of the way up,
// then 3/4, 7/8... while rounds there fail.
class Ladder {
 public:
  int64_t HeightBetween(int64_t low, int64_t best) const {
    const int64_t step = std::max<int64_t>((best - low) >> halvings_, 1);
    return best - step;
  }
  void Failed() { halvings_ = std::min(halvings_ + 1, 20); }
  void Found() { halvings_ = std::max(halvings_ - 1, 1); }

 private:
  int halvings_ = 1;
};

}  // namespace

PortfolioResult SearchPortfolio(const Problem& problem, const Solution& start,
                                int64_t lower_bound, int64_t goal,
                                const PortfolioOptions& options) {
  PortfolioResult result;
  result.solution = start;
  result.lower_bound = lower_bound;
  const SearchProblem search_problem = MakeSearchProblem(problem);
  const int64_t num_items = static_cast<int64_t>(search_problem.items.size());
  Ladder ladder;
  Round round;
  round.nodes_each = num_items + num_items / 2 + 100;
  round.nodes_long = 2 * round.nodes_each;
  for (int64_t number = 0; result.nodes < options.max_nodes; ++number) {
    int64_t& best = result.solution.arena_size;
    const int64_t low = std::max(goal, result.lower_bound);
    if (best <= low) break;
    const bool is_late = result.nodes > options.max_nodes / 3;
    const int64_t per_ladder =
        is_late ? kLateRoundsPerLadder : kRoundsPerLadder;
    const bool at_bound = number % per_ladder != per_ladder - 1;
    round.height = at_bound ? low : ladder.HeightBetween(low, best);
    round.seed = static_cast<uint64_t>(number);
    round.long_search = static_cast<size_t>(number) % kNumStrategies;
    round.nodes_left = options.max_nodes - result.nodes;
    RoundRunner runner(search_problem, round, options, [&](int64_t nodes) {
      if (options.progress) {
        options.progress(best, result.lower_bound, result.nodes + nodes);
      }
    });
    RoundResult done = runner.Run();
    result.nodes += done.nodes;
    result.was_stopped = done.was_stopped;
    if (done.outcome.kind == SearchOutcome::Kind::kFound) {
      for (size_t i = 0; i < search_problem.items.size(); ++i) {
        result.solution.offsets[search_problem.items[i].buffer] =
            done.outcome.offsets[i];
      }
      best = ArenaSize(problem, result.solution.offsets);
      ladder.Found();
    } else if (done.outcome.kind == SearchOutcome::Kind::kImpossible) {
      result.lower_bound = std::max(result.lower_bound,
                                    std::min(done.outcome.next_height, best));
    } else if (!at_bound) {
      ladder.Failed();
    }
    if (result.was_stopped) break;
    round.nodes_long += round.nodes_long / 8;
  }
  return result;
}

}  // namespace memplan
