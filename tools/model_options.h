#ifndef MEMPLAN_TOOLS_MODEL_OPTIONS_H_
#define MEMPLAN_TOOLS_MODEL_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx_frontend/plan_model.h"

namespace CLI {
class App;
}

namespace memplan {

// What the user wrote about a model and how to plan it, word for word.
struct ModelOptions {
  std::string model;
  std::vector<std::string> dims;
  std::vector<std::string> input_shapes;
  std::vector<std::string> input_shape_lists;
  std::vector<std::string> input_values;
  std::vector<std::string> bounds;
  bool strict = false;
  std::vector<std::string> place;
  std::string order = "file";
  std::string runtime = "generic";
  std::string in_place = "safe";
  int64_t alignment = 64;
};

// How hard to search, and within which limit.
struct SearchOptions {
  std::string solver = "auto";
  std::string capacity;
  std::optional<int64_t> effort;
  std::optional<double> time_limit;
  int threads = 1;
};

// The positional argument MODEL.
void AddModelArgument(CLI::App& command, std::string& model);
// MODEL, and what is said about its inputs.
void AddModelOptions(CLI::App& command, ModelOptions& options);
// How to plan it.
void AddPlanOptions(CLI::App& command, ModelOptions& options,
                    bool& require_complete);
void AddSearchOptions(CLI::App& command, SearchOptions& options);
// A file to write to, or read from.
void AddFileOption(CLI::App& command, const std::string& names,
                   std::string& file, const std::string& help);

// What PlanModel takes. Errors: UsageError, where a text has another form than
// expected, or two contradict each other.
absl::StatusOr<PlanOptions> ToPlanOptions(const ModelOptions& model,
                                          const SearchOptions& search);
absl::StatusOr<SolveOptions> ToSolveOptions(const SearchOptions& search);

// Two spellings that the parser cannot tell apart by itself:
// - several shapes behind one option (--overwrite-input-shape a:1,3 b:2,2):
//   gives each its own option, so that a file name behind them stays one;
// - `embed --in-place` without a mode of sharing means the file: --same-file.
std::vector<std::string> NormalizeArguments(
    const std::vector<std::string>& arguments);

}  // namespace memplan

#endif  // MEMPLAN_TOOLS_MODEL_OPTIONS_H_
