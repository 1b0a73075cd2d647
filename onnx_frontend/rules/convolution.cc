// Convolutions, and what undoes them.

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "onnx_frontend/rules/families.h"
#include "onnx_frontend/rules/window.h"

namespace memplan {
namespace {

// The channels that weights want against those that the input has; both may be
// unknown.
absl::Status CheckChannels(const NodeContext& node, size_t x, size_t w) {
  const Shape* input = node.shape(x);
  const Shape* weight = node.shape(w);
  if (input == nullptr || weight == nullptr) return absl::OkStatus();
  const Dim wanted = (*weight)[1] * Dim(node.Int("group", 1));
  if (wanted.is_number() && (*input)[1].is_number() &&
      !wanted.Equals((*input)[1])) {
    return node.Error(
        absl::StrCat("an input of shape ", ToString(*input), " has ",
                     (*input)[1].ToString(), " channels; weights of shape ",
                     ToString(*weight), " take ", wanted.ToString()));
  }
  return absl::OkStatus();
}

absl::Status ConvolutionTo(NodeContext& node, size_t x, size_t w,
                           ElementType element) {
  absl::StatusOr<std::optional<Shape>> shape = ConvolutionShape(node, x, w);
  if (!shape.ok()) return shape.status();
  const absl::Status channels = CheckChannels(node, x, w);
  if (!channels.ok()) return channels;
  node.SetTensor(0, element, *std::move(shape));
  return absl::OkStatus();
}

absl::Status Conv(NodeContext& node) {
  return ConvolutionTo(node, 0, 1, FirstElement(node, {0, 1}));
}

absl::Status ConvInteger(NodeContext& node) {
  return ConvolutionTo(node, 0, 1, ElementType::kInt32);
}

// Inputs: x, its scale and zero point, w, its scale and zero point, y's scale
// and zero point, B. y has its zero point's type.
absl::Status QLinearConv(NodeContext& node) {
  return ConvolutionTo(node, 0, 3, FirstElement(node, {7, 0}));
}

// The attribute output_shape: the spatial dimensions, or (as old exporters
// have it) all.
std::optional<std::vector<int64_t>> GivenSpatialShape(const NodeContext& node,
                                                      size_t spatial) {
  std::optional<std::vector<int64_t>> given = node.Ints("output_shape");
  if (!given.has_value() || given->empty()) return std::nullopt;
  if (given->size() == spatial + 2) {
    given->erase(given->begin(), given->begin() + 2);
  }
  return given;
}

// W: [C, M/group, k1..kn].
absl::Status ConvTranspose(NodeContext& node) {
  const Shape* input = node.shape(0);
  const Shape* weight = node.shape(1);
  const ElementType element = FirstElement(node, {0, 1});
  if (input == nullptr && weight == nullptr) {
    node.SetTensor(0, element, std::nullopt);
    return absl::OkStatus();
  }
  const size_t rank = input != nullptr ? input->size() : weight->size();
  if (rank < 2 || (weight != nullptr && weight->size() != rank)) {
    return node.Error("the ranks of input and weights do not fit");
  }
  std::vector<Dim> kernel = UnknownShape(rank - 2);
  const std::optional<std::vector<int64_t>> kernel_shape =
      node.Ints("kernel_shape");
  if (weight != nullptr) {
    kernel.assign(weight->begin() + 2, weight->end());
  } else if (kernel_shape.has_value() && kernel_shape->size() == rank - 2) {
    kernel.assign(kernel_shape->begin(), kernel_shape->end());
  }
  const absl::StatusOr<Window> window = ReadWindow(node, std::move(kernel));
  if (!window.ok()) return window.status();

  Shape result = UnknownShape(rank);
  if (weight != nullptr) result[1] = (*weight)[1] * Dim(node.Int("group", 1));
  if (input != nullptr) result[0] = (*input)[0];
  const std::vector<int64_t> output_padding =
      node.Ints("output_padding").value_or(std::vector<int64_t>());
  const std::optional<std::vector<int64_t>> given =
      GivenSpatialShape(node, rank - 2);
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (given.has_value() && i < given->size()) {
      result[i + 2] = (*given)[i];
    } else if (input != nullptr) {
      const int64_t extra = i < output_padding.size() ? output_padding[i] : 0;
      result[i + 2] = TransposedSize(*window, i, (*input)[i + 2], extra);
    }
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, element, std::move(result));
  return absl::OkStatus();
}

// Inputs: [N, C * elements of a block, L], the image's shape, the block's
// shape. Output: [N, C, the image's shape].
absl::Status Col2Im(NodeContext& node) {
  const Shape* columns = node.shape(0);
  const std::optional<std::vector<Dim>> image = DimsOf(node, 1);
  if (!image.has_value()) {
    DependsOnContents(node, 0, 1);
    node.SetTensor(0, node.element(0), std::nullopt);
    return absl::OkStatus();
  }
  if (columns != nullptr && columns->size() != 3) {
    return node.Error(absl::StrCat("an input of shape ", ToString(*columns),
                                   "; it wants 3 dimensions"));
  }
  Shape result = UnknownShape(2);
  const std::optional<std::vector<Dim>> block = DimsOf(node, 2);
  if (columns != nullptr) {
    result[0] = (*columns)[0];
    if (block.has_value()) {
      result[1] = FloorDiv((*columns)[1], NumElements(*block));
    }
  }
  result.insert(result.end(), image->begin(), image->end());
  if (node.value(1) == nullptr) DependsOnContents(node, 0, 1);
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  node.SetTensor(0, node.element(0), std::move(result));
  return absl::OkStatus();
}

// Inputs: [batch, channels, length], the kernel [channels, 1, k], bias, past
// state. Output 1, the state, is [batch, channels, k - 1].
absl::Status CausalConvWithState(NodeContext& node) {
  node.SetOutput(0, node.input(0));
  Shape state = UnknownShape(3);
  const Shape* input = node.shape(0);
  const Shape* weight = node.shape(1);
  const Shape* past = node.shape(3);
  if (input != nullptr && input->size() == 3) {
    state[0] = (*input)[0];
    state[1] = (*input)[1];
  }
  if (weight != nullptr && weight->size() == 3) {
    state[2] = (*weight)[2] - 1;
  } else if (past != nullptr && past->size() == 3) {
    state[2] = (*past)[2];
  }
  node.SetTensor(1, node.element(0), std::move(state));
  return absl::OkStatus();
}

constexpr RuleRow kRows[] = {
    {"", "CausalConvWithState", 27, CausalConvWithState,
     "Operators.md#CausalConvWithState"},
    {"", "Col2Im", 18, Col2Im, "Operators.md#Col2Im"},
    {"", "Conv", 1, Conv, "Operators.md#Conv"},
    {"", "ConvInteger", 10, ConvInteger, "Operators.md#ConvInteger"},
    {"", "ConvTranspose", 1, ConvTranspose, "Operators.md#ConvTranspose"},
    {"", "DeformConv", 19, Conv, "Operators.md#DeformConv"},
    {"", "QLinearConv", 10, QLinearConv, "Operators.md#QLinearConv"},
};

}  // namespace

absl::Span<const RuleRow> ConvolutionRules() { return kRows; }

}  // namespace memplan
