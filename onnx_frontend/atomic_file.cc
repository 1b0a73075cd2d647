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
absl::StatusOr<std::string> ResolveLinks(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) {
    struct stat info;
    if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
    return absl::UnavailableError(
        absl::StrCat(path, ": is a link that leads nowhere"));
  }
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
  absl::StatusOr<std::string> resolved = ResolveLinks(path);
  if (!resolved.ok()) return resolved.status();
  file.path_ = *std::move(resolved);
  struct stat info;
  file.replaces_ = stat(file.path_.c_str(), &info) == 0;
  if (file.replaces_ && S_ISDIR(info.st_mode)) {
    return SystemError(EISDIR, path);
  }
  if (file.replaces_ && !S_ISREG(info.st_mode)) {
    file.replaces_ = false;
    file.fd_ = open(file.path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.fd_ < 0) return SystemError(errno, path);
    return file;
  }
  if (file.replaces_ && access(file.path_.c_str(), W_OK) != 0) {
    return SystemError(errno, path);  // read-only is meant so
  }
  if (!file.OpenUnnamed(mode) && !file.OpenTemporary(mode)) {
    return SystemError(errno, path);
  }
  if (file.replaces_ && fchmod(file.fd_, info.st_mode & 0777) != 0) {
    return SystemError(errno, path);
  }
  return file;
}

// A file without a name vanishes with its last descriptor, however the program
// ends. Not every file system has them, and naming them takes /proc.
bool AtomicFile::OpenUnnamed(unsigned mode) {
  if (access("/proc/self/fd", X_OK) != 0) return false;
  fd_ = open(FolderOf(path_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC,
             mode & 0777);
  is_unnamed_ = fd_ >= 0;
  return is_unnamed_;
}

// Calls `make` with one name after the other beside the file's final place,
// until there is none of that name yet.
template <typename Make>
bool AtomicFile::MakeTemporary(const Make& make) {
  for (int i = 0; i < 100; ++i) {
    temporary_ = absl::StrCat(path_, ".memplan-", getpid(), "-", i);
    if (make(temporary_.c_str())) return true;
    if (errno != EEXIST) break;
  }
  temporary_.clear();
  return false;
}

bool AtomicFile::OpenTemporary(unsigned mode) {
  return MakeTemporary([&](const char* name) {
    fd_ = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    return fd_ >= 0;
  });
}

// Only a rename replaces a file, and only what has a name can be renamed.
bool AtomicFile::NameUnnamed() {
  const std::string self = absl::StrCat("/proc/self/fd/", fd_);
  const auto link = [&](const char* name) {
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) ==
           0;
  };
  return (!replaces_ && link(path_.c_str())) || MakeTemporary(link);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      fd_(std::exchange(other.fd_, -1)),
      is_unnamed_(other.is_unnamed_),
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
  const int64_t chunk = std::min<int64_t>(1 << 20, range.end - range.begin);
  std::string buffer(static_cast<size_t>(chunk), '\0');
  while (range.begin < range.end) {
    const auto want =
        static_cast<size_t>(std::min(chunk, range.end - range.begin));
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
  if (replaces_ && fsync(fd_) != 0) return SystemError(errno, path_);
  if (is_unnamed_ && !NameUnnamed()) return SystemError(errno, path_);
  if (close(std::exchange(fd_, -1)) != 0) return SystemError(errno, path_);
  if (temporary_.empty()) return absl::OkStatus();
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
