#include "onnx_frontend/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "planner/strings.h"

namespace memplan {
namespace {

absl::StatusOr<std::string> ReadToEnd(int fd, const std::string& path) {
  std::string bytes;
  constexpr size_t kChunk = 1 << 20;
  for (;;) {
    const size_t size = bytes.size();
    if (size > MappedFile::kMaxPipeBytes) {
      return absl::UnavailableError(absl::StrCat(
          path, ": more than 4 GiB from a pipe; give the file's name"));
    }
    bytes.resize(size + kChunk);
    const ssize_t got = read(fd, bytes.data() + size, kChunk);
    if (got < 0 && errno == EINTR) {
      bytes.resize(size);
      continue;
    }
    if (got < 0) return SystemError(errno, path);
    bytes.resize(size + static_cast<size_t>(got));
    if (got == 0) return bytes;
  }
}

}  // namespace

absl::Status SystemError(int error_number, std::string_view path) {
  const std::string message =
      absl::StrCat(AsAbsl(path), ": ", std::strerror(error_number));
  if (error_number == ENOENT || error_number == ENOTDIR) {
    return absl::NotFoundError(message);
  }
  if (error_number == EACCES || error_number == EPERM) {
    return absl::PermissionDeniedError(message);
  }
  return absl::UnavailableError(message);
}

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "stdin" : path;
  const int fd =
      is_stdin ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError(errno, name);
  const auto close_fd = absl::MakeCleanup([&] {
    if (!is_stdin) close(fd);
  });
  struct stat info;
  if (fstat(fd, &info) != 0) return SystemError(errno, name);
  if (S_ISDIR(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat(name, ": is a folder; give the .onnx file that is in it"));
  }
  if ((S_ISCHR(info.st_mode) && !is_stdin) || S_ISBLK(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat(name, ": is a device, not a model file"));
  }
  MappedFile file;
  const bool from_start = !is_stdin || lseek(fd, 0, SEEK_CUR) == 0;
  if (S_ISREG(info.st_mode) && from_start && info.st_size > 0) {
    absl::Status status = file.Map(fd, static_cast<size_t>(info.st_size));
    if (!status.ok()) return SystemError(errno, name);
    return file;
  }
  // Also files of no known size, such as those of /proc.
  absl::StatusOr<std::string> read = ReadToEnd(fd, name);
  if (!read.ok()) return read.status();
  file.read_ = *std::move(read);
  file.bytes_ = file.read_;
  return file;
}

absl::Status MappedFile::Map(int fd, size_t size) {
  void* mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (mapping == MAP_FAILED) return absl::UnavailableError("mmap");
  mapping_ = mapping;
  mapped_ = size;
  bytes_ = std::string_view(static_cast<const char*>(mapping), size);
  // A walk jumps from header to header: reading ahead would read the weights.
  madvise(mapping, size, MADV_RANDOM);
  return absl::OkStatus();
}

MappedFile::MappedFile(MappedFile&& other) noexcept {
  *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
  mapping_ = std::exchange(other.mapping_, nullptr);
  mapped_ = std::exchange(other.mapped_, 0);
  read_ = std::move(other.read_);
  bytes_ = mapping_ != nullptr
               ? std::string_view(static_cast<const char*>(mapping_), mapped_)
               : std::string_view(read_);
  other.bytes_ = {};
  return *this;
}

MappedFile::~MappedFile() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

}  // namespace memplan
