#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/reference/random_writer.h"

namespace memplan::reference {

void RandomWriter::Unary() {
  static constexpr const char* kOps[] = {"Relu", "Sigmoid", "Tanh",
                                         "Neg",  "Abs",     "Softmax"};
  const auto x = PickFloat();
  if (!x || x->shape.empty()) return;
  Node("float", x->shape,
       absl::StrCat(kOps[Below(std::size(kOps))], "(", x->name, ")"));
}

void RandomWriter::Binary() {
  static constexpr const char* kOps[] = {"Add", "Sub", "Mul", "Min", "Max"};
  const auto x = PickFloat();
  if (!x) return;
  const auto y = PickLike(*x);
  Node("float", x->shape,
       absl::StrCat(kOps[Below(std::size(kOps))], "(", x->name, ", ", y->name,
                    ")"));
}

// A row of four beside four rows of four, or four beside one column.
void RandomWriter::Broadcast() {
  const auto row = Pick([](const Named& v) {
    return v.type == "float" && (v.shape == Dims{4} || v.shape == Dims{1, 4} ||
                                 v.shape == Dims{4, 1});
  });
  const auto square = PickLike({"", "float", {4, 4}});
  if (!row || !square) return;
  const bool first = Chance(50);
  Node("float", {4, 4},
       absl::StrCat("Add(", first ? row->name : square->name, ", ",
                    first ? square->name : row->name, ")"));
}

void RandomWriter::Reshape() {
  const auto x = Pick([](const Named& v) { return !v.shape.empty(); });
  if (!x) return;
  const int64_t n = Elements(x->shape);
  std::vector<Dims> targets = {{n}, {1, n}, {n, 1}};
  for (const int64_t d : {2, 4, 8}) {
    if (n % d == 0) targets.push_back({d, n / d});
  }
  const Dims target =
      targets[static_cast<size_t>(Below(static_cast<int64_t>(targets.size())))];
  Node(x->type, target,
       absl::StrCat("Reshape(", x->name, ", ", Ints(target), ")"));
}

void RandomWriter::SameBytes() {
  const auto x = Pick([](const Named& v) { return !v.shape.empty(); });
  if (!x) return;
  Dims longer = x->shape;
  longer.insert(longer.begin(), 1);
  switch (Below(4)) {
    case 0:
      return Node(x->type, x->shape, absl::StrCat("Identity(", x->name, ")"));
    case 1:
      return Node(x->type, longer,
                  absl::StrCat("Unsqueeze(", x->name, ", ", Ints({0}), ")"));
    case 2:
      if (x->type != "float") return;
      return Node(x->type, x->shape, absl::StrCat("Dropout(", x->name, ")"));
    default:
      return Node(x->type, {1, Elements(x->shape)},
                  absl::StrCat("Flatten <axis = 0> (", x->name, ")"));
  }
}

void RandomWriter::Turn() {
  const auto x = PickFloat(2);
  if (!x) return;
  Node("float", {x->shape[1], x->shape[0]},
       absl::StrCat("Transpose <perm = [1, 0]> (", x->name, ")"));
}

void RandomWriter::Concat() {
  const auto x = PickFloat(Chance(50) ? 2 : 0);
  if (!x || x->shape.empty()) return;
  const auto y = PickLike(*x);
  if (2 * Elements(x->shape) > kMaxElements) return;
  const auto axis =
      static_cast<size_t>(Below(static_cast<int64_t>(x->shape.size())));
  Dims shape = x->shape;
  shape[axis] *= 2;
  Node("float", shape,
       absl::StrCat("Concat <axis = ", axis, "> (", x->name, ", ", y->name,
                    ")"));
}

std::optional<Named> RandomWriter::PickHalvable(size_t& axis) {
  const auto x = PickFloat();
  if (!x) return std::nullopt;
  for (axis = 0; axis < x->shape.size(); ++axis) {
    if (x->shape[axis] % 2 == 0 && Chance(70)) return x;
  }
  return std::nullopt;
}

void RandomWriter::Split() {
  size_t axis = 0;
  const auto x = PickHalvable(axis);
  if (!x) return;
  Dims half = x->shape;
  half[axis] /= 2;
  const std::vector<Named> outputs = {Add("float", half), Add("float", half)};
  Node(outputs, absl::StrCat("Split <axis = ", axis, "> (", x->name, ", ",
                             Ints({half[axis], half[axis]}), ")"));
}

void RandomWriter::Slice() {
  size_t axis = 0;
  const auto x = PickHalvable(axis);
  if (!x) return;
  Dims half = x->shape;
  half[axis] /= 2;
  const int64_t first = Below(half[axis] + 1);
  Node("float", half,
       absl::StrCat("Slice(", x->name, ", ", Ints({first}), ", ",
                    Ints({first + half[axis]}), ", ",
                    Ints({static_cast<int64_t>(axis)}), ")"));
}

void RandomWriter::Gather() {
  const auto x = PickFloat(2);
  if (!x) return;
  Node("float", {2, x->shape[1]},
       absl::StrCat("Gather <axis = 0> (", x->name, ", ",
                    Ints({x->shape[0] - 1, 0}), ")"));
}

void RandomWriter::MatMul() {
  const auto x = PickFloat(2);
  if (!x) return;
  const auto y = Pick([&](const Named& v) {
    return v.type == "float" && v.shape.size() == 2 &&
           v.shape[0] == x->shape[1];
  });
  if (!y || x->shape[0] * y->shape[1] > kMaxElements) return;
  Node("float", {x->shape[0], y->shape[1]},
       absl::StrCat("MatMul(", x->name, ", ", y->name, ")"));
}

void RandomWriter::Reduce() {
  const auto x = PickFloat(2);
  if (!x) return;
  Node("float", {1, x->shape[1]},
       absl::StrCat("ReduceSum <keepdims = 1> (", x->name, ", ", Ints({0}),
                    ")"));
}

void RandomWriter::Cast() {
  const auto x = Pick([](const Named& v) { return v.type != "bool"; });
  if (!x) return;
  if (x->type != "float") {
    return Node("float", x->shape,
                absl::StrCat("Cast <to = 1> (", x->name, ")"));
  }
  static const std::pair<const char*, int> kTypes[] = {
      {"double", 11}, {"float16", 10}, {"int32", 6}, {"int64", 7}};
  const auto& [type, number] = kTypes[Below(std::size(kTypes))];
  Node(type, x->shape,
       absl::StrCat("Cast <to = ", number, "> (", x->name, ")"));
}

void RandomWriter::Compare() {
  const auto x = PickFloat();
  if (!x) return;
  const auto y = PickLike(*x);
  Node("bool", x->shape, absl::StrCat("Less(", x->name, ", ", y->name, ")"));
}

void RandomWriter::Where() {
  const auto which = Pick([](const Named& v) { return v.type == "bool"; });
  if (!which) return;
  const auto x = PickLike({"", "float", which->shape});
  const auto y = PickLike({"", "float", which->shape});
  if (!x || !y) return;
  Node("float", x->shape,
       absl::StrCat("Where(", which->name, ", ", x->name, ", ", y->name, ")"));
}

}  // namespace memplan::reference
