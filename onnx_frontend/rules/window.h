#ifndef MEMPLAN_ONNX_FRONTEND_RULES_WINDOW_H_
#define MEMPLAN_ONNX_FRONTEND_RULES_WINDOW_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/node_context.h"

namespace memplan {

// A window that moves over the spatial dimensions of a tensor: the attributes
// that convolutions and poolings have in common.
struct Window {
  enum class Padding { kExplicit, kValid, kSame };

  Padding padding = Padding::kExplicit;
  bool ceil_mode = false;
  std::vector<Dim> kernel;  // may be unknown where it is a weight's shape
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  std::vector<int64_t> pads_begin;  // all 0 unless the padding is explicit
  std::vector<int64_t> pads_end;

  size_t rank() const { return kernel.size(); }
  // Elements from the first to the last that the window covers.
  Dim Extent(size_t axis) const;
};

// Reads strides, dilations, pads, auto_pad and ceil_mode of a window with this
// kernel. Errors: lists of another length than the kernel's, strides or
// dilations below 1.
absl::StatusOr<Window> ReadWindow(const NodeContext& node,
                                  std::vector<Dim> kernel);
// The same with the kernel of the attribute kernel_shape.
absl::StatusOr<Window> ReadWindowOfKernelShape(const NodeContext& node);

// The number of places of a convolution's window over `size` elements
// (Operators.md#Conv).
Dim ConvolutionPlaces(const Window& window, size_t axis, const Dim& size);

// The same of a pooling's window. Only the window that starts in the input or
// the padding before it counts, in ceil_mode (Operators.md#MaxPool). With SAME
// padding and dilations the runtime pads as if there were none.
Dim PoolingPlaces(const Window& window, size_t axis, const Dim& size);

// The size that a transposed convolution makes of `size` elements, before
// `output_shape` is considered (Operators.md#ConvTranspose).
Dim TransposedSize(const Window& window, size_t axis, const Dim& size,
                   int64_t output_padding);

// Both inputs of a convolution: X of [N, C, D1..Dn], and W of
// [M, C/group, k1..kn]. The result's shape [N, M, places...]; unset where no
// rank is known.
absl::StatusOr<std::optional<Shape>> ConvolutionShape(const NodeContext& node,
                                                      size_t x, size_t w);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_RULES_WINDOW_H_
