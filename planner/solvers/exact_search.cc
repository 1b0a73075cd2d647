// Exact search: is there a plan of at most `height` bytes?
//
// It builds plans from the bottom up (search_state.cc), and asks at each node,
// for ONE slot: which buffer lies lowest of all that this slot still waits for?
//
//    bytes                                slot 1 waits for a, b and c:
//        |            [---c---)           - a lies right on the floor, or
//        |  [----b----)                   - b does, or
//        | [----a-------)                 - neither: then the lowest stands on
//        |  +---------+                     something that is not placed yet,
//        |--+   floor +-------              and some bytes of the slot are lost
//        +------------------ slots
//            0    1    2
//
// c is no choice: its low is higher than where something else that is live with
// it would end, so that one may come between. Every plan in which gravity has
// pulled all buffers down is found in exactly one of the branches, and every
// plan can be pulled down. In the last branch the floor of the slot rises to
// what the lowest buffer can then have; in a tight slot, where no byte may be
// lost, it is refuted at once.
//
// Any slot will do, as long as it is the same for all branches of a node. So
// the one with the fewest branches is taken: often there is only one, and the
// plan builds itself. (MiniMalloc, whose canonical solutions and section
// inference this builds on, chooses among all buffers of the problem at each
// node.)
//
// Three more rules cut the tree:
// - parts of the rest that share no slot are searched apart; if one of them has
//   no plan, the others need not be searched again;
// - a rest (its buffers, and the floors below them) that failed once is
//   remembered by a 128-bit hash: it is reached in many orders;
// - of equal buffers, the one with the lower index goes first.
//
// The search keeps its own stack: a frame is a part of the problem and the
// branches of its slot.
#include "planner/solvers/exact_search.h"

#include <algorithm>
#include <numeric>

#include "planner/checked_math.h"
#include "planner/solvers/failed_rests.h"
#include "planner/solvers/noise.h"
#include "planner/solvers/slot_blocks.h"

namespace memplan {
namespace {

constexpr int64_t kNodesBetweenStops = 256;

class Search {
 public:
  Search(const SearchProblem& problem, int64_t height, const Strategy& strategy,
         const PruningRules& rules, int64_t max_nodes,
         const std::function<bool(int64_t)>& stop)
      : problem_(problem),
        strategy_(strategy),
        rules_(rules),
        max_nodes_(max_nodes),
        stop_(stop),
        state_(problem, height, rules),
        failed_(rules.remember_failures ? max_nodes : 0),
        ranks_(RankItems(problem, state_, strategy)),
        next_top_(problem.items.size()),
        if_none_(problem.num_slots),
        block_tops_(BlockOf(problem.num_slots) + 1),
        block_if_none_(BlockOf(problem.num_slots) + 1),
        num_options_(problem.num_slots) {}

  SearchOutcome Run();

 private:
  enum class Result { kRunning, kSolved, kFailed, kGivenUp };

  // A branch: place an item, or (item -1) lift the floor.
  struct Option {
    int32_t item;
    int64_t floor;
  };
  struct Part {
    int32_t begin;  // slots
    int32_t end;
  };
  struct Frame {
    Part part;
    int32_t slot = 0;  // that is branched on
    FailedRests::Key key;
    SearchState::Mark mark = {};
    // Ranges of options_ and parts_: to try, and to solve after the option.
    size_t options_begin = 0;
    size_t next_option = 0;
    size_t options_end = 0;
    size_t parts_begin = 0;
    size_t next_part = 0;
  };

  Result Step();
  Result Enter(Part part);
  bool NextOption(Frame& frame);
  void Leave();
  void AddParts(Part part);
  FailedRests::Key KeyOf(Part part) const;
  void WeighItems(Part part);
  void SummarizeBlocks(Part part);
  void WeighItem(int32_t item);
  int32_t ChooseSlot(Part part) const;
  void AddOptions(int32_t slot);

  // Whether an item may lie at its low with nothing to come below it.
  bool MayBeLowest(int32_t item) const {
    if (state_.is_placed(item)) return false;
    if (state_.low(item) >= next_top_[item]) return false;
    const int32_t twin = problem_.items[item].twin;
    return !rules_.skip_twins || twin < 0 || state_.is_placed(twin);
  }

