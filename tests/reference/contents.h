#ifndef MEMPLAN_TESTS_REFERENCE_CONTENTS_H_
#define MEMPLAN_TESTS_REFERENCE_CONTENTS_H_

#include <cstdint>

#include "onnx_frontend/model_graph.h"
#include "tests/reference/tensor.h"

namespace memplan::reference {

// Writes what a graph input or an initializer holds: what the model says, else
// small numbers made from its name and the seed.
void FillSource(const ModelValue& value, uint64_t seed, const Tensor& tensor);

}  // namespace memplan::reference

#endif  // MEMPLAN_TESTS_REFERENCE_CONTENTS_H_
