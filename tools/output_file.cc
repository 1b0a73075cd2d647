#include "tools/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace memplan {
namespace {

absl::Status SystemError(const std::string& path, const char* doing) {
  return absl::UnavailableError(
      absl::StrCat("cannot ", doing, " '", path, "': ", std::strerror(errno)));
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

absl::Status WriteInto(const std::string& path, std::string_view bytes) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError(path, "open");
  if (!WriteAll(file.get(), bytes)) return SystemError(path, "write");
  return absl::OkStatus();
}

// Where the bytes of `path` really are: renaming over a link would replace the
// link.
std::string FollowLinks(const std::string& path) {
  char* const resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  free(resolved);
  return result;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

mode_t NewFileMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Fills the temporary file and gives it its final name.
absl::Status FillAndRename(int fd, const std::string& temporary,
                           const std::string& path, std::string_view bytes,
                           mode_t mode) {
  if (!WriteAll(fd, bytes) || fsync(fd) != 0) return SystemError(path, "write");
  if (fchmod(fd, mode) != 0 || rename(temporary.c_str(), path.c_str()) != 0) {
    return SystemError(path, "replace");
  }
  const Descriptor folder(
      open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a folder; the file itself is safe by then.
  if (folder.get() >= 0) (void)fsync(folder.get());
  return absl::OkStatus();
}

absl::Status ReplaceFile(const std::string& path, std::string_view bytes,
                         mode_t mode) {
  std::string temporary = absl::StrCat(path, ".XXXXXX");
  const Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return SystemError(path, "write");
  absl::Status status = FillAndRename(file.get(), temporary, path, bytes, mode);
  if (!status.ok()) unlink(temporary.c_str());
  return status;
}

}  // namespace

absl::Status WriteOutput(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    if (WriteAll(STDOUT_FILENO, bytes)) return absl::OkStatus();
    return SystemError("standard output", "write");
  }
  const std::string target = FollowLinks(path);
  struct stat info;
  if (stat(target.c_str(), &info) != 0) {
    return ReplaceFile(target, bytes, NewFileMode());
  }
  if (!S_ISREG(info.st_mode)) return WriteInto(target, bytes);
  return ReplaceFile(target, bytes, info.st_mode & 07777);
}

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  const Descriptor file(path == "-" ? dup(STDIN_FILENO)
                                    : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError(path, "open");
  std::string bytes;
  char chunk[65536];
  while (true) {
    const ssize_t got = read(file.get(), chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(path, "read");
    if (got == 0) return bytes;
    bytes.append(chunk, static_cast<size_t>(got));
  }
}

}  // namespace memplan
