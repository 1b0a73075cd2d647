#include "onnx_frontend/rules/window.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/rules/combinators.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// The attribute's list, or `otherwise` `length` times; an empty list is none.
absl::StatusOr<std::vector<int64_t>> ListOf(const NodeContext& node,
                                            std::string_view name,
                                            size_t length, int64_t otherwise,
                                            int64_t at_least) {
  std::optional<std::vector<int64_t>> list = node.Ints(name);
  if (!list.has_value() || list->empty()) {
    return std::vector<int64_t>(length, otherwise);
  }
  if (list->size() != length) {
    return node.Error(absl::StrCat(AsAbsl(name), " has ", list->size(),
                                   " numbers for ", length, " dimensions"));
  }
  for (const int64_t number : *list) {
    if (number < at_least) {
      return node.Error(absl::StrCat(AsAbsl(name), " has the number ", number));
    }
  }
  return *std::move(list);
}

// How often a window with `room` elements left to move fits. Runtimes round
// toward zero, which tells where the window is a little larger than the input.
Dim Places(const Dim& room, int64_t stride) {
  if (room.is_number()) return TruncDiv(room, stride) + 1;
  return FloorDiv(room, stride) + 1;
}

Dim PlacesInCeilMode(const Window& window, size_t axis, const Dim& size,
                     const Dim& room) {
  const int64_t stride = window.strides[axis];
  const Dim places = CeilDiv(room, stride) + 1;
  // Where the padding after the input is small, no window can start in it.
  const Dim slack = window.Extent(axis) - window.pads_end[axis] - Dim(stride);
  if (slack.is_number() && slack.number() >= 0) return places;
  return Min(places, CeilDiv(size + window.pads_begin[axis], stride));
}

}  // namespace

Dim Window::Extent(size_t axis) const {
  return Dim(dilations[axis]) * (kernel[axis] - 1) + 1;
}

absl::StatusOr<Window> ReadWindow(const NodeContext& node,
                                  std::vector<Dim> kernel) {
  Window window;
  const size_t rank = kernel.size();
  window.kernel = std::move(kernel);
  absl::StatusOr<std::vector<int64_t>> strides =
      ListOf(node, "strides", rank, 1, 1);
  if (!strides.ok()) return strides.status();
  window.strides = *std::move(strides);
  absl::StatusOr<std::vector<int64_t>> dilations =
      ListOf(node, "dilations", rank, 1, 1);
  if (!dilations.ok()) return dilations.status();
  window.dilations = *std::move(dilations);
  window.ceil_mode = node.Int("ceil_mode", 0) != 0;

  const std::string auto_pad = node.String("auto_pad", "NOTSET");
  if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") {
    window.padding = Window::Padding::kSame;
  } else if (auto_pad == "VALID") {
    window.padding = Window::Padding::kValid;
  } else if (auto_pad != "NOTSET" && !auto_pad.empty()) {
    return node.Error(absl::StrCat("auto_pad is '", auto_pad, "'"));
  }
  std::vector<int64_t> pads(2 * rank, 0);
  if (window.padding == Window::Padding::kExplicit) {
    absl::StatusOr<std::vector<int64_t>> given =
        ListOf(node, "pads", 2 * rank, 0, INT64_MIN);
    if (!given.ok()) return given.status();
    pads = *std::move(given);
  }
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(rank);
  window.pads_begin.assign(pads.begin(), middle);
  window.pads_end.assign(middle, pads.end());
  return window;
}

absl::StatusOr<Window> ReadWindowOfKernelShape(const NodeContext& node) {
  const std::optional<std::vector<int64_t>> kernel = node.Ints("kernel_shape");
  if (!kernel.has_value()) return node.Error("no attribute 'kernel_shape'");
  for (const int64_t size : *kernel) {
    if (size < 1) {
      return node.Error(absl::StrCat("kernel_shape has the number ", size));
    }
  }
  return ReadWindow(node, std::vector<Dim>(kernel->begin(), kernel->end()));
}

Dim ConvolutionPlaces(const Window& window, size_t axis, const Dim& size) {
  const int64_t stride = window.strides[axis];
  if (window.padding == Window::Padding::kSame) return CeilDiv(size, stride);
  const Dim room = size + window.pads_begin[axis] + window.pads_end[axis] -
                   window.Extent(axis);
  return FloorDiv(room, stride) + 1;
}

Dim PoolingPlaces(const Window& window, size_t axis, const Dim& size) {
  const int64_t stride = window.strides[axis];
  Dim room = size + window.pads_begin[axis] + window.pads_end[axis] -
             window.Extent(axis);
  if (window.padding == Window::Padding::kSame) {
    const Dim target = CeilDiv(size, stride);
    if (window.dilations[axis] == 1) return target;
    room = (target - 1) * stride + window.kernel[axis] - window.Extent(axis);
  }
  if (window.ceil_mode) return PlacesInCeilMode(window, axis, size, room);
  return Places(room, stride);
}

Dim TransposedSize(const Window& window, size_t axis, const Dim& size,
                   int64_t output_padding) {
  const Dim stride = window.strides[axis];
  const Dim last = window.Extent(axis) + output_padding;
  Dim padding = Dim(window.pads_begin[axis]) + window.pads_end[axis];
  if (window.padding == Window::Padding::kSame) {
    // Pads down to size * stride; does not extend a window that ends earlier.
    padding = Max(last - stride, 0);
  }
  return (size - 1) * stride + last - padding;
}

absl::StatusOr<std::optional<Shape>> ConvolutionShape(const NodeContext& node,
                                                      size_t x, size_t w) {
  const Shape* input = node.shape(x);
  const Shape* weight = node.shape(w);
  const std::optional<std::vector<int64_t>> kernel_shape =
      node.Ints("kernel_shape");
  if (input == nullptr && weight == nullptr) return std::optional<Shape>();
  const size_t rank = input != nullptr ? input->size() : weight->size();
  if (rank < 2 || (weight != nullptr && weight->size() != rank)) {
    return node.Error(absl::StrCat(
        "an input of shape ", input == nullptr ? "?" : ToString(*input),
        " and weights of shape ", weight == nullptr ? "?" : ToString(*weight)));
  }
  std::vector<Dim> kernel = UnknownShape(rank - 2);
  if (weight != nullptr) kernel.assign(weight->begin() + 2, weight->end());
  if (kernel_shape.has_value() && kernel_shape->size() == rank - 2) {
    for (size_t i = 0; i < kernel.size(); ++i) {
      const absl::Status status =
          MergeDim(node, "the kernel's size", (*kernel_shape)[i], kernel[i]);
      if (!status.ok()) return status;
    }
  }
  const absl::StatusOr<Window> window = ReadWindow(node, std::move(kernel));
  if (!window.ok()) return window.status();
  Shape result = UnknownShape(rank);
  if (weight != nullptr) result[1] = (*weight)[0];
  if (input != nullptr) {
    result[0] = (*input)[0];
    for (size_t i = 2; i < rank; ++i) {
      result[i] = ConvolutionPlaces(*window, i - 2, (*input)[i]);
    }
  }
  const absl::Status status = CheckNotNegative(node, result);
  if (!status.ok()) return status;
  return std::optional<Shape>(std::move(result));
}

}  // namespace memplan
