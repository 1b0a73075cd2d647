#include "onnx_frontend/read_model.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "onnx/onnx_pb.h"
#include "onnx_frontend/mapped_file.h"
#include "onnx_frontend/skeleton.h"
#include "onnx_frontend/text_model.h"
#include "onnx_frontend/wire_walk.h"
#include "planner/strings.h"

namespace memplan {
namespace {

// What people hand over by mistake: bytes at an offset, and what to say.
struct Hint {
  size_t offset;
  std::string_view bytes;
  std::string_view text;
};
constexpr Hint kHints[] = {
    {0, "version https://git-lfs", "a Git LFS pointer; run: git lfs pull"},
    {0, "PK\x03\x04", "a zip archive (PyTorch? export it to ONNX first)"},
    {4, "ORTM", "ONNX Runtime's own format; give the .onnx it came from"},
    {4, "TFL3", "a TensorFlow Lite model; convert it to ONNX first"},
    {0, "\x89HDF", "an HDF5 file (Keras? export it to ONNX first)"},
    {0, "\x1f\x8b", "compressed; run gunzip first"},
    {0, "<!DOCTYPE", "a web page, not what the link was meant to give"},
    {0, "<html", "a web page, not what the link was meant to give"},
};

absl::Status Error(const std::string& name, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", AsAbsl(what)));
}

// The error for bytes that are no model, with a guess at what they are.
absl::Status NoModel(std::string_view bytes, const std::string& name,
                     std::string_view why) {
  for (const Hint& hint : kHints) {
    if (bytes.size() > hint.offset &&
        bytes.substr(hint.offset, hint.bytes.size()) == hint.bytes) {
      return Error(name,
                   absl::StrCat("not an ONNX model, but ", AsAbsl(hint.text)));
    }
  }
  return Error(name,
               absl::StrCat("not an ONNX model, or damaged: ", AsAbsl(why)));
}

absl::StatusOr<std::shared_ptr<const onnx::ModelProto>> ParseSkeleton(
    const std::string& bytes) {
  if (bytes.size() > INT32_MAX) {
    return absl::InvalidArgumentError(
        "more than 2 GiB are left without the weights");
  }
  google::protobuf::io::ArrayInputStream array(bytes.data(),
                                               static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream stream(&array);
  stream.SetTotalBytesLimit(INT32_MAX);
  // The walk has bounded the depth; groups inside may come on top.
  stream.SetRecursionLimit(2 * kMaxWireDepth + 10);
  auto model = std::make_shared<onnx::ModelProto>();
  if (!model->ParsePartialFromCodedStream(&stream) ||
      !stream.ConsumedEntireMessage()) {
    return absl::InvalidArgumentError("protobuf cannot read its structure");
  }
  return model;
}

absl::StatusOr<Model> ReadText(std::string_view bytes, Model model) {
  auto proto = ParseTextModel(bytes);
  if (!proto.ok()) return Error(model.path, AsStd(proto.status().message()));
  model.proto = *std::move(proto);
  model.is_text = true;
  for (const auto& entry : model.proto->metadata_props()) {
    if (entry.key() == kPatternKey) {
      model.embedded_records.push_back(entry.value());
    }
  }
  return model;
}

absl::StatusOr<Model> ReadBinary(std::string_view bytes, Model model) {
  absl::StatusOr<Skeleton> skeleton = CutWeights(bytes);
  if (!skeleton.ok()) {
    if (!absl::IsInvalidArgument(skeleton.status())) return skeleton.status();
    return NoModel(bytes, model.path, AsStd(skeleton.status().message()));
  }
  if (!skeleton->has_graph) {
    return NoModel(bytes, model.path, "it has no graph");
  }
  auto proto = ParseSkeleton(skeleton->bytes);
  if (!proto.ok()) {
    return NoModel(bytes, model.path, AsStd(proto.status().message()));
  }
  model.proto = *std::move(proto);
  model.embedded_records = std::move(skeleton->records);
  model.left_out = std::move(skeleton->left_out);
  model.external_data = std::move(skeleton->external_data);
  return model;
}

}  // namespace

absl::StatusOr<Model> ReadModelFromBytes(std::string_view bytes,
                                         const std::string& name) {
  Model model;
  model.path = name;
  model.file_bytes = static_cast<int64_t>(bytes.size());
  if (bytes.empty()) return Error(name, "the file is empty");
  if (absl::EndsWith(name, ".onnxtxt")) {
    return ReadText(bytes, std::move(model));
  }
  if (LooksLikeTextModel(bytes)) {
    absl::StatusOr<Model> read = ReadText(bytes, std::move(model));
    if (read.ok()) return read;
    return NoModel(bytes, name, AsStd(read.status().message()));
  }
  return ReadBinary(bytes, std::move(model));
}

absl::StatusOr<Model> ReadModel(const std::string& path) {
  absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return file.status();
  absl::StatusOr<Model> model = ReadModelFromBytes(
      file->bytes(), path == "-" ? std::string("stdin") : path);
  if (model.ok()) model->path = path;
  return model;
}

}  // namespace memplan
