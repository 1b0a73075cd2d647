#include "models/generate/wired.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/generate/convolution.h"
#include "models/generate/onnx_builder.h"

namespace memplan::models {
namespace {

constexpr int kNodes = 32;

// std::mt19937 gives the same numbers everywhere; the standard's distributions
// need not.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int Below(int limit) {
    return static_cast<int>(engine_() % static_cast<uint32_t>(limit));
  }
  bool Chance(double probability) {
    return static_cast<double>(engine_()) < probability * 4294967296.0;
  }

 private:
  std::mt19937 engine_;
};

// Pairs of nodes, the lower number first.
using Edges = std::set<std::pair<int, int>>;

std::pair<int, int> Edge(int a, int b) { return std::minmax({a, b}); }

// A ring where each node is joined with its two neighbors on either side; each
// edge is led elsewhere with probability 0.75.
Edges WattsStrogatz(Random& random) {
  constexpr int kNeighbors = 4;
  Edges edges;
  for (int i = 0; i < kNodes; ++i) {
    for (int k = 1; k <= kNeighbors / 2; ++k) {
      edges.insert(Edge(i, (i + k) % kNodes));
    }
  }
  for (int k = 1; k <= kNeighbors / 2; ++k) {
    for (int i = 0; i < kNodes; ++i) {
      if (!random.Chance(0.75)) continue;
      int to = random.Below(kNodes);
      while (to == i || edges.contains(Edge(i, to))) to = random.Below(kNodes);
      edges.erase(Edge(i, (i + k) % kNodes));
      edges.insert(Edge(i, to));
    }
  }
  return edges;
}

Edges ErdosRenyi(Random& random) {
  Edges edges;
  for (int i = 0; i < kNodes; ++i) {
    for (int j = i + 1; j < kNodes; ++j) {
      if (random.Chance(0.2)) edges.insert({i, j});
    }
  }
  return edges;
}

// Each node after the first five is joined with five before it, the more
// likely the more edges those have.
Edges BarabasiAlbert(Random& random) {
  constexpr int kLinks = 5;
  Edges edges;
  std::vector<int> ends;  // each node as often as it has edges
  for (int i = 0; i < kLinks; ++i) ends.push_back(i);
  for (int i = kLinks; i < kNodes; ++i) {
    std::set<int> chosen;
    while (chosen.size() < kLinks) {
      chosen.insert(ends[static_cast<size_t>(
          random.Below(static_cast<int>(ends.size())))]);
    }
    for (const int to : chosen) {
      edges.insert({to, i});
      ends.push_back(to);
      ends.push_back(i);
    }
  }
  return edges;
}

Edges EdgesOf(Wiring wiring, Random& random) {
  switch (wiring) {
    case Wiring::kErdosRenyi:
      return ErdosRenyi(random);
    case Wiring::kBarabasiAlbert:
      return BarabasiAlbert(random);
    case Wiring::kWattsStrogatz:
      break;
  }
  return WattsStrogatz(random);
}

// Relu, depthwise, pointwise.
Tensor SeparableConv(OnnxBuilder& model, const std::string& name,
                     const Tensor& x, int64_t channels_in, int64_t channels,
                     int64_t stride) {
  const Tensor relu = model.Node("Relu", absl::StrCat(name, ".relu"), {x});
  const Tensor depthwise = Conv(model, absl::StrCat(name, ".depthwise"), relu,
                                DepthwiseConv(channels_in, stride));
  return Conv(model, absl::StrCat(name, ".pointwise"), depthwise,
              SameConv(channels_in, channels, 1, 1));
}

}  // namespace

std::string RandWireStage(Wiring wiring, uint32_t seed) {
  constexpr int64_t kChannels = 78;
  Random random(seed);
  const Edges edges = EdgesOf(wiring, random);
  std::vector<std::vector<int>> reads(kNodes);
  std::vector<bool> is_read(kNodes);
  for (const auto& [from, to] : edges) {
    reads[static_cast<size_t>(to)].push_back(from);
    is_read[static_cast<size_t>(from)] = true;
  }
  OnnxBuilder model("randwire_stage", 17);
  const Tensor input =
      model.Input("input", DataType::kFloat, {1, kChannels / 2, 32, 32});
  std::vector<Tensor> nodes;
  std::vector<Tensor> ends;
  for (int i = 0; i < kNodes; ++i) {
    const std::string name = absl::StrCat("node", i);
    std::vector<Tensor> inputs;
    for (const int from : reads[static_cast<size_t>(i)]) {
      inputs.push_back(nodes[static_cast<size_t>(from)]);
    }
    const bool is_first = inputs.empty();
    Tensor x = is_first ? input : inputs[0];
    if (inputs.size() > 1) {
      x = model.Node("Sum", absl::StrCat(name, ".sum"), inputs);
    }
    nodes.push_back(SeparableConv(model, name, x,
                                  is_first ? kChannels / 2 : kChannels,
                                  kChannels, is_first ? 2 : 1));
    if (!is_read[static_cast<size_t>(i)]) ends.push_back(nodes.back());
  }
  model.Output(model.Node("Mean", "output", ends), DataType::kFloat,
               {1, kChannels, 16, 16});
  return model.Serialize();
}

