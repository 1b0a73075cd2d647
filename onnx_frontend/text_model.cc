#include "onnx_frontend/text_model.h"

#include <cctype>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "onnx/defs/parser.h"
#include "onnx/onnx_pb.h"

namespace memplan {
namespace {

// The library's parser recurses for each bracket.
constexpr int kMaxBrackets = 200;

absl::Status CheckBrackets(std::string_view text) {
  int depth = 0;
  int line = 1;
  bool in_string = false;
  bool in_comment = false;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '\0') {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", line, ": a zero byte in a text model"));
    }
    if (in_comment) {
      in_comment = c != '\n';
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      in_comment = c == '#';
      if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
      if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
    }
    if (depth > kMaxBrackets) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", line, ": brackets nest too deep"));
    }
  }
  if (in_string) {
    return absl::InvalidArgumentError("a string without its closing quote");
  }
  return absl::OkStatus();
}

}  // namespace

bool LooksLikeTextModel(std::string_view bytes) {
  bool in_comment = false;
  for (const char c : bytes) {
    if (in_comment) {
      in_comment = c != '\n';
    } else if (c == '#') {
      in_comment = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      return c == '<';
    }
  }
  return false;
}

absl::StatusOr<std::shared_ptr<const onnx::ModelProto>> ParseTextModel(
    std::string_view text) {
  if (text.size() > kMaxTextModel) {
    return absl::InvalidArgumentError(
        absl::StrCat("a text model of ", text.size(), " bytes; at most ",
                     kMaxTextModel >> 20, " MiB are read"));
  }
  if (absl::Status status = CheckBrackets(text); !status.ok()) return status;
  auto model = std::make_shared<onnx::ModelProto>();
  std::string message;
  try {
    const std::string copy(text);
    onnx::OnnxParser parser(copy.c_str());
    const auto status = parser.Parse(*model);
    if (status.IsOK() && parser.EndOfInput()) return model;
    message =
        status.IsOK() ? "text after the model's end" : status.ErrorMessage();
  } catch (const std::exception& error) {  // numbers out of range
    message = error.what();
  }
  return absl::InvalidArgumentError(absl::StrCat("text model: ", message));
}

}  // namespace memplan
