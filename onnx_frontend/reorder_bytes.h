#ifndef MEMPLAN_ONNX_FRONTEND_REORDER_BYTES_H_
#define MEMPLAN_ONNX_FRONTEND_REORDER_BYTES_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/file_orders.h"
#include "onnx_frontend/own_fields.h"

namespace memplan {

// The bytes of `kept` (ranges of a model file that hold whole fields) in the
// sequence in which the file has its nodes in `orders`: each node's bytes stay
// together, those of its bodies' nodes in turn, and all other bytes stay where
// they are; so no length in the file changes. Reads no more than the headers of
// nodes. Errors (InvalidArgument): a graph in several pieces, which protobuf
// allows and nobody writes; orders that are for another file.
absl::StatusOr<std::vector<ByteRange>> RangesInOrder(
    std::string_view file, const std::vector<ByteRange>& kept,
    const FileOrders& orders);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_REORDER_BYTES_H_
