#include "onnx_frontend/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx_frontend/mapped_file.h"

namespace memplan {
namespace {

// The file that a link leads to; the path itself where there is none.
std::string ResolveLinks(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

bool WriteAllAt(int fd, std::string_view bytes, int64_t offset) {
  while (!bytes.empty()) {
    const ssize_t wrote = pwrite(fd, bytes.data(), bytes.size(), offset);
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) {
      bytes.remove_prefix(static_cast<size_t>(wrote));
      offset += wrote;
    }
  }
  return true;
}

absl::StatusOr<AtomicFile> AtomicFile::Create(const std::string& path,
                                              unsigned mode) {
  AtomicFile file;
  if (path == "-") {
    file.path_ = "stdout";
    file.fd_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file.fd_ < 0) return SystemError(errno, file.path_);
    return file;
  }
  file.path_ = ResolveLinks(path);
  struct stat info;
  file.replaces_ = stat(file.path_.c_str(), &info) == 0;
  if (file.replaces_ && S_ISDIR(info.st_mode)) {
    return SystemError(EISDIR, path);
  }
  if (file.replaces_ && !S_ISREG(info.st_mode)) {
    file.fd_ = open(file.path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.fd_ < 0) return SystemError(errno, path);
    return file;
  }
  if (file.replaces_ && access(file.path_.c_str(), W_OK) != 0) {
    return SystemError(errno, path);  // read-only is meant so
  }
  for (int i = 0; file.fd_ < 0; ++i) {
    file.temporary_ = absl::StrCat(file.path_, ".memplan-", getpid(), "-", i);
    file.fd_ = open(file.temporary_.c_str(),
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    if (file.fd_ < 0 && (errno != EEXIST || i == 100)) {
      file.temporary_.clear();
      return SystemError(errno, path);
    }
  }
  if (file.replaces_ && fchmod(file.fd_, info.st_mode & 0777) != 0) {
    return SystemError(errno, path);
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      fd_(std::exchange(other.fd_, -1)),
      replaces_(other.replaces_) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status AtomicFile::Append(std::string_view bytes) {
  if (WriteAll(fd_, bytes)) return absl::OkStatus();
  return SystemError(errno, path_);
}

absl::Status AtomicFile::AppendFrom(int fd, ByteRange range) {
  loff_t from = range.begin;
  while (from < range.end) {
    const auto left = static_cast<size_t>(range.end - from);
    const ssize_t copied = copy_file_range(fd, &from, fd_, nullptr,
                                           std::min<size_t>(left, INT_MAX), 0);
    if (copied < 0 && errno == EINTR) continue;
    // Other file systems, pipes, old kernels, files of /proc.
    if (copied <= 0) return CopyByHand(fd, {from, range.end});
  }
  return absl::OkStatus();
}

absl::Status AtomicFile::CopyByHand(int fd, ByteRange range) {
  constexpr int64_t kChunk = 1 << 20;
  std::string buffer(static_cast<size_t>(kChunk), '\0');
  while (range.begin < range.end) {
    const auto want =
        static_cast<size_t>(std::min(kChunk, range.end - range.begin));
    const ssize_t got = pread(fd, buffer.data(), want, range.begin);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(errno, path_);
    if (got == 0) {
      return absl::UnavailableError("the model changed while it was copied");
    }
    const std::string_view bytes(buffer.data(), static_cast<size_t>(got));
    if (absl::Status status = Append(bytes); !status.ok()) return status;
    range.begin += got;
  }
  return absl::OkStatus();
}

absl::Status AtomicFile::Commit() {
  if (temporary_.empty()) {
    if (close(std::exchange(fd_, -1)) != 0) return SystemError(errno, path_);
    return absl::OkStatus();
  }
  if (replaces_ && fsync(fd_) != 0) return SystemError(errno, path_);
  if (close(std::exchange(fd_, -1)) != 0) return SystemError(errno, path_);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    return SystemError(errno, path_);
  }
  temporary_.clear();
  if (!replaces_) return absl::OkStatus();
  // The rename itself; a file system that cannot tell is none to complain of.
  const int folder = open(FolderOf(path_).c_str(), O_RDONLY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder);
    close(folder);
  }
  return absl::OkStatus();
}

}  // namespace memplan
