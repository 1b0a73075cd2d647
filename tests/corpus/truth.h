#ifndef MEMPLAN_TESTS_CORPUS_TRUTH_H_
#define MEMPLAN_TESTS_CORPUS_TRUTH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_frontend/infer_shapes.h"

namespace memplan {

// What a runtime found for one value.
struct TrueValue {
  std::string scope;
  std::string name;
  std::string type;
  std::vector<int64_t> shape;
  std::optional<int64_t> bytes;  // unset: strings
  bool varies = false;           // between iterations; the shape is the largest
};

// One line of the truth file: a model, what it was fed, and what came out.
struct TruthRow {
  std::string path;  // below the corpus folder
  std::string kind;  // "model", "fragment", "tiny", "optest"
  bool ran = false;  // the runtime took it; else there are no values
  InputOptions inputs;
  std::vector<TrueValue> values;  // dense tensors only
  // Bytes of the block that the runtime allocates for the main graph's pattern,
  // its graph optimisation off; unset: none, or not measured.
  std::optional<int64_t> block;
};

// Reads a line of truth_*.jsonl. The format is the corpus's own; a line that
// does not keep to it ends the program.
TruthRow ParseTruthRow(std::string_view line);

}  // namespace memplan

#endif  // MEMPLAN_TESTS_CORPUS_TRUTH_H_
