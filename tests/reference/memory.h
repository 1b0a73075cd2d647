#ifndef MEMPLAN_TESTS_REFERENCE_MEMORY_H_
#define MEMPLAN_TESTS_REFERENCE_MEMORY_H_

#include <cstdint>
#include <map>
#include <vector>

#include "onnx_frontend/model_graph.h"
#include "tests/reference/layout.h"
#include "tests/reference/tensor.h"

namespace memplan::reference {

// The arena, the bytes outside it, and the step that the run has come to.
class Memory {
 public:
  Memory(const ModelGraph& model, const Layout& layout);

  // Shapes must be known: see Execute.
  Tensor TensorOf(ValueIndex value);
  // The bytes of its own that a graph output has, whatever it shares.
  Tensor CallersTensor(ValueIndex output);

  // Goes forward to `step`: poisons what ends and what begins on the way.
  void Advance(int64_t step);
  // Goes back to the first step of a body that runs again: poisons what begins
  // inside it, but for what the body receives.
  void Rewind(const Lifespan& body, const std::vector<ValueIndex>& received);

  void Poison(ValueIndex value);
  bool SameRoot(ValueIndex a, ValueIndex b) const;
  ValueIndex Root(ValueIndex value) const;

 private:
  Tensor TensorAt(ValueIndex value, const Place& place);
  void PoisonBlock(const Block& block);

  const ModelGraph& model_;
  const Layout& layout_;
  std::vector<uint8_t> arena_;
  std::map<ValueIndex, std::vector<uint8_t>> heap_;  // by root
  int64_t now_ = -1;
};

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_MEMORY_H_
