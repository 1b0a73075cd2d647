#include "tools/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/atomic_file.h"
#include "onnx_frontend/mapped_file.h"

namespace memplan {
namespace {

constexpr unsigned kNewFileMode = 0666;
// Bytes: far more than any problem or model of a pipe, far less than /dev/zero.
constexpr size_t kMaxInput = size_t{2} << 30;

absl::StatusOr<std::string> ReadToEnd(int fd, const std::string& name) {
  std::string bytes;
  char chunk[65536];
  while (true) {
    const ssize_t got = read(fd, chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(errno, name);
    if (got == 0) return bytes;
    if (bytes.size() + static_cast<size_t>(got) > kMaxInput) {
      return absl::UnavailableError(
          absl::StrCat(name, ": more than 2 GiB; is this the right input?"));
    }
    bytes.append(chunk, static_cast<size_t>(got));
  }
}

}  // namespace

absl::Status WriteOutput(const std::string& path, std::string_view bytes) {
  absl::StatusOr<AtomicFile> file = AtomicFile::Create(path, kNewFileMode);
  if (!file.ok()) return file.status();
  absl::Status status = file->Append(bytes);
  return status.ok() ? file->Commit() : status;
}

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "standard input" : path;
  const int fd =
      is_stdin ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError(errno, name);
  absl::StatusOr<std::string> bytes = ReadToEnd(fd, name);
  if (!is_stdin) close(fd);
  return bytes;
}

}  // namespace memplan
