#include <algorithm>
#include <cstddef>

#include "tests/reference/kernels.h"

namespace memplan::reference {
namespace {

// Reshape, Squeeze, Identity, ...: nothing happens where the output is a view.
void Copy(const KernelCall& call) {
  CopyElements(call.input(0), call.output(0));
}

void Dropout(const KernelCall& call) {
  CopyElements(call.input(0), call.output(0));
  const Tensor& mask = call.output(1);
  for (int64_t i = 0; mask.present() && i < mask.size(); ++i) mask.Set(i, 1);
}

void Transpose(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  std::vector<int64_t> perm;
  for (int64_t i = x.rank(); i-- > 0;) perm.push_back(i);
  perm = call.node.Ints("perm").value_or(perm);
  Index index = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    Index from(index.size());
    for (size_t axis = 0; axis < index.size(); ++axis) {
      from[static_cast<size_t>(perm[axis])] = index[axis];
    }
    y.Set(i++, x.At(from));
  } while (NextIndex(y.shape, index));
}

// Copies `part` to or from the place in `whole` that begins at `first` along
// the axis. Nothing happens where it lies there already.
void CopyPart(const Tensor& whole, const Tensor& part, size_t axis,
              int64_t first, bool into_whole) {
  if (part.size() == 0) return;
  Index index = FirstIndex(part.shape);
  int64_t i = 0;
  do {
    Index place = index;
    place[axis] += first;
    const int64_t offset = whole.Offset(place);
    if (into_whole) {
      whole.Set(offset, part.Get(i++));
    } else {
      part.Set(i++, whole.Get(offset));
    }
  } while (NextIndex(part.shape, index));
}

void Concat(const KernelCall& call) {
  const Tensor& y = call.output(0);
  const size_t axis = Axis(call.node.Int("axis", 0), y.rank());
  int64_t first = 0;
  for (const Tensor& x : call.inputs) {
    CopyPart(y, x, axis, first, /*into_whole=*/true);
    first += x.shape[axis];
  }
}

void Split(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const size_t axis = Axis(call.node.Int("axis", 0), x.rank());
  int64_t first = 0;
  for (const Tensor& y : call.outputs) {
    CopyPart(x, y, axis, first, /*into_whole=*/false);
    first += y.shape[axis];
  }
}

// Along one axis with step 1, from `starts` on.
void Slice(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const size_t axis = Axis(Ints(call.input(3)).at(0), x.rank());
  CopyPart(x, call.output(0), axis, Ints(call.input(1)).at(0),
           /*into_whole=*/false);
}

void Gather(const KernelCall& call) {
  const Tensor& x = call.input(0);
  const Tensor& indices = call.input(1);
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  const size_t axis = Axis(call.node.Int("axis", 0), x.rank());
  const size_t inner = axis + indices.shape.size();
  Index index = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    Index from(index.begin(), index.begin() + static_cast<ptrdiff_t>(axis));
    const Index which(index.begin() + static_cast<ptrdiff_t>(axis),
                      index.begin() + static_cast<ptrdiff_t>(inner));
    auto row = static_cast<int64_t>(indices.At(which));
    // What was overwritten may be any number: stay inside.
    row = std::clamp<int64_t>(row, 0, x.shape[axis] - 1);
    from.push_back(row);
    from.insert(from.end(), index.begin() + static_cast<ptrdiff_t>(inner),
                index.end());
    y.Set(i++, x.At(from));
  } while (NextIndex(y.shape, index));
}

void Expand(const KernelCall& call) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  Index index = FirstIndex(y.shape);
  int64_t i = 0;
  do {
    y.Set(i++, call.input(0).Get(BroadcastOffset(call.input(0), index)));
  } while (NextIndex(y.shape, index));
}

void Shape(const KernelCall& call) {
  for (int64_t i = 0; i < call.output(0).size(); ++i) {
    const int64_t dim = call.input(0).shape[static_cast<size_t>(i)];
    call.output(0).Set(i, static_cast<double>(dim));
  }
}

}  // namespace

absl::Span<const KernelRow> MovementKernels() {
  static constexpr KernelRow kRows[] = {
      {"Reshape", Copy},
      {"Flatten", Copy},
      {"Squeeze", Copy},
      {"Unsqueeze", Copy},
      {"Identity", Copy},
      {"Dropout", Dropout},
      {"Transpose", Transpose, false},
      {"Concat", Concat},
      {"Split", Split},
      {"Slice", Slice},
      {"Gather", Gather, false},
      {"Expand", Expand, false},
      {"Shape", Shape, false},
  };
  return kRows;
}

}  // namespace memplan::reference
