#ifndef MEMPLAN_TOOLS_INPUT_SPECS_H_
#define MEMPLAN_TOOLS_INPUT_SPECS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace memplan {

// How users write shapes, dimensions and values on the command line, here and
// in the tools that they know: onnxsim, trtexec, ONNX Runtime's perf test,
// OpenVINO. Every error is a UsageError that says what was expected.

struct NamedShape {
  std::string name;  // "" stands for the only input
  // Numbers, "-1" (left to the model) or names of symbols.
  std::vector<std::string> dims;

  friend bool operator==(const NamedShape&, const NamedShape&) = default;
};

struct NamedNumbers {
  std::string name;
  std::vector<int64_t> numbers;

  friend bool operator==(const NamedNumbers&, const NamedNumbers&) = default;
};

struct NamedContent {
  std::string name;
  std::vector<std::string> elements;  // "-1", "0.5", "true"

  friend bool operator==(const NamedContent&, const NamedContent&) = default;
};

using NamedNumber = std::pair<std::string, int64_t>;

// "NAME:1,3,224,224", "NAME:[1,3,224,224]", "NAME:1x3x224x224", and each shape
// without a name. A name may hold colons: the last one splits. "[]" is a
// scalar.
absl::StatusOr<NamedShape> ParseInputShape(std::string_view text);

// Several of the above: "a:1x3,b:2x2", "a:1,3;b:2,2", "a:[1,3] b:[2,2]".
absl::StatusOr<std::vector<NamedShape>> ParseInputShapes(std::string_view text);

// "batch=8", "batch:8"; split at the last one.
absl::StatusOr<NamedNumber> ParseDim(std::string_view text);

// "NAME:1,-1,8", "NAME:[1,-1,8]", "NAME:1x2", "scales:1,1,0.5", "flag:true".
// What an element may be, the input's type decides.
absl::StatusOr<NamedContent> ParseInputValue(std::string_view text);

// "TENSOR=2,64", "TENSOR=2x64", "TENSOR=[2,64]".
absl::StatusOr<NamedNumbers> ParseBound(std::string_view text);

// "4096", "512KiB", "1.5M", "2GB": bytes. K, M, G (with or without iB) are
// powers of 1024; kB, MB, GB of 1000.
absl::StatusOr<int64_t> ParseBytes(std::string_view text);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_INPUT_SPECS_H_
