// Matrix products.

#include "onnx_frontend/rules/matmul.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"

namespace memplan {
namespace {

absl::Status CheckInner(const NodeContext& node, const Dim& a, const Dim& b,
                        const Shape& left, const Shape& right) {
  if (MergeDims(a, b).has_value()) return absl::OkStatus();
  return node.Error(absl::StrCat("matrices of shapes ", ToString(left), " and ",
                                 ToString(right), " do not multiply"));
}

absl::Status MatMulOf(NodeContext& node, size_t a, size_t b,
                      ElementType element) {
  const Shape* left = node.shape(a);
  const Shape* right = node.shape(b);
  if (left == nullptr || right == nullptr) {
    node.SetTensor(0, element, std::nullopt);
    return absl::OkStatus();
  }
  absl::StatusOr<Shape> shape = MatMulShape(node, *left, *right);
  if (!shape.ok()) return shape.status();
  node.SetTensor(0, element, *std::move(shape));
  return absl::OkStatus();
}

absl::Status MatMul(NodeContext& node) {
  return MatMulOf(node, 0, 1, FirstElement(node, {0, 1}));
}

absl::Status MatMulInteger(NodeContext& node) {
  return MatMulOf(node, 0, 1, ElementType::kInt32);
}

// Inputs: a, its scale and zero point, b, its scale and zero point, y's scale
// and zero point.
absl::Status QLinearMatMul(NodeContext& node) {
  return MatMulOf(node, 0, 3, FirstElement(node, {7, 0}));
}

// A': [M, K]; B': [K, N]. A vector as A is one row.
absl::Status Gemm(NodeContext& node) {
  const Shape* a = node.shape(0);
  const Shape* b = node.shape(1);
  const bool trans_a = node.Int("transA", 0) != 0;
  const bool trans_b = node.Int("transB", 0) != 0;
  if ((a != nullptr && a->size() != 2 && a->size() != 1) ||
      (b != nullptr && b->size() != 2)) {
    return node.Error(absl::StrCat(
        "inputs of shapes ", a == nullptr ? "?" : ToString(*a), " and ",
        b == nullptr ? "?" : ToString(*b), " are no matrices"));
  }
  Shape left = UnknownShape(2);
  Shape right = UnknownShape(2);
  if (a != nullptr && a->size() == 2) left = *a;
  if (a != nullptr && a->size() == 1) left = {1, (*a)[0]};
  if (a != nullptr && trans_a) std::swap(left[0], left[1]);
  if (b != nullptr) right = *b;
  if (b != nullptr && trans_b) std::swap(right[0], right[1]);
  const absl::Status status = CheckInner(node, left[1], right[0], left, right);
  if (!status.ok()) return status;
  node.SetTensor(0, FirstElement(node, {0, 1, 2}), Shape{left[0], right[1]});
  return absl::OkStatus();
}

// [*, M, M] to [*].
absl::Status Det(NodeContext& node) {
  std::optional<Shape> shape = node.input(0).shape;
  if (shape.has_value()) {
    if (shape->size() < 2) {
      return node.Error(absl::StrCat("an input of shape ", ToString(*shape)));
    }
    shape->resize(shape->size() - 2);
  }
  node.SetTensor(0, node.element(0), std::move(shape));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "Det", 11, Det, "Operators.md#Det"},
    {"", "Gemm", 1, Gemm, "Operators.md#Gemm"},
    {"", "MatMul", 1, MatMul, "Operators.md#MatMul"},
    {"", "MatMulInteger", 10, MatMulInteger, "Operators.md#MatMulInteger"},
    {"", "QLinearMatMul", 10, QLinearMatMul, "Operators.md#QLinearMatMul"},
};

}  // namespace

absl::StatusOr<Shape> MatMulShape(const NodeContext& node, const Shape& a,
                                  const Shape& b) {
  if (a.empty() || b.empty()) {
    return node.Error("a scalar takes no part in a matrix product");
  }
  // A vector is one row on the left, one column on the right.
  Shape left = a;
  Shape right = b;
  if (a.size() == 1) left.insert(left.begin(), 1);
  if (b.size() == 1) right.push_back(1);
  const absl::Status inner =
      CheckInner(node, left.back(), right[right.size() - 2], a, b);
  if (!inner.ok()) return inner;
  absl::StatusOr<Shape> result =
      BroadcastShapes(node, Shape(left.begin(), left.end() - 2),
                      Shape(right.begin(), right.end() - 2));
  if (!result.ok()) return result.status();
  if (a.size() > 1) result->push_back(left[left.size() - 2]);
  if (b.size() > 1) result->push_back(right.back());
  return result;
}

absl::Span<const RuleRow> MatMulRules() { return kRows; }

}  // namespace memplan
