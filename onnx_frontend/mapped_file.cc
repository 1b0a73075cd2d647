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

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path,
                                            Access access) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "stdin" : path;
  const int mode = access == Access::kRead ? O_RDONLY : O_RDWR;
  MappedFile file;
  file.fd_ = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                      : open(path.c_str(), mode | O_CLOEXEC);
  if (file.fd_ < 0) return SystemError(errno, name);
  struct stat info;
  if (fstat(file.fd_, &info) != 0) return SystemError(errno, name);
  if (S_ISDIR(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat(name, ": is a folder; give the .onnx file that is in it"));
  }
  if ((S_ISCHR(info.st_mode) && !is_stdin) || S_ISBLK(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat(name, ": is a device, not a model file"));
  }
  const bool from_start = !is_stdin || lseek(file.fd_, 0, SEEK_CUR) == 0;
  if (S_ISREG(info.st_mode) && from_start && info.st_size > 0) {
    if (!file.Map(static_cast<size_t>(info.st_size))) {
      return SystemError(errno, name);
    }
    return file;
  }
  // Also files of no known size, such as those of /proc.
  absl::StatusOr<std::string> read = ReadToEnd(file.fd_, name);
  if (!read.ok()) return read.status();
  close(std::exchange(file.fd_, -1));
  file.read_ = *std::move(read);
  file.bytes_ = file.read_;
  return file;
}

bool MappedFile::Map(size_t size) {
  void* mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd_, 0);
  if (mapping == MAP_FAILED) return false;
  mapping_ = mapping;
  mapped_ = size;
  bytes_ = std::string_view(static_cast<const char*>(mapping), size);
  // A walk jumps from header to header: reading ahead would read the weights.
  madvise(mapping, size, MADV_RANDOM);
  return true;
}

void MappedFile::Unmap() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
  mapping_ = nullptr;
  bytes_ = {};
}

MappedFile::MappedFile(MappedFile&& other) noexcept {
  *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  Unmap();
  if (fd_ >= 0) close(fd_);
  mapping_ = std::exchange(other.mapping_, nullptr);
  mapped_ = std::exchange(other.mapped_, 0);
  fd_ = std::exchange(other.fd_, -1);
  read_ = std::move(other.read_);
  bytes_ = mapping_ != nullptr
               ? std::string_view(static_cast<const char*>(mapping_), mapped_)
               : std::string_view(read_);
  other.bytes_ = {};
  return *this;
}

MappedFile::~MappedFile() {
  Unmap();
  if (fd_ >= 0) close(fd_);
}

}  // namespace memplan
