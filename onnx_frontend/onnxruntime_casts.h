#ifndef MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_CASTS_H_
#define MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_CASTS_H_

#include <string_view>
#include <vector>

#include "onnx_frontend/model_graph.h"

namespace memplan {

// How the runtime names the Casts that it inserts, before the value's name; it
// tells them from the model's by that alone.
inline constexpr std::string_view kInsertedCast = "InsertedPrecisionFreeCast_";

struct InsertedCast {
  NodeIndex node = 0;
  ValueIndex half = 0;    // of the model
  ValueIndex single = 0;  // its float32 copy, or what it is made of; new
  bool makes_half = false;
};

// Puts Casts around each node that reads float16 and has no kernel for it, as
// ONNX Runtime does when it loads a model: to float32 before it, one for each
// value and body, and back to float16 behind it. A node that has a kernel is
// treated likewise where all its neighbours have none. `graph` must have its
// types. The bodies' nodes stay sorted; new nodes count as behind all others.
// (core/optimizer/insert_cast_transformer.cc.)
std::vector<InsertedCast> InsertCasts(ModelGraph& graph);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_ONNXRUNTIME_CASTS_H_
