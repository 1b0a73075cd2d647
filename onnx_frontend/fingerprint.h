#ifndef MEMPLAN_ONNX_FRONTEND_FINGERPRINT_H_
#define MEMPLAN_ONNX_FRONTEND_FINGERPRINT_H_

#include "onnx_frontend/read_model.h"
#include "planner/pattern_record.h"

namespace memplan {

// A hash of all that a plan depends on. Inside: the IR version and opsets; the
// nodes in the file's order with operator, domain, attributes, and the names
// that they read and write; bodies and functions; declared types and shapes;
// initializers' names, types and shapes, and the values of small int32 and
// int64 ones, since shapes are computed from them. Outside: all other weights
// and where they lie, names of nodes, documentation, metadata, producer,
// training info, and the order in which a file lists attributes, initializers,
// value_info, opsets and functions. O(size of the skeleton).
Fingerprint FingerprintModel(const Model& model);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_FINGERPRINT_H_
