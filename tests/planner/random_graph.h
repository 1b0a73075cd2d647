#ifndef MEMPLAN_TESTS_PLANNER_RANDOM_GRAPH_H_
#define MEMPLAN_TESTS_PLANNER_RANDOM_GRAPH_H_

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/planner/graph_builder.h"

namespace memplan {

struct RandomGraphOptions {
  int nodes = 20;     // about
  int max_depth = 2;  // of bodies
  int size_unit = 4;  // bytes; sizes are 0 to 4 units
};

// Graphs with all that the planner must cope with: views, in-place, parts, If
// and Loop with captures and carried values, unused outputs, outputs that are
// read inside, values without bytes or without a known size.
class RandomGraph {
 public:
  RandomGraph(uint32_t seed, RandomGraphOptions options)
      : random_(seed), options_(options), left_(options.nodes) {}

  Graph Make() {
    visible_.push_back(g_.Input("x", Size()));
    visible_.push_back(g_.Input("ignored", Size()));
    visible_.push_back(g_.Constant("w", Size()));
    while (left_ > 0) AddNode(0);
    const size_t outputs = Below(3) + 1;
    for (size_t i = 0; i < outputs; ++i) g_.Output(Any());
    return g_.graph();
  }

 private:
  size_t Below(size_t n) { return random_() % n; }
  bool OneIn(size_t n) { return Below(n) == 0; }
  std::string Name() { return absl::StrCat("v", next_name_++); }
  int64_t Size() {
    return static_cast<int64_t>(Below(8) == 0 ? 0 : Below(4) + 1) *
           options_.size_unit;
  }
  // Mostly one of the last, so that graphs grow long and not only broad.
  ValueIndex Any() {
    const size_t n = visible_.size();
    if (OneIn(3)) return visible_[Below(n)];
    return visible_[n - 1 - Below(std::min<size_t>(n, 4))];
  }

  void AddNode(int depth) {
    --left_;
    switch (Below(depth < options_.max_depth ? 10 : 8)) {
      case 0:
      case 1:
        return See(g_.View(Name(), Any()));
      case 2:
      case 3:
        return See(OneIn(2) ? g_.InPlace(Name(), Any())
                            : g_.InPlace(Name(), Any(), {Any()}));
      case 4:
        return Split();
      case 5:
        return Concat();
      case 6:
      case 7:
        return Plain();
      case 8:
        return Branches(depth);
      default:
        return Loop(depth);
    }
  }

  void See(ValueIndex v) { visible_.push_back(v); }

  void Plain() {
    std::vector<ValueIndex> inputs;
    for (size_t i = Below(3) + 1; i > 0; --i) inputs.push_back(Any());
    const NodeIndex n = g_.Node(Name(), inputs);
    for (size_t i = Below(2) + 1; i > 0; --i) {
      const std::optional<int64_t> size =
          OneIn(20) ? std::nullopt : std::optional(Size());
      const ValueIndex v = g_.AddOutput(n, Name(), size);
      if (!OneIn(5)) See(v);  // else nobody reads it
    }
  }

  void Split() {
    const ValueIndex whole = Any();
    const int64_t size = g_.value(whole).size.value_or(0);
    const NodeIndex n = g_.Node(Name(), {whole});
    const int64_t unit = options_.size_unit;
    const int64_t cut =
        static_cast<int64_t>(Below(static_cast<size_t>(size / unit) + 1)) *
        unit;
    const ValueIndex p = g_.AddOutput(n, Name(), cut);
    const ValueIndex q = g_.AddOutput(n, Name(), size - cut);
    g_.Rule(n, {p, whole, SharingKind::kPart, 0});
    g_.Rule(n, {q, whole, SharingKind::kPart, cut});
    See(p);
    See(q);
  }

  void Concat() {
    const std::vector<ValueIndex> inputs = {Any(), Any()};
    const int64_t first = g_.value(inputs[0]).size.value_or(0);
    const int64_t second = g_.value(inputs[1]).size.value_or(0);
    const NodeIndex n = g_.Node(Name(), inputs);
    const ValueIndex out = g_.AddOutput(n, Name(), first + second);
    g_.Rule(n, {inputs[0], out, SharingKind::kPart, 0});
    g_.Rule(n, {inputs[1], out, SharingKind::kPart, first});
    See(out);
  }

  void Branches(int depth) {
    const NodeIndex n = g_.Node(Name(), {Any()});
    for (int branch = 0; branch < 2; ++branch) {
      g_.OpenBody(n);
      const size_t outside = visible_.size();
      for (size_t i = Below(4); i > 0; --i) AddNode(depth + 1);
      g_.Output(Any());
      g_.CloseBody();
      visible_.resize(outside);
    }
    See(g_.AddOutput(n, Name(), Size()));
  }

  void Loop(int depth) {
    const ValueIndex initial = Any();
    const NodeIndex n = g_.Node(Name(), {initial});
    const std::optional<int64_t> size = g_.value(initial).size;
    g_.OpenBody(n, /*repeats=*/true);
    const size_t outside = visible_.size();
    See(g_.BodyInput(Name(), 4));  // the iteration's number
    const size_t carried = Below(3);
    std::vector<ValueIndex> in;
    for (size_t i = 0; i < carried; ++i) {
      in.push_back(g_.BodyInput(Name(), size));
      See(in.back());
    }
    for (size_t i = Below(5); i > 0; --i) AddNode(depth + 1);
    for (ValueIndex v : in) {
      const ValueIndex out = OneIn(3)   ? v
                             : OneIn(2) ? g_.View(Name(), Any())
                                        : g_.Op(Name(), {Any(), v}, size);
      g_.Output(out);
      g_.Carry(v, out);
    }
    g_.Output(Any());  // a scan output
    g_.CloseBody();
    visible_.resize(outside);
    See(g_.AddOutput(n, Name(), size));
    See(g_.AddOutput(n, Name(), Size()));
  }

  std::mt19937 random_;
  RandomGraphOptions options_;
  int left_;
  int next_name_ = 0;
  GraphBuilder g_;
  std::vector<ValueIndex> visible_;
};

}  // namespace memplan

#endif  // MEMPLAN_TESTS_PLANNER_RANDOM_GRAPH_H_