std::string DartsNormalCell() {
  constexpr int64_t kChannels = 48;
  constexpr int64_t kSide = 28;
  enum class Op { kSeparable, kSkip, kDilated };
  struct Branch {
    Op op;
    size_t from;
  };
  // Two branches a node; 0 and 1 are the cell's inputs.
  constexpr Branch kGenotype[] = {{Op::kSeparable, 0}, {Op::kSeparable, 1},
                                  {Op::kSeparable, 0}, {Op::kSeparable, 1},
                                  {Op::kSeparable, 1}, {Op::kSkip, 0},
                                  {Op::kSkip, 0},      {Op::kDilated, 2}};
  OnnxBuilder model("darts_normal_cell", 17);
  std::vector<Tensor> nodes;
  for (const char* name : {"before", "last"}) {
    const Tensor input =
        model.Input(name, DataType::kFloat, {1, 4 * kChannels, kSide, kSide});
    const Tensor relu =
        model.Node("Relu", absl::StrCat(name, ".relu"), {input});
    nodes.push_back(Conv(model, absl::StrCat(name, ".conv"), relu,
                         SameConv(4 * kChannels, kChannels, 1, 1)));
  }
  int index = 0;
  std::vector<Tensor> joined;
  for (const Branch& branch : kGenotype) {
    const std::string name = absl::StrCat("op", index++);
    Tensor x = nodes[branch.from];
    if (branch.op != Op::kSkip) {
      x = SeparableConv(model, name, x, kChannels, kChannels, 1);
    }
    if (branch.op == Op::kSeparable) {
      x = SeparableConv(model, absl::StrCat(name, ".again"), x, kChannels,
                        kChannels, 1);
    }
    joined.push_back(x);
    if (joined.size() < 2) continue;
    nodes.push_back(model.Node("Add", absl::StrCat(name, ".add"), joined));
    joined.clear();
  }
  const Tensor output =
      model.Node("Concat", "output", {nodes[2], nodes[3], nodes[4], nodes[5]},
                 {{"axis", int64_t{1}}});
  model.Output(output, DataType::kFloat, {1, 4 * kChannels, kSide, kSide});
  return model.Serialize();
}

std::string SwiftNetLikeCell(uint32_t seed) {
  constexpr int kConvs = 20;
  constexpr int64_t kSide = 28;
  Random random(seed);
  OnnxBuilder model("swiftnet_like_cell", 17);
  struct Made {
    Tensor tensor;
    int64_t channels;
    bool is_read = false;
  };
  std::vector<Made> made = {
      {model.Input("input", DataType::kFloat, {1, 16, kSide, kSide}), 16}};
  // What several nodes made, side by side.
  const auto join = [&](const std::string& name, const std::set<size_t>& from) {
    std::vector<Tensor> inputs;
    int64_t channels = 0;
    for (const size_t i : from) {
      inputs.push_back(made[i].tensor);
      channels += made[i].channels;
      made[i].is_read = true;
    }
    const Tensor tensor =
        inputs.size() == 1
            ? inputs[0]
            : model.Node("Concat", name, inputs, {{"axis", int64_t{1}}});
    return Made{tensor, channels};
  };
  for (int i = 0; i < kConvs; ++i) {
    const std::string name = absl::StrCat("conv", i);
    std::set<size_t> from;
    const int reads = 1 + random.Below(3);
    for (int k = 0; k < reads; ++k) {
      const int back = 1 + random.Below(4);
      from.insert(made.size() -
                  std::min(made.size(), static_cast<size_t>(back)));
    }
    const Made x = join(absl::StrCat(name, ".concat"), from);
    if (random.Chance(0.5)) {
      made.push_back(
          {ConvRelu(model, name, x.tensor, DepthwiseConv(x.channels, 1)),
           x.channels});
    } else {
      const int64_t channels = 8 * (1 + random.Below(6));
      made.push_back({ConvRelu(model, name, x.tensor,
                               SameConv(x.channels, channels, 1, 1)),
                      channels});
    }
  }
  std::set<size_t> ends;
  for (size_t i = 1; i < made.size(); ++i) {
    if (!made[i].is_read) ends.insert(i);
  }
  const Made x = join("join", ends);
  const Tensor output =
      Conv(model, "output", x.tensor, SameConv(x.channels, 32, 1, 1));
  model.Output(output, DataType::kFloat, {1, 32, kSide, kSide});
  return model.Serialize();
}

}  // namespace memplan::models
