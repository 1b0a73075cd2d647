#ifndef MEMPLAN_ONNX_FRONTEND_MAPPED_FILE_H_
#define MEMPLAN_ONNX_FRONTEND_MAPPED_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace memplan {

// A file's bytes, read-only. Regular files are mapped, so that only what is
// looked at is read; pipes are read to their end, up to kMaxPipeBytes. Whoever
// shortens a file while it is mapped kills us: no system call tells in time.
class MappedFile {
 public:
  static constexpr size_t kMaxPipeBytes = size_t{4} << 30;

  enum class Access { kRead, kReadWrite };

  // "-" is stdin. Errors: NotFound, PermissionDenied; Unavailable for all else
  // that the system says, and for folders and devices.
  static absl::StatusOr<MappedFile> Open(const std::string& path,
                                         Access access = Access::kRead);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return bytes_; }
  // The open file that is mapped; -1 where there is no mapping.
  int fd() const { return fd_; }
  // Gives up the mapping, before the file is made shorter; bytes() is empty
  // then.
  void Unmap();

 private:
  bool Map(size_t size);

  std::string_view bytes_;  // the mapping, or read_
  void* mapping_ = nullptr;
  size_t mapped_ = 0;
  int fd_ = -1;  // owned
  std::string read_;
};

// The error for a system call that failed: "model.onnx: No such file or
// directory". NotFound, PermissionDenied, else Unavailable.
absl::Status SystemError(int error_number, std::string_view path);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_MAPPED_FILE_H_
