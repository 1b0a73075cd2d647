#ifndef MEMPLAN_TESTS_REFERENCE_RANDOM_WRITER_H_
#define MEMPLAN_TESTS_REFERENCE_RANDOM_WRITER_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace memplan::reference {

using Dims = std::vector<int64_t>;

// A value of the model that is being written.
struct Named {
  std::string name;
  std::string type;  // "float"
  Dims shape;
};

inline constexpr size_t kMaxDepth = 4;       // of bodies, the graph counted
inline constexpr int64_t kMaxElements = 64;  // of what is read further

int64_t Elements(const Dims& shape);
// "float[4, 4] x, bool y".
std::string DeclareAll(const std::vector<Named>& values);

// Writes one random model: see RandomModel. Plain nodes are in
// random_nodes.cc, those with bodies in random_bodies.cc.
class RandomWriter {
 public:
  explicit RandomWriter(uint64_t seed) : random_(seed) {}
  std::string Write();

 private:
  // Chance.
  int64_t Below(int64_t n) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(n));
  }
  bool Chance(int64_t percent) { return Below(100) < percent; }

  // Names. Bodies side by side use the same ones.
  void EnterBody() { counters_.push_back(0); }
  void LeaveBody() { counters_.pop_back(); }
  Named Add(const std::string& type, const Dims& shape);

  // A value that fits and can be read here, rather a new one than an old one.
  template <typename Fits>
  std::optional<Named> Pick(Fits fits) {
    std::vector<Named> fitting;
    std::copy_if(visible_.begin(), visible_.end(), std::back_inserter(fitting),
                 fits);
    if (fitting.empty()) return std::nullopt;
    const auto n = static_cast<int64_t>(fitting.size());
    return fitting[static_cast<size_t>(std::max(Below(n), Below(n)))];
  }
  std::optional<Named> PickLike(const Named& model);
  std::optional<Named> PickFloat(size_t rank = 0);

  // Initializers, by content.
  std::string Ints(const Dims& ints);
  std::string Scalar(const std::string& type, int64_t value);
  void DeclareOnce(const std::string& name, const std::string& text);

  // Nodes. Each maker adds one, or none where nothing fits.
  void Node(const std::vector<Named>& outputs, const std::string& call);
  void Node(const std::string& type, const Dims& shape,
            const std::string& call);
  void AddNodes(int64_t count) {
    for (int64_t i = 0; i < count; ++i) AddNode();
  }
  void AddNode();
  void Unary();
  void Binary();
  void Broadcast();
  void Reshape();
  void SameBytes();
  void Turn();
  void Concat();
  std::optional<Named> PickHalvable(size_t& axis);
  void Split();
  void Slice();
  void Gather();
  void MatMul();
  void Reduce();
  void Cast();
  void Compare();
  void Where();

  // Nodes with bodies.
  std::string Condition();
  std::string Body(const std::string& attribute,
                   const std::vector<Named>& inputs, int64_t nodes,
                   const std::vector<Named>& wanted);
  bool MayNest() const { return counters_.size() < kMaxDepth; }
  int64_t BodyNodes();
  void If();
  void Loop();
  std::string LoopBody(const std::vector<Named>& inputs,
                       const std::vector<Named>& states,
                       const std::vector<Named>& rows, bool may_stop);
  void Scan();

  std::vector<Named> MainOutputs(size_t num_inputs);

  std::mt19937_64 random_;
  std::vector<int64_t> counters_;  // names given so far, by depth
  std::vector<Named> visible_;     // what a node may read here
  std::vector<std::string> initializers_;
  std::map<std::string, std::string> declared_;  // initializers by name
  std::string text_;  // the nodes of the body that is being written
};

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_RANDOM_WRITER_H_
