#include "tests/reference/memory.h"

#include <algorithm>

namespace memplan::reference {
namespace {

// As a float, large and finite; as a boolean, true; as an index, out of range.
constexpr uint8_t kPoison = 0x7f;

std::vector<int64_t> KnownShape(const Type& type) {
  std::vector<int64_t> shape;
  for (const Dim& dim : *type.shape) shape.push_back(dim.number());
  return shape;
}

}  // namespace

Memory::Memory(const ModelGraph& model, const Layout& layout)
    : model_(model),
      layout_(layout),
      arena_(static_cast<size_t>(layout.arena_size), kPoison) {}

ValueIndex Memory::Root(ValueIndex value) const {
  return layout_.places[static_cast<size_t>(value)].root;
}

bool Memory::SameRoot(ValueIndex a, ValueIndex b) const {
  return Root(a) == Root(b);
}

Tensor Memory::TensorOf(ValueIndex value) {
  return TensorAt(value, layout_.places[static_cast<size_t>(value)]);
}

Tensor Memory::CallersTensor(ValueIndex output) {
  return TensorAt(output, {output, 0});
}

Tensor Memory::TensorAt(ValueIndex value, const Place& place) {
  const Type& type = model_.values[static_cast<size_t>(value)].type;
  Tensor tensor{type.element, KnownShape(type), nullptr};
  const auto& offset = layout_.offset_of_root[static_cast<size_t>(place.root)];
  if (offset.has_value()) {
    tensor.bytes = arena_.data() + *offset + place.offset;
    return tensor;
  }
  const Type& root = model_.values[static_cast<size_t>(place.root)].type;
  const int64_t size = Tensor{root.element, KnownShape(root)}.ByteSize();
  std::vector<uint8_t>& bytes = heap_[place.root];
  // One more, so that an empty tensor is somewhere, too.
  if (bytes.empty()) bytes.assign(static_cast<size_t>(size) + 1, kPoison);
  tensor.bytes = bytes.data() + place.offset;
  return tensor;
}

void Memory::PoisonBlock(const Block& block) {
  std::fill_n(arena_.begin() + block.offset, block.size, kPoison);
}

void Memory::Advance(int64_t step) {
  const auto passed = [&](int64_t at) { return now_ < at && at <= step; };
  for (const Block& block : layout_.blocks) {
    if (passed(block.lifespan.end)) PoisonBlock(block);
  }
  for (const Block& block : layout_.blocks) {
    if (passed(block.lifespan.begin)) PoisonBlock(block);
  }
  now_ = step;
}

void Memory::Rewind(const Lifespan& body,
                    const std::vector<ValueIndex>& received) {
  for (const Block& block : layout_.blocks) {
    const int64_t begin = block.lifespan.begin;
    if (begin < body.begin || begin >= body.end) continue;
    const bool is_received =
        std::any_of(received.begin(), received.end(),
                    [&](ValueIndex v) { return Root(v) == block.root; });
    if (!is_received) PoisonBlock(block);
  }
  now_ = body.begin;
}

void Memory::Poison(ValueIndex value) {
  const Tensor tensor = TensorOf(value);
  std::fill_n(tensor.bytes, tensor.ByteSize(), kPoison);
}

}  // namespace memplan::reference
