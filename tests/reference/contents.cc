#include "tests/reference/contents.h"

#include <random>
#include <string_view>

namespace memplan::reference {
namespace {

uint64_t HashName(std::string_view name, uint64_t seed) {
  uint64_t hash = seed + 0x9e3779b97f4a7c15;
  for (const char c : name) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return hash;
}

bool FillKnown(const TensorValue& known, const Tensor& tensor) {
  if (known.size() != tensor.size()) return false;
  if (known.is_float()) {
    for (int64_t i = 0; i < tensor.size(); ++i) {
      tensor.Set(i, known.floats[static_cast<size_t>(i)]);
    }
    return true;
  }
  const auto ints = KnownInts(known);
  if (!ints.has_value()) return false;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    tensor.Set(i, static_cast<double>((*ints)[static_cast<size_t>(i)]));
  }
  return true;
}

}  // namespace

void FillSource(const ModelValue& value, uint64_t seed, const Tensor& tensor) {
  if (value.value.has_value() && FillKnown(*value.value, tensor)) return;
  std::mt19937_64 random(HashName(value.name, seed));
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const auto number = static_cast<double>(random() % 2001) - 1000;
    if (IsFloatingPoint(tensor.element)) {
      tensor.Set(i, number / 500);
    } else {
      tensor.Set(i, static_cast<double>(random() % 2));
    }
  }
}

}  // namespace memplan::reference
