// Embeds a plan into every model of the corpus, checks it, and takes it out
// again: the file must be the original, byte for byte.
//
//   strip_embedded [PART_OF_A_PATH...]
//
// Each model also with metadata of others behind it, written to a copy and in
// place, once and once again over the earlier plan.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "onnx_frontend/check_plan.h"
#include "onnx_frontend/embed.h"
#include "onnx_frontend/fingerprint.h"
#include "onnx_frontend/plan_model.h"
#include "onnx_frontend/read_model.h"
#include "onnx_frontend/wire_walk.h"
#include "planner/pattern_record.h"
#include "tests/corpus/fork_pool.h"
#include "tests/corpus/truth.h"
#include "tests/test_paths.h"

namespace memplan {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeconds = 120;  // for one model, sanitizers included
constexpr int kSkip = 77;           // ctest's code for "not run"

struct Corpus {
  std::string folder;
  std::vector<std::string> paths;  // below the folder
  std::map<std::string, InputOptions> inputs;
};

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Two entries of one key, which the checker refuses but we do not mind.
std::string OthersMetadata() {
  std::string entry;
  AppendBytesHeader(1, 6, entry);
  entry += "author";
  AppendBytesHeader(2, 4, entry);
  entry += "they";
  std::string field;
  AppendBytesHeader(14, entry.size(), field);
  return field + entry + field + entry;
}

PlanOptions With(const InputOptions& inputs) {
  PlanOptions options;
  options.inputs = inputs;
  options.solve.solver = "greedy";
  return options;
}

absl::StatusOr<std::string> RecordOf(const Model& model, const Plan& plan) {
  PatternRecord record;
  record.fingerprint = FingerprintModel(model);
  AddPattern(plan.pattern, record);
  return EncodeRecord(record);
}

// What went wrong in a round trip of `original`, "" for nothing.
std::string RoundTrip(const std::string& folder, const std::string& original,
                      std::string_view record) {
  const std::string in = folder + "/in.onnx";
  const std::string out = folder + "/out.onnx";
  Write(in, original);
  for (const char* time : {"", " the second time"}) {
    if (!EmbedRecord(fs::exists(out) ? out : in, out, record).ok() ||
        !EmbedInPlace(in, record).ok()) {
      return absl::StrCat("cannot be embedded", time);
    }
    if (Read(in) != Read(out)) {
      return absl::StrCat("in place gives other bytes", time);
    }
    if (Read(out).compare(0, original.size(), original) != 0) {
      return absl::StrCat("bytes of the model changed", time);
    }
  }
  if (!StripRecord(out, out).ok() || Read(out) != original) {
    return "strip -o does not give the original";
  }
  if (!StripInPlace(in).ok() || Read(in) != original) {
    return "strip --in-place does not give the original";
  }
  fs::remove(out);
  return "";
}

// A way to plan, of which the record says nothing and the check must find out.
struct Way {
  const char* name;
  void (*choose)(PlanOptions&);
};
constexpr Way kWays[] = {
    {"nothing said", [](PlanOptions&) {}},
    {"--in-place off",
     [](PlanOptions& o) { o.storage.in_place = InPlaceMode::kOff; }},
    {"--in-place views",
     [](PlanOptions& o) { o.storage.in_place = InPlaceMode::kViews; }},
    {"--in-place aggressive",
     [](PlanOptions& o) { o.storage.in_place = InPlaceMode::kAggressive; }},
    {"--in-place aggressive --alignment 1",
     [](PlanOptions& o) {
       o.storage.in_place = InPlaceMode::kAggressive;
       o.alignment = o.storage.alignment = 1;
     }},
    {"--place inputs", [](PlanOptions& o) { o.storage.place_inputs = true; }},
    {"--place outputs --alignment 4096",
     [](PlanOptions& o) {
       o.storage.place_outputs = true;
       o.alignment = o.storage.alignment = 4096;
     }},
    {"--place inputs --place outputs --in-place off",
     [](PlanOptions& o) {
       o.storage.place_inputs = o.storage.place_outputs = true;
       o.storage.in_place = InPlaceMode::kOff;
     }},
    {"--order onnxruntime",
     [](PlanOptions& o) { o.order = OrderKind::kOnnxRuntime; }},
    {"--runtime onnxruntime",
     [](PlanOptions& o) { o.runtime = RuntimeKind::kOnnxRuntime; }},
    {"--order memory", [](PlanOptions& o) { o.order = OrderKind::kMemory; }},
    {"--order memory --in-place off",
     [](PlanOptions& o) {
       o.order = OrderKind::kMemory;
       o.storage.in_place = InPlaceMode::kOff;
     }},
    {"--order memory --in-place views",
     [](PlanOptions& o) {
       o.order = OrderKind::kMemory;
       o.storage.in_place = InPlaceMode::kViews;
     }},
    {"--order memory --in-place aggressive",
     [](PlanOptions& o) {
       o.order = OrderKind::kMemory;
       o.storage.in_place = InPlaceMode::kAggressive;
     }},
};

std::string CheckPlanOf(const Model& model, const PlanOptions& options) {
  const absl::StatusOr<Plan> plan = PlanModel(model, options);
  if (!plan.ok()) return std::string(plan.status().message());
  const absl::StatusOr<std::string> record = RecordOf(model, *plan);
  if (!record.ok()) return std::string(record.status().message());
  const absl::StatusOr<CheckResult> result =
      CheckRecord(model, *record, options.inputs);
  if (!result.ok()) return std::string(result.status().message());
  return result->findings.empty() ? "" : result->findings[0];
}

// What the check wrongly finds.
std::string CheckEachWay(const Model& model, const InputOptions& inputs) {
  for (const Way& way : kWays) {
    PlanOptions options = With(inputs);
    way.choose(options);
    const std::string wrong = CheckPlanOf(model, options);
    if (!wrong.empty()) return absl::StrCat("check, ", way.name, ": ", wrong);
  }
  return "";
}

// "planned", "embedded" or "no model", or what went wrong. What cannot be
// planned gets a record without meaning: that must not matter to the file.
std::string Try(const Corpus& corpus, const std::string& path,
                const std::string& folder) {
  const std::string original = Read(corpus.folder + "/" + path);
  const absl::StatusOr<Model> model = ReadModelFromBytes(original, path);
  if (!model.ok()) return "no model";
  const auto row = corpus.inputs.find(path);
  const InputOptions inputs =
      row == corpus.inputs.end() ? InputOptions() : row->second;
  const absl::StatusOr<Plan> plan = PlanModel(*model, With(inputs));
  const absl::StatusOr<std::string> record =
      plan.ok() ? RecordOf(*model, *plan) : std::string(1000, 'r');
  if (!record.ok()) return std::string(record.status().message());
  fs::create_directories(folder);
  std::string wrong = RoundTrip(folder, original, *record);
  if (wrong.empty()) {
    wrong = RoundTrip(folder, original + OthersMetadata(), *record);
  }
  fs::remove_all(folder);
  if (wrong.empty() && plan.ok()) wrong = CheckEachWay(*model, inputs);
  if (!wrong.empty()) return wrong;
  return plan.ok() ? "planned" : "embedded";
}

Corpus FindCorpus(const std::vector<std::string>& parts) {
  Corpus corpus;
  corpus.folder = SharedDir() + "/corpus";
  std::error_code error;
  for (const auto& entry :
       fs::recursive_directory_iterator(corpus.folder, error)) {
    if (entry.path().extension() != ".onnx") continue;
    const std::string path = fs::relative(entry.path(), corpus.folder);
    const auto is_in = [&](const std::string& part) {
      return path.find(part) != std::string::npos;
    };
    if (parts.empty() || std::any_of(parts.begin(), parts.end(), is_in)) {
      corpus.paths.push_back(path);
    }
  }
  std::sort(corpus.paths.begin(), corpus.paths.end());
  std::ifstream truth(corpus.folder + "/truth_handed.jsonl");
  for (std::string line; std::getline(truth, line);) {
    TruthRow row = ParseTruthRow(line);
    corpus.inputs[row.path] = std::move(row.inputs);
  }
  return corpus;
}

int Run(const std::vector<std::string>& parts) {
  const Corpus corpus = FindCorpus(parts);
  if (corpus.paths.empty()) {
    std::cout << "no corpus at " << corpus.folder
              << "; MEMPLAN_SHARED names the folder that holds it\n";
    return kSkip;
  }
  const fs::path folder =
      fs::temp_directory_path() / absl::StrCat("strip_embedded-", getpid());
  std::map<std::string, int> counts;
  int failed = 0;
  RunForked(
      corpus.paths.size(), std::max(1u, std::thread::hardware_concurrency()),
      kSeconds,
      [&](size_t i) {
        return Try(corpus, corpus.paths[i], folder / absl::StrCat(i));
      },
      [&](size_t i, const TaskResult& task) {
        const std::string& said = task.output;
        if (said == "planned" || said == "embedded" || said == "no model") {
          ++counts[said];
          return;
        }
        ++failed;
        std::cout << corpus.paths[i] << ": " << said << task.failure << "\n";
      });
  fs::remove_all(folder);
  std::cout << corpus.paths.size() << " files: " << counts["planned"]
            << " planned, embedded, checked and stripped; "
            << counts["embedded"] << " not planned, but embedded and stripped; "
            << counts["no model"] << " no models; " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace memplan

int main(int argc, char** argv) {
  return memplan::Run({argv + 1, argv + argc});
}
