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

  // "-" is stdin. Errors: NotFound, PermissionDenied; Unavailable for all else
  // that the system says, and for folders and devices.
  static absl::StatusOr<MappedFile> Open(const std::string& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return bytes_; }

 private:
  absl::Status Map(int fd, size_t size);

  std::string_view bytes_;  // the mapping, or read_
  void* mapping_ = nullptr;
  size_t mapped_ = 0;
  std::string read_;
};

// The error for a system call that failed: "model.onnx: No such file or
// directory". NotFound, PermissionDenied, else Unavailable.
absl::Status SystemError(int error_number, std::string_view path);

}  // namespace memplan

#endif  // MEMPLAN_ONNX_FRONTEND_MAPPED_FILE_H_
