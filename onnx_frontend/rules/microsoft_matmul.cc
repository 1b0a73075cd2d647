#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/matmul.h"
#include "onnx_frontend/rules/rule_parts.h"

namespace memplan {
namespace {

// Matrix products that are fused, quantized or both.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md

absl::Status SetProduct(NodeContext& node, ElementType element,
                        const std::optional<Shape>& a,
                        const std::optional<Shape>& b) {
  if (!a.has_value() || !b.has_value()) {
    node.SetTensor(0, element, std::nullopt);
    return absl::OkStatus();
  }
  absl::StatusOr<Shape> shape = MatMulShape(node, *a, *b);
  if (!shape.ok()) return shape.status();
  node.SetTensor(0, element, *std::move(shape));
  return absl::OkStatus();
}

// The product of inputs kA and kB, of input kElement's type.
template <size_t kA, size_t kB, size_t kElement>
absl::Status Product(NodeContext& node) {
  return SetProduct(node, node.element(kElement), ShapeOf(node, kA),
                    ShapeOf(node, kB));
}

absl::Status IntegerProduct(NodeContext& node) {
  return SetProduct(node, ElementType::kInt32, ShapeOf(node, 0),
                    ShapeOf(node, 1));
}

// Transposes an operand: `batch` moves the first axis to the place before the
// last, then `last_two` swaps the last two. A vector stays as it is.
std::optional<Shape> Operand(const NodeContext& node, size_t input, bool batch,
                             bool last_two) {
  std::optional<Shape> shape = ShapeOf(node, input);
  if (!shape.has_value() || shape->size() < 2) return shape;
  const size_t rank = shape->size();
  if (batch) {
    std::rotate(shape->begin(), shape->begin() + 1, shape->end() - 1);
  }
  if (last_two) std::swap((*shape)[rank - 2], (*shape)[rank - 1]);
  return shape;
}

absl::Status FusedMatMul(NodeContext& node) {
  const std::optional<Shape> a = Operand(
      node, 0, node.Int("transBatchA", 0) != 0, node.Int("transA", 0) != 0);
  const std::optional<Shape> b = Operand(
      node, 1, node.Int("transBatchB", 0) != 0, node.Int("transB", 0) != 0);
  return SetProduct(node, node.element(0), a, b);
}

// The dense operand has the output's type.
absl::Status SparseToDenseMatMul(NodeContext& node) {
  std::optional<Shape> sparse = node.input(0).shape;
  if (node.Int("transA", 0) != 0 && sparse.has_value() && sparse->size() == 2) {
    std::swap((*sparse)[0], (*sparse)[1]);
  }
  return SetProduct(node, node.element(1), sparse,
                    Operand(node, 1, false, node.Int("transB", 0) != 0));
}

// A general product [M, N] of matrices kA and kB.
template <size_t kA, size_t kB>
absl::Status GeneralProduct(NodeContext& node, ElementType element) {
  if (absl::Status s = ExpectRank(node, kA, {2}); !s.ok()) return s;
  if (absl::Status s = ExpectRank(node, kB, {2}); !s.ok()) return s;
  const Dim rows = DimOf(node, kA, node.Int("transA", 0) != 0 ? 1 : 0);
  const Dim columns = DimOf(node, kB, node.Int("transB", 0) != 0 ? 0 : 1);
  node.SetTensor(0, element, Shape{rows, columns});
  return absl::OkStatus();
}

absl::Status FusedGemm(NodeContext& node) {
  return GeneralProduct<0, 1>(node, node.element(0));
}

absl::Status GemmFloat8(NodeContext& node) {
  return GeneralProduct<0, 1>(
      node, ElementAttribute(node, "dtype", ElementType::kFloat));
}

// Quantized where the output has a zero point.
absl::Status QGemm(NodeContext& node) {
  return GeneralProduct<0, 3>(
      node, node.HasInput(8) ? node.element(8) : ElementType::kFloat);
}

// A of [..., K] times weights that are packed: [..., N], by attributes.
absl::Status PackedProduct(NodeContext& node, std::string_view width,
                           size_t output) {
  SetShaped(node, output, 0, WithLastDim(node, 0, CountAttribute(node, width)));
  return absl::OkStatus();
}

absl::Status MatMulNBits(NodeContext& node) {
  return PackedProduct(node, "N", 0);
}

absl::Status MatMulBnb4(NodeContext& node) {
  return PackedProduct(node, node.Int("transB", 1) != 0 ? "N" : "K", 0);
}

// Output 1 is the sum of input and skip.
absl::Status MatMulNBitsMlp(NodeContext& node) {
  SetLike(node, 1, 0);
  return PackedProduct(node, "N", 0);
}

absl::Status MatMulNBitsQkv(NodeContext& node) {
  SetLike(node, 3, 0);
  absl::Status status = PackedProduct(node, "Nq", 0);
  status.Update(PackedProduct(node, "Nkv", 1));
  status.Update(PackedProduct(node, "Nkv", 2));
  return status;
}

// The packed weights' shape is the content of input 2.
absl::Status MatMulFpQ4(NodeContext& node) {
  return SetProduct(node, ElementType::kFloat, ShapeOf(node, 0),
                    DimsOf(node, 2));
}

// Weights [N, K], or two values of K a byte.
absl::Status RowMajorWeights(NodeContext& node) {
  if (absl::Status s = ExpectRank(node, 1, {2}); !s.ok()) return s;
  SetShaped(node, 0, 0, WithLastDim(node, 0, DimOf(node, 1, 0)));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"com.microsoft", "FusedMatMul", 1, FusedMatMul,
     "ContribOperators.md#com.microsoft.FusedMatMul"},
    {"com.microsoft", "FusedMatMulActivation", 1, FusedMatMul,
     "ContribOperators.md#com.microsoft.FusedMatMulActivation"},
    {"com.microsoft", "TransposeMatMul", 1, FusedMatMul,
     "ContribOperators.md#com.microsoft.TransposeMatMul"},
    {"com.microsoft", "SparseToDenseMatMul", 1, SparseToDenseMatMul,
     "ContribOperators.md#com.microsoft.SparseToDenseMatMul"},
    {"com.microsoft", "GemmFastGelu", 1, Product<0, 1, 0>,
     "ContribOperators.md#com.microsoft.GemmFastGelu"},
    {"com.microsoft", "DynamicQuantizeMatMul", 1, Product<0, 1, 0>,
     "ContribOperators.md#com.microsoft.DynamicQuantizeMatMul"},
    {"com.microsoft", "MatMulIntegerToFloat", 1, Product<0, 1, 2>,
     "ContribOperators.md#com.microsoft.MatMulIntegerToFloat"},
    {"com.microsoft", "QOrderedMatMul", 1, Product<0, 2, 0>,
     "ContribOperators.md#com.microsoft.QOrderedMatMul"},
    {"com.microsoft", "MatMulInteger16", 1, IntegerProduct,
     "ContribOperators.md#com.microsoft.MatMulInteger16"},
    {"com.microsoft", "FusedGemm", 1, FusedGemm,
     "ContribOperators.md#com.microsoft.FusedGemm"},
    {"com.microsoft", "GemmFloat8", 1, GemmFloat8,
     "ContribOperators.md#com.microsoft.GemmFloat8"},
    {"com.microsoft", "QGemm", 1, QGemm,
     "ContribOperators.md#com.microsoft.QGemm"},
    {"com.microsoft", "MatMulNBits", 1, MatMulNBits,
     "ContribOperators.md#com.microsoft.MatMulNBits"},
    {"com.microsoft", "MatMulNBitsMlp", 1, MatMulNBitsMlp,
     "ContribOperators.md#com.microsoft.MatMulNBitsMlp"},
    {"com.microsoft", "MatMulNBitsQkv", 1, MatMulNBitsQkv,
     "ContribOperators.md#com.microsoft.MatMulNBitsQkv"},
    {"com.microsoft", "MatMulBnb4", 1, MatMulBnb4,
     "ContribOperators.md#com.microsoft.MatMulBnb4"},
    {"com.microsoft", "MatMulFpQ4", 1, MatMulFpQ4,
     "ContribOperators.md#com.microsoft.MatMulFpQ4"},
    {"com.microsoft", "MatMulBlockQuantizedFp4Weight", 1, RowMajorWeights,
     "ContribOperators.md#com.microsoft.MatMulBlockQuantizedFp4Weight"},
    {"com.microsoft", "MatMulBlockQuantizedFp8Weight", 1, RowMajorWeights,
     "ContribOperators.md#com.microsoft.MatMulBlockQuantizedFp8Weight"},
};

}  // namespace

absl::Span<const RuleRow> MicrosoftMatMulRules() { return kRows; }

}  // namespace memplan