  const SearchProblem& problem_;
  const Strategy strategy_;
  const PruningRules rules_;
  const int64_t max_nodes_;
  const std::function<bool(int64_t)>& stop_;
  SearchState state_;
  FailedRests failed_;
  std::vector<int32_t> ranks_;
  int64_t nodes_ = 0;
  std::vector<Frame> frames_;
  std::vector<Option> options_;
  std::vector<Part> parts_;
  // Of the current node, by item: the lowest end of another one to place that
  // is live with it. An item below that can be the lowest of its slots.
  std::vector<int64_t> next_top_;
  // By slot: the lowest that its next item can lie if no option is taken.
  std::vector<int64_t> if_none_;
  // By block: the tops of its slots, and what holds for all of them.
  std::vector<LowestTops> block_tops_;
  std::vector<int64_t> block_if_none_;
  std::vector<int32_t> num_options_;  // by slot
};

SearchOutcome Search::Run() {
  SearchOutcome outcome;
  Result result = Result::kFailed;
  if (state_.IsPossible()) {
    // The root has no options: when its parts fail, all fails.
    Frame root;
    root.part = {0, problem_.num_slots};
    root.mark = state_.Now();
    frames_.push_back(root);
    AddParts(root.part);
    result = Result::kRunning;
    while (result == Result::kRunning) result = Step();
  }
  outcome.nodes = nodes_;
  if (result == Result::kFailed) {
    outcome.kind = SearchOutcome::Kind::kImpossible;
    outcome.next_height = state_.next_height();
  } else if (result == Result::kSolved) {
    outcome.kind = SearchOutcome::Kind::kFound;
    for (size_t i = 0; i < problem_.items.size(); ++i) {
      outcome.offsets.push_back(state_.low(static_cast<int32_t>(i)));
    }
  }
  return outcome;
}

// Enters the next part of the top frame, or, where all are solved, leaves it.
Search::Result Search::Step() {
  Frame& top = frames_.back();
  if (top.next_part == parts_.size()) {
    Leave();
    return frames_.empty() ? Result::kSolved : Result::kRunning;
  }
  Result result = Enter(parts_[top.next_part++]);
  // A part without a plan refutes the option that led to it.
  while (result == Result::kFailed) {
    if (frames_.empty()) return Result::kFailed;
    if (NextOption(frames_.back())) return Result::kRunning;
    if (rules_.remember_failures) failed_.Add(frames_.back().key);
    Leave();
  }
  return result;
}

Search::Result Search::Enter(Part part) {
  Frame frame;
  frame.part = part;
  if (rules_.remember_failures) {
    frame.key = KeyOf(part);
    if (failed_.Has(frame.key)) return Result::kFailed;
  }
  if (nodes_ == max_nodes_) return Result::kGivenUp;
  ++nodes_;
  if (nodes_ % kNodesBetweenStops == 0 && stop_ && stop_(nodes_)) {
    return Result::kGivenUp;
  }
  WeighItems(part);
  frame.slot = ChooseSlot(part);
  frame.mark = state_.Now();
  frame.options_begin = frame.next_option = options_.size();
  AddOptions(frame.slot);
  frame.options_end = options_.size();
  frame.parts_begin = frame.next_part = parts_.size();
  frames_.push_back(frame);
  if (NextOption(frames_.back())) return Result::kRunning;
  if (rules_.remember_failures) failed_.Add(frame.key);
  Leave();
  return Result::kFailed;
}

// Takes back what the frame did and does its next option that is not a dead
// end. False: there is none.
bool Search::NextOption(Frame& frame) {
  while (true) {
    state_.UndoTo(frame.mark);
    parts_.resize(frame.parts_begin);
    if (frame.next_option == frame.options_end) return false;
    const Option option = options_[frame.next_option++];
    const bool is_possible = option.item >= 0
                                 ? state_.Place(option.item)
                                 : state_.Lift(frame.slot, option.floor);
    if (!is_possible) continue;
    frame.next_part = parts_.size();
    AddParts(frame.part);
    return true;
  }
}

void Search::Leave() {
  const Frame& frame = frames_.back();
  options_.resize(frame.options_begin);
  parts_.resize(frame.parts_begin);
  frames_.pop_back();
}

// Splits what is left of a part where no item crosses; the smallest first, as
// it is refuted soonest.
void Search::AddParts(Part part) {
  const size_t first = parts_.size();
  for (int32_t s = part.begin; s < part.end;) {
    if (state_.slot(s).remaining == 0) {
      ++s;
      continue;
    }
    int32_t end = s + 1;
    if (rules_.split) {
      while (end < part.end && state_.slot(end).crossing > 0) ++end;
    } else {
      end = part.end;
    }
    parts_.push_back({s, end});
    s = end;
  }
  std::stable_sort(parts_.begin() + static_cast<int64_t>(first), parts_.end(),
                   [](const Part& a, const Part& b) {
                     return a.end - a.begin < b.end - b.begin;
                   });
}

// What decides whether a part has a plan: which items it waits for, and the
// floors below them.
FailedRests::Key Search::KeyOf(Part part) const {
  FailedRests::Key key = {1, 2};
  for (int32_t i = problem_.first_item[part.begin];
       i < problem_.first_item[part.end]; ++i) {
    if (state_.is_placed(i)) continue;
    const uint64_t bits = Mix(static_cast<uint64_t>(i));
    key.a += bits;
    key.b ^= Mix(bits);
  }
  for (int32_t s = part.begin; s < part.end; ++s) {
    if (state_.slot(s).remaining == 0) continue;
    const uint64_t floor = static_cast<uint64_t>(state_.slot(s).floor);
    const uint64_t bits = Mix(floor * 0x2545f4914f6cdd1d + s);
    key.a += bits;
    key.b ^= Mix(bits + 1);
  }
  return key;
}

void Search::WeighItems(Part part) {
  SummarizeBlocks(part);
  std::fill(if_none_.begin() + part.begin, if_none_.begin() + part.end, kNever);
  std::fill(num_options_.begin() + part.begin, num_options_.begin() + part.end,
            0);
  const int32_t first = problem_.first_item[part.begin];
  const int32_t last = problem_.first_item[part.end];
  for (int32_t i = first; i < last; ++i) {
    if (!state_.is_placed(i)) WeighItem(i);
  }
  for (int32_t s = part.begin; s < part.end; ++s) {
    if_none_[s] = std::min(if_none_[s], block_if_none_[BlockOf(s)]);
  }
  for (int32_t i = first; i < last; ++i) {
    if (!MayBeLowest(i)) continue;
    const int64_t low = state_.low(i);
    for (int32_t s = problem_.items[i].begin; s < problem_.items[i].end; ++s) {
      if (low < if_none_[s]) ++num_options_[s];
    }
  }
}

void Search::SummarizeBlocks(Part part) {
  for (int32_t b = BlockOf(part.begin); b <= BlockOf(part.end - 1); ++b) {
    block_if_none_[b] = kNever;
    block_tops_[b] = LowestTops();
    const int32_t end = std::min((b + 1) * kSlotsPerBlock, problem_.num_slots);
    for (int32_t s = b * kSlotsPerBlock; s < end; ++s) {
      block_tops_[b].Add(state_.slot(s).tops);
    }
  }
}

void Search::WeighItem(int32_t i) {
  const SearchItem& item = problem_.items[i];
  int64_t top = kNever;
  ForSlotsAndBlocks(
      item.begin, item.end,
      [&](int32_t s) { top = std::min(top, state_.slot(s).tops.Without(i)); },
      [&](int32_t b) { top = std::min(top, block_tops_[b].Without(i)); });
  next_top_[i] = top;
  int64_t if_none = state_.low(i);
  if (if_none < top) {  // it could be taken; if not, it stands on another
    const bool has_another = top != kNever && !item.is_fixed;
    if_none = has_another ? AlignUp(top, item.alignment) : kNever;
  }
  const auto lower = [&](int64_t& lowest) {
    lowest = std::min(lowest, if_none);
  };
  ForSlotsAndBlocks(
      item.begin, item.end, [&](int32_t s) { lower(if_none_[s]); },
      [&](int32_t b) { lower(block_if_none_[b]); });
}

int32_t Search::ChooseSlot(Part part) const {
  struct Score {
    int64_t first = kNever;
    int64_t second = kNever;
  };
  int32_t best = part.begin;
  Score best_score;
  for (int32_t s = part.begin; s < part.end; ++s) {
    if (num_options_[s] == 0) continue;
    const SlotState& slot = state_.slot(s);
    const int64_t height = state_.height();
    const bool may_waste = if_none_[s] <= height - slot.remaining;
    const int64_t options = num_options_[s] + (may_waste ? 1 : 0);
    const int64_t slack = height - slot.floor - slot.remaining;
    const bool by_floor =
        !rules_.fewest_options ||
        (strategy_.slot_choice == SlotChoice::kAlwaysLowest && options > 1);
    Score score = {options, slot.floor};
    if (by_floor) score = {slot.floor + 2, options};
    if (!by_floor && strategy_.slot_choice == SlotChoice::kLeastSlack) {
      score.second = slack;
    }
    if (score.first < best_score.first ||
        (score.first == best_score.first && score.second < best_score.second)) {
      best = s;
      best_score = score;
    }
  }
  return best;
}

void Search::AddOptions(int32_t slot) {
  const size_t first = options_.size();
  for (const int32_t i : problem_.ItemsAt(slot)) {
    if (MayBeLowest(i) && state_.low(i) < if_none_[slot]) {
      options_.push_back({i, 0});
    }
  }
  std::sort(options_.begin() + static_cast<int64_t>(first), options_.end(),
            [&](const Option& a, const Option& b) {
              return ranks_[a.item] < ranks_[b.item];
            });
  const int64_t floor = if_none_[slot];
  if (floor == kNever) return;
  const int64_t needed = floor + state_.slot(slot).remaining;
  if (needed <= state_.height()) {
    options_.push_back({-1, floor});
  } else {
    state_.FailedFor(needed);
  }
}

}  // namespace

SearchOutcome SearchAt(const SearchProblem& problem, int64_t height,
                       const Strategy& strategy, const PruningRules& rules,
                       int64_t max_nodes,
                       const std::function<bool(int64_t)>& stop) {
  return Search(problem, height, strategy, rules, max_nodes, stop).Run();
}

}  // namespace memplan
