#ifndef MEMPLAN_ONNX_FRONTEND_FINGERPRINT_H_
#define MEMPLAN_ONNX_FRONTEND_FINGERPRINT_H_

#include "onnx_frontend/read_model.h"
#include "planner/pattern_record.h"

namespace memplan {

// Integer initializers up to so many elements belong to the structure.
inline constexpr int64_t kMaxHashedElements = 1024;

// A hash of all that a plan depends on. Inside:
// - opsets, and whether initializers may be overridden (IR 4);
// - the nodes in the file's order: operator, domain, attributes, and the names
//   that they read and write; bodies and functions;
// - inputs, outputs and value_info with their types and shapes;
// - initializers' and tensor attributes' types and shapes, and the values of
//   small ones that shapes are computed from: integers but for quantized
//   weights and biases, and the floats that Resize, Upsample, Range and OneHot
//   read.
// Outside: all other weights and where they lie, names of nodes and graphs,
// documentation, metadata, producer, training info, attributes' strings past a
// megabyte, and the order in which a file lists attributes, initializers,
// value_info, opsets and functions. O(n log n) in the skeleton.
Fingerprint FingerprintModel(const Model& model);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FINGERPRINT_H_
